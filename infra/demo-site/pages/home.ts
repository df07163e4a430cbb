import type { Answer, Visit } from '../markup/answer.ts';
import { type Html, html } from '../markup/html.ts';
import { render } from '../markup/layout.ts';
import { ARTICLES, type Article, BOOKS, pageOf, SHOP_CATEGORIES } from '../shop/shop.ts';
import { bookGrid, listPath, pageLinks } from './cards.ts';
import { BOOKS_PER_PAGE } from './shelf.ts';

/** Shows the newest article, the categories, and the first books. */
export function home(visit: Visit): Answer | undefined {
  const page = pageOf(BOOKS, BOOKS_PER_PAGE, 1);
  if (!page) return undefined;
  return render(visit, {
    title: 'All books',
    description: 'A small bookshop that was made to be scraped: books, categories and a blog.',
    canonical: '/',
    body: html`
<h1>All books</h1>
${ARTICLES.slice(0, 1).map(teaser)}
<ul class="categories">${SHOP_CATEGORIES.map(({ slug, title }) => html`<li><a href="/categories/${slug}">${title}</a></li>`)}</ul>
${bookGrid(page.items)}
${pageLinks(page, listPath('/books'))}
<p>Book of the month: <a href="/books/emma?ref=home">Emma</a>, by Jane Austen.</p>`,
  });
}

function teaser({ slug, title, summary }: Article): Html {
  return html`<section class="hero">
<p class="title">${title}</p>
<p>${summary} <a href="/blog/${slug}">Read on</a></p>
</section>`;
}
