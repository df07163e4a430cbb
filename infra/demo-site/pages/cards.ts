import { type Html, html } from '../markup/html.ts';
import type { Book, ListPage } from '../shop/shop.ts';

/** Renders books as a grid of cards. */
export function bookGrid(books: readonly Book[]): Html {
  return html`<ul class="books">${books.map(bookCard)}</ul>`;
}

/** Renders a price for people, and for programs in the attribute `value`. */
export function priceOf({ price, priceBefore }: Book): Html {
  const now = html`<p class="price"><data value="${price}">${formatPrice(price)}</data></p>`;
  if (priceBefore === undefined) return now;
  return html`${now}
<p class="was">was <s>${formatPrice(priceBefore)}</s></p>`;
}

/** Renders the number of copies. */
export function stockOf({ inStock }: Book): Html {
  return html`<p class="stock ${inStock > 0 ? 'in' : 'out'}">${formatStock(inStock)}</p>`;
}

/** Renders the cover of a book. */
export function coverOf({ slug, title }: Book): Html {
  return html`<img class="cover" src="/covers/${slug}.svg" alt="Cover of ${title}" width="240" height="360">`;
}

/** Writes a price: `£12.99`. */
export function formatPrice(price: number): string {
  return `£${price.toFixed(2)}`;
}

/** Writes the number of copies. */
export function formatStock(count: number): string {
  return count > 0 ? `In stock (${count})` : 'Sold out';
}

const DATE_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Writes a day: `3 August 2026`. */
export function formatDate(day: string): string {
  return DATE_FORMAT.format(new Date(day));
}

/** Renders links to the other pages of a list; `pathOf` returns the path of a page by its number. */
export function pageLinks(
  { number, count }: ListPage<unknown>,
  pathOf: (number: number) => string,
): Html | undefined {
  if (count === 1) return undefined;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return html`<nav class="pages" aria-label="Pages">
${number > 1 ? html`<a class="previous" rel="prev" href="${pathOf(number - 1)}">← Previous page</a>` : undefined}
${numbers.map((other) => (other === number ? html`<b aria-current="page">${other}</b> ` : html`<a href="${pathOf(other)}">${other}</a> `))}
${number < count ? html`<a class="next" rel="next" href="${pathOf(number + 1)}">Next page →</a>` : undefined}
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
