import type { Answer, Visit } from '../markup/answer.ts';
import { html } from '../markup/html.ts';
import { render } from '../markup/layout.ts';
import { BOOKS } from '../shop/shop.ts';

/** Shows the cart, which robots.txt denies to crawlers. */
export function cart(visit: Visit): Answer {
  const added = BOOKS.find(({ slug }) => slug === visit.url.searchParams.get('add'));
  return render(visit, {
    title: 'Cart',
    body: html`<h1>Cart</h1>
${added ? html`<p>You would like <a href="${added.path}">${added.title}</a>, but this shop is a demo and sells nothing.</p>` : html`<p>Your cart is empty.</p>`}
<p><a href="/books">All books</a></p>`,
  });
}

/** Shows that a page does not exist. */
export function missing(visit: Visit): Answer {
  return render(visit, {
    title: 'Not here',
    status: 404,
    body: html`<h1>Not here</h1>
<p>The shop has no such page. <a href="/books">All books</a></p>`,
  });
}
