import { type Answer, pageNumber, type Visit } from '../markup/answer.ts';
import { html } from '../markup/html.ts';
import { breadcrumbs, type Crumb, render } from '../markup/layout.ts';
import { BOOKS, type Book, pageOf, SHOP_CATEGORIES } from '../shop/shop.ts';
import { bookGrid, listPath, pageLinks } from './cards.ts';

/** Number of books on one page of the shelf. */
export const BOOKS_PER_PAGE = 12;

const CRUMBS: readonly Crumb[] = [
  { name: 'Home', path: '/' },
  { name: 'All books', path: '/books' },
];

/** Shows one page of all books. */
export function shelf(visit: Visit): Answer | undefined {
  const intro = 'Every book in the shop.';
  return list(visit, {
    path: '/books',
    size: BOOKS_PER_PAGE,
    crumbs: CRUMBS,
    title: 'All books',
    intro,
    books: BOOKS,
  });
}

/** Shows one page of the books of a category. */
export function category(visit: Visit): Answer | undefined {
  const found = SHOP_CATEGORIES.find(({ slug }) => slug === visit.params.slug);
  if (!found) return undefined;
  const { slug, title, intro } = found;
  const path = `/categories/${slug}`;
  const crumbs = [...CRUMBS, { name: title, path }];
  const books = BOOKS.filter((book) => book.category === slug);
  return list(visit, { path, size: 6, crumbs, title, intro, books });
}

interface List {
  readonly path: string;
  readonly size: number;
  readonly crumbs: readonly Crumb[];
  readonly title: string;
  readonly intro: string;
  readonly books: readonly Book[];
}

function list(visit: Visit, { path, size, crumbs, title, intro, books }: List): Answer | undefined {
  const page = pageOf(books, size, pageNumber(visit));
  if (!page) return undefined;
  const pathOf = listPath(path);
  const { number, count } = page;
  return render(visit, {
    title: count === 1 ? title : `${title}, ${number} / ${count}`,
    description: intro,
    canonical: pathOf(number),
    head: number < count ? html`<link rel="next" href="${pathOf(number + 1)}">` : undefined,
    body: html`
${breadcrumbs(visit, crumbs)}
<h1>${title}</h1>
<p class="intro">${intro}</p>
${bookGrid(page.items)}
${pageLinks(page, pathOf)}`,
  });
}
