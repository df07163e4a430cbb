import { type Answer, pageNumber, type Visit } from '../markup/answer.ts';
import { html } from '../markup/html.ts';
import { breadcrumbs, type Crumb, render } from '../markup/layout.ts';
import { type Language, LOCALES } from '../shop/locales.ts';
import { type Book, booksOf, pageOf, SHOP_CATEGORIES } from '../shop/shop.ts';
import { bookGrid, listPath, pageLinks } from './cards.ts';

/** Number of books on one page of a shelf, and of a category. */
export const BOOKS_PER_PAGE = 12;
const FOREIGN_BOOKS_PER_PAGE = 6;

/** Shows one page of the books of a language. */
export function shelf(language: Language): (visit: Visit) => Answer | undefined {
  const { words, shelf: path } = LOCALES[language];
  const size = language === 'en' ? BOOKS_PER_PAGE : FOREIGN_BOOKS_PER_PAGE;
  const crumbs = [
    { name: words.home, path: '/' },
    { name: words.shelf, path },
  ];
  return (visit) =>
    list(visit, {
      language,
      path,
      size,
      crumbs,
      title: words.shelf,
      intro: words.intro,
      books: booksOf(language),
    });
}

/** Shows one page of the books of a category. */
export function category(visit: Visit): Answer | undefined {
  const found = SHOP_CATEGORIES.find(({ slug }) => slug === visit.params.slug);
  if (!found) return undefined;
  const { slug, title, intro } = found;
  const path = `/categories/${slug}`;
  const crumbs = [
    { name: 'Home', path: '/' },
    { name: 'All books', path: '/books' },
    { name: title, path },
  ];
  return list(visit, { language: 'en', path, size: 6, crumbs, title, intro, books: booksOf('en', slug) });
}

interface List {
  readonly language: Language;
  readonly path: string;
  readonly size: number;
  readonly crumbs: readonly Crumb[];
  readonly title: string;
  readonly intro: string;
  readonly books: readonly Book[];
}

function list(visit: Visit, { language, path, size, crumbs, title, intro, books }: List): Answer | undefined {
  const page = pageOf(books, size, pageNumber(visit));
  if (!page) return undefined;
  const pathOf = listPath(path);
  const { number, count } = page;
  return render(visit, {
    title: count === 1 ? title : `${title}, ${number} / ${count}`,
    description: intro,
    canonical: pathOf(number),
    language,
    head: number < count ? html`<link rel="next" href="${pathOf(number + 1)}">` : undefined,
    body: html`
${breadcrumbs(visit, crumbs)}
<h1>${title}</h1>
<p class="intro">${intro}</p>
${bookGrid(page.items)}
${pageLinks(page, pathOf, LOCALES[language].words)}`,
  });
}
