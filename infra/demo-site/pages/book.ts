import type { Answer, Visit } from '../markup/answer.ts';
import { type Html, html, linkedData } from '../markup/html.ts';
import { breadcrumbs, type Crumb, render } from '../markup/layout.ts';
import { BOOKS, type Book, type Review, relatedTo, reviewsOf, SHOP_CATEGORIES } from '../shop/shop.ts';
import { coverOf, formatDate, formatStock, priceOf, stockOf } from './cards.ts';

/** Shows a book. */
export function book(visit: Visit): Answer | undefined {
  const found = BOOKS.find(({ slug }) => slug === visit.params.slug);
  return found && bookPage(visit, found);
}

function bookPage(visit: Visit, book: Book): Answer {
  const { title, author, about, path, changed } = book;
  const reviews = reviewsOf(book);
  return render(visit, {
    title: `${title} · ${author}`,
    description: about,
    canonical: path,
    image: coverPath(book),
    changed,
    head: linkedData(describe(book, visit, reviews)),
    body: html`
${breadcrumbs(visit, crumbsOf(book))}
<article class="book" data-slug="${book.slug}">
${coverOf(book)}
<div>
<h1>${title}</h1>
<p class="author">${author}</p>
${priceOf(book)}
${stockOf(book)}
<p class="about">${about}</p>
<a class="button" rel="nofollow" href="/cart?add=${book.slug}">Add to cart</a>
${properties(book)}
</div>
</article>
${reviewList(reviews)}
<section class="related">
<h2>You may also like</h2>
<ul>${relatedTo(book).map((other) => html`<li><a href="${other.path}">${coverOf(other)}${other.title}</a></li>`)}</ul>
</section>`,
  });
}

function properties(book: Book): Html {
  const rows: readonly (readonly [string, string | Html])[] = [
    ['Author', book.author],
    ['First published', html`<span class="year">${book.year}</span>`],
    ['This edition', html`<time datetime="${book.published}">${formatDate(book.published)}</time>`],
    ['Pages', String(book.pages)],
    ['Language', 'English'],
    ['Category', categoryTitle(book)],
    ['ISBN', html`<span class="isbn">${book.isbn}</span>`],
    ['Availability', formatStock(book.inStock)],
  ];
  return html`<table class="properties">
<caption>Details</caption>
<tbody>
${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}</tbody>
</table>`;
}

function reviewList(reviews: readonly Review[]): Html {
  const items = reviews.map(
    ({ stars, reader, text, day }) => html`<article class="review">
<p><span class="rating" data-stars="${stars}" role="img" aria-label="${stars} out of 5 stars">${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}</span>
<b class="reader">${reader}</b>, <time datetime="${day}">${formatDate(day)}</time></p>
<p class="text">${text}</p>
</article>
`,
  );
  return html`<section class="reviews" id="reviews">
<h2>Reviews</h2>
${items.length > 0 ? items : html`<p class="intro">No one has reviewed this book yet.</p>`}
</section>`;
}

/** Describes a book as linked data: https://schema.org/Book and https://schema.org/Product. */
function describe(book: Book, { url }: Visit, reviews: readonly Review[]): object {
  const { title, author, about, path, isbn, published, pages, price, inStock } = book;
  const absolute = (target: string) => new URL(target, url).href;
  const mean = reviews.reduce((sum, { stars }) => sum + stars, 0) / reviews.length;
  return {
    '@type': ['Product', 'Book'],
    '@id': absolute(path),
    name: title,
    description: about,
    image: absolute(coverPath(book)),
    sku: isbn.replaceAll('-', ''),
    isbn,
    author: { '@type': 'Person', name: author },
    datePublished: published,
    numberOfPages: pages,
    inLanguage: 'en',
    category: categoryTitle(book),
    offers: {
      '@type': 'Offer',
      url: absolute(path),
      price: price.toFixed(2),
      priceCurrency: 'GBP',
      availability: `https://schema.org/${inStock > 0 ? 'InStock' : 'OutOfStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
    },
    ...(reviews.length > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: Number(mean.toFixed(1)),
        reviewCount: reviews.length,
      },
      review: reviews.map(({ stars, reader, text, day }) => ({
        '@type': 'Review',
        author: { '@type': 'Person', name: reader },
        datePublished: day,
        reviewRating: { '@type': 'Rating', ratingValue: stars, bestRating: 5 },
        reviewBody: text,
      })),
    }),
  };
}

function crumbsOf(book: Book): Crumb[] {
  return [
    { name: 'Home', path: '/' },
    { name: 'All books', path: '/books' },
    { name: categoryTitle(book), path: `/categories/${book.category}` },
    { name: book.title, path: book.path },
  ];
}

function categoryTitle({ category }: Book): string {
  return SHOP_CATEGORIES.find(({ slug }) => slug === category)?.title ?? category;
}

function coverPath({ slug }: Book): string {
  return `/covers/${slug}.svg`;
}
