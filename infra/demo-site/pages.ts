import { BOOKS, type Book } from './books.ts';

const BOOKS_PER_PAGE = 6;
const PAGE_COUNT = Math.ceil(BOOKS.length / BOOKS_PER_PAGE);

/** Returns one page of the catalog, counted from 1; undefined past the last. */
export function catalogPage(number: number): string | undefined {
  if (!Number.isInteger(number) || number < 1 || number > PAGE_COUNT) return undefined;
  const shown = BOOKS.slice((number - 1) * BOOKS_PER_PAGE, number * BOOKS_PER_PAGE);
  return layout(
    `All books, page ${number} of ${PAGE_COUNT}`,
    `<h1>All books</h1>
    <ul class="books">${shown.map(bookCard).join('')}</ul>
    <nav class="pages">${pageLinks(number)}</nav>`,
  );
}

/** Returns the page of one book. */
export function bookPage(slug: string): string | undefined {
  const book = BOOKS.find((candidate) => candidate.slug === slug);
  if (!book) return undefined;
  return layout(
    `${book.title} by ${book.author}`,
    `<article class="book" data-slug="${book.slug}">
      <h1>${book.title}</h1>
      <p class="author">${book.author}</p>
      <p class="price">${price(book)}</p>
      <p class="stock">${stock(book)}</p>
      <p class="about">${book.about}</p>
      <dl><dt>First published</dt><dd class="year">${book.year}</dd></dl>
      <a class="back" href="/">All books</a>
    </article>`,
  );
}

/** Returns the page for addresses that do not exist. */
export function missingPage(): string {
  return layout('Not here', '<h1>Not here</h1><p>The shop has no such page. <a href="/">All books</a></p>');
}

function bookCard(book: Book): string {
  return `<li class="book">
      <h2><a href="/books/${book.slug}">${book.title}</a></h2>
      <p class="author">${book.author}</p>
      <p class="price">${price(book)}</p>
      <p class="stock">${stock(book)}</p>
    </li>`;
}

function pageLinks(current: number): string {
  const numbers = Array.from({ length: PAGE_COUNT }, (_, index) => index + 1);
  return numbers
    .map((number) => (number === current ? `<b>${number}</b>` : `<a href="/pages/${number}">${number}</a>`))
    .join(' ');
}

function price(book: Book): string {
  return `£${(book.pricePence / 100).toFixed(2)}`;
}

function stock(book: Book): string {
  return book.inStock > 0 ? `In stock (${book.inStock})` : 'Sold out';
}

function layout(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="description" content="A small bookshop that was made to be scraped.">
<title>${title} · Gleaner's demo bookshop</title>
<style>
  body { font: 16px/1.5 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
  .books { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; }
  .books .book { border: 1px solid #ddd; border-radius: 6px; padding: 1rem; }
  h2 { font-size: 1.1rem; margin: 0; } p { margin: .2rem 0; } .price { font-weight: bold; } .stock { color: #666; }
  a { color: #0b5; }
</style>
</head>
<body>
<header><a href="/">Gleaner's demo bookshop</a></header>
<main>${body}</main>
</body>
</html>
`;
}
