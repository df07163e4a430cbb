import type { Answer, Visit } from '../markup/answer.ts';
import { type Html, html, linkedData } from '../markup/html.ts';
import { breadcrumbs, type Crumb, render } from '../markup/layout.ts';
import type { Language } from '../shop/locales.ts';
import { BOOKS, type Book, type Review, relatedTo, reviewsOf, SHOP_CATEGORIES } from '../shop/shop.ts';
import { coverOf, priceOf, stockOf } from './cards.ts';

/** Shows a book of a language. */
export function book(language: Language): (visit: Visit) => Answer | undefined {
  return (visit) => {
    const found = BOOKS.find(
      ({ slug, locale }) => slug === visit.params.slug && locale.language === language,
    );
    return found && bookPage(visit, found);
  };
}

function bookPage(visit: Visit, book: Book): Answer {
  const { title, author, about, locale, path, changed } = book;
  const reviews = reviewsOf(book);
  return render(visit, {
    title: `${title} · ${author}`,
    description: about,
    canonical: path,
    language: locale.language,
    image: coverPath(book),
    changed,
    head: linkedData(describe(book, visit, reviews)),
    body: html`
${breadcrumbs(visit, crumbsOf(book))}
<article class="book" data-slug="${book.slug}">
${coverOf(book)}
<div>
<h1>${title}</h1>
<p class="author">${locale.formatAuthor(author)}</p>
${priceOf(book)}
${stockOf(book)}
<p class="about">${about}</p>
<a class="button" rel="nofollow" href="/cart?add=${book.slug}">${locale.words.cart}</a>
${properties(book)}
</div>
</article>
${reviewList(book, reviews)}
<section class="related">
<h2>${locale.words.related}</h2>
<ul>${relatedTo(book).map((other) => html`<li><a href="${other.path}">${coverOf(other)}${other.title}</a></li>`)}</ul>
</section>`,
  });
}

function properties(book: Book): Html {
  const { words, formatDate, formatStock } = book.locale;
  const rows: readonly (readonly [string, string | Html])[] = [
    [words.author, book.author],
    [words.firstPublished, html`<span class="year">${book.year}</span>`],
    [
      words.published,
      html`<time datetime="${book.published}">${formatDate(new Date(book.published))}</time>`,
    ],
    [words.pages, String(book.pages)],
    [words.language, words.languageName],
    [words.category, categoryTitle(book)],
    ['ISBN', html`<span class="isbn">${book.isbn}</span>`],
    [words.availability, formatStock(book.inStock)],
  ];
  return html`<table class="properties">
<caption>${words.details}</caption>
<tbody>
${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}</tbody>
</table>`;
}

function reviewList({ locale: { words, formatDate } }: Book, reviews: readonly Review[]): Html {
  const items = reviews.map(
    ({ stars, reader, text, day }) => html`<article class="review">
<p><span class="rating" data-stars="${stars}" role="img" aria-label="${stars} ${words.stars}">${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}</span>
<b class="reader">${reader}</b>, <time datetime="${day}">${formatDate(new Date(day))}</time></p>
<p class="text">${text}</p>
</article>
`,
  );
  return html`<section class="reviews" id="reviews">
<h2>${words.reviews}</h2>
${items.length > 0 ? items : html`<p class="intro">${words.noReviews}</p>`}
</section>`;
}

/** Describes a book as linked data: https://schema.org/Book and https://schema.org/Product. */
function describe(book: Book, { url }: Visit, reviews: readonly Review[]): object {
  const { title, author, about, path, locale, isbn, published, pages, price, inStock } = book;
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
    inLanguage: locale.language,
    category: categoryTitle(book),
    offers: {
      '@type': 'Offer',
      url: absolute(path),
      price: price.toFixed(locale.currency === 'JPY' ? 0 : 2),
      priceCurrency: locale.currency,
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

function crumbsOf({ locale, category, title, path }: Book): Crumb[] {
  const { words, shelf } = locale;
  const way = [
    { name: words.home, path: '/' },
    { name: words.shelf, path: shelf },
  ];
  const found = SHOP_CATEGORIES.find(({ slug }) => slug === category);
  if (found) way.push({ name: found.title, path: `/categories/${category}` });
  return [...way, { name: title, path }];
}

function categoryTitle({ category }: Book): string {
  return SHOP_CATEGORIES.find(({ slug }) => slug === category)?.title ?? category;
}

function coverPath({ slug }: Book): string {
  return `/covers/${slug}.svg`;
}
