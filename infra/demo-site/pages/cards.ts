import { type Html, html } from '../markup/html.ts';
import type { Book, ListPage } from '../shop/shop.ts';

/** Renders books as a grid of cards. */
export function bookGrid(books: readonly Book[]): Html {
  return html`<ul class="books">${books.map(bookCard)}</ul>`;
}

/** Renders a price for people, and for programs in the attribute `value`. */
export function priceOf({ price, priceBefore, locale }: Book): Html {
  const now = html`<p class="price"><data value="${price}">${locale.formatPrice(price)}</data></p>`;
  if (priceBefore === undefined) return now;
  return html`${now}
<p class="was">${locale.words.was} <s>${locale.formatPrice(priceBefore)}</s></p>`;
}

/** Renders the number of copies. */
export function stockOf({ inStock, locale }: Book): Html {
  return html`<p class="stock ${inStock > 0 ? 'in' : 'out'}">${locale.formatStock(inStock)}</p>`;
}

/** Renders the cover of a book. */
export function coverOf({ slug, title, locale }: Book): Html {
  const alt = `${locale.words.cover}${locale.language === 'ja' ? '' : ' '}${title}`;
  return html`<img class="cover" src="/covers/${slug}.svg" alt="${alt}" width="240" height="360">`;
}

/** Renders links to the other pages of a list; `pathOf` returns the path of a page by its number. */
export function pageLinks(
  { number, count }: ListPage<unknown>,
  pathOf: (number: number) => string,
  { next, previous }: { readonly next: string; readonly previous: string },
): Html | undefined {
  if (count === 1) return undefined;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return html`<nav class="pages" aria-label="Pages">
${number > 1 ? html`<a class="previous" rel="prev" href="${pathOf(number - 1)}">← ${previous}</a>` : undefined}
${numbers.map((other) => (other === number ? html`<b aria-current="page">${other}</b> ` : html`<a href="${pathOf(other)}">${other}</a> `))}
${number < count ? html`<a class="next" rel="next" href="${pathOf(number + 1)}">${next} →</a>` : undefined}
</nav>`;
}

/** Returns the path of a page of a list; the first page has no parameter. */
export function listPath(path: string): (number: number) => string {
  return (number) => (number === 1 ? path : `${path}?page=${number}`);
}

function bookCard(book: Book): Html {
  return html`<li class="book">
<a href="${book.path}" tabindex="-1" aria-hidden="true">${coverOf(book)}</a>
<h2><a href="${book.path}">${book.title}</a></h2>
<p class="author">${book.author}</p>
${priceOf(book)}
${stockOf(book)}
</li>
`;
}
