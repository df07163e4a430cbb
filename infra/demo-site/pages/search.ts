import { type Answer, file, pageNumber, type Visit } from '../markup/answer.ts';
import { type Html, html } from '../markup/html.ts';
import { render } from '../markup/layout.ts';
import { BOOKS, type Book, SHOP_CATEGORIES } from '../shop/shop.ts';
import { bookGrid } from './cards.ts';

/** Orders of the results by name. */
const ORDERS: Readonly<Record<string, (one: Book, other: Book) => number>> = {
  title: (one, other) => one.title.localeCompare(other.title),
  author: (one, other) => one.author.localeCompare(other.author),
  price: (one, other) => one.price - other.price,
  year: (one, other) => one.year - other.year,
};
const BOOKS_PER_PAGE = 8;
const MAX_QUERY_CHARS = 200;

/**
 * Shows search results, with links to each combination of filters and to a next page without end, as many shops have
 * them: a trap for crawlers that robots.txt keeps out.
 */
export function search(visit: Visit): Answer {
  const { query, number, results, shown } = findBooks(visit);

  return render(visit, {
    title: 'Search',
    body: html`
<h1>Search</h1>
<form action="/search"><input name="q" aria-label="Title or author" value="${query}"> <button>Search</button></form>
<p class="filters">Sort by: ${Object.keys(ORDERS).map((order) => filterLink(visit, 'sort', order))}</p>
<p class="filters">Category: ${SHOP_CATEGORIES.map(({ slug }) => filterLink(visit, 'category', slug))}</p>
<p class="filters">Show: ${filterLink(visit, 'stock', 'in')}${filterLink(visit, 'view', 'list')}${filterLink(visit, 'view', 'grid')}</p>
<p class="intro">${results.length} books, page ${number}</p>
${shown.length > 0 ? bookGrid(shown) : html`<p>No more books on this page.</p>`}
<nav class="pages"><a class="next" href="${withParameter(visit, 'page', String(number + 1))}">Next page →</a></nav>`,
  });
}

/** Returns the results as JSON. */
export function searchData(visit: Visit): Answer {
  const { number, results, shown } = findBooks(visit);
  const books = shown.map(({ path, title, author, price, inStock }) => ({
    title,
    author,
    url: path,
    price,
    inStock,
  }));
  return file(
    'application/json; charset=utf-8',
    JSON.stringify({ total: results.length, page: number, books }),
  );
}

function findBooks(visit: Visit) {
  const { searchParams } = visit.url;
  const query = (searchParams.get('q') ?? '').slice(0, MAX_QUERY_CHARS);
  const sort = searchParams.get('sort') ?? 'title';
  const number = Math.max(1, Math.trunc(pageNumber(visit)) || 1);
  const categories = searchParams.getAll('category');
  const results = BOOKS.filter(
    (book) =>
      `${book.title} ${book.author}`.toLowerCase().includes(query.toLowerCase()) &&
      (categories.length === 0 || categories.includes(book.category)) &&
      (!searchParams.has('stock') || book.inStock > 0),
  ).toSorted(ORDERS[sort] ?? ORDERS.title);
  const shown = results.slice((number - 1) * BOOKS_PER_PAGE, number * BOOKS_PER_PAGE);
  return { query, number, results, shown };
}

/** Renders a link that adds a filter to the present ones. */
function filterLink(visit: Visit, name: string, value: string): Html {
  return html`<a href="${withParameter(visit, name, value)}">${value}</a> `;
}

function withParameter({ url }: Visit, name: string, value: string): string {
  const changed = new URLSearchParams(url.searchParams);
  if (name === 'category') changed.append(name, value);
  else changed.set(name, value);
  return `/search?${changed}`;
}
