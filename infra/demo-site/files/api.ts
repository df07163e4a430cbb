import { type Answer, pageNumber, type Visit } from '../markup/answer.ts';
import { BOOKS, type Book, pageOf } from '../shop/shop.ts';

const BOOKS_PER_PAGE = 20;

/** Lists books as JSON, with the URL of the next page. */
export function apiBooks(visit: Visit): Answer {
  const page = pageOf(BOOKS, BOOKS_PER_PAGE, pageNumber(visit));
  if (!page)
    return json(
      { error: `There is no such page. Ask for \`page\` 1 to ${Math.ceil(BOOKS.length / BOOKS_PER_PAGE)}.` },
      404,
    );
  const { items, number, count } = page;
  const next = number < count ? new URL(`/api/books?page=${number + 1}`, visit.url).href : null;
  return json({ total: BOOKS.length, page: number, pages: count, next, books: items.map(record) });
}

/** Returns a book as JSON. */
export function apiBook({ params }: Visit): Answer {
  const found = BOOKS.find(({ slug }) => slug === params.slug);
  if (!found) return json({ error: `There is no book "${params.slug}". /api/books lists all of them.` }, 404);
  return json(record(found), 200, found.changed);
}

function record({ slug, path, locale, title, author, year, price, priceBefore, ...rest }: Book): object {
  const { inStock, category, pages, isbn, published, about } = rest;
  return {
    ...{ slug, title, author, year, language: locale.language, category, pages, isbn, published, about },
    url: path,
    price: { amount: price, before: priceBefore ?? null, currency: locale.currency },
    inStock,
  };
}

function json(body: object, status = 200, changed?: string): Answer {
  return {
    status,
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
    ...(changed !== undefined && { changed }),
  };
}
