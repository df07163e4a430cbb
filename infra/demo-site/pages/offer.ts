import type { Answer, Visit } from '../markup/answer.ts';
import { html } from '../markup/html.ts';
import { render } from '../markup/layout.ts';
import { formatPrice } from './cards.ts';

const PRICE = /^\d{1,4}(?:\.\d{1,2})?$/;

/** Shows the offer, after it has the price that a visitor posted. No page links to it, so that crawls find the same each time. */
export function offer(visit: Visit): Answer {
  const { isPosted, url } = visit;
  const posted = url.searchParams.get('price') ?? '';
  const isRefused = isPosted && !PRICE.test(posted);
  if (isPosted && !isRefused) visit.offer.price = Number(posted);

  return render(visit, {
    title: 'The offer',
    status: isRefused ? 400 : 200,
    body: html`<h1>Middlemarch, signed</h1>
<p class="intro">One copy, signed. Its price is the one that was set last: set another to see what a rule of a schedule tells.</p>
<p class="price">${formatPrice(visit.offer.price)}</p>
${isRefused ? html`<p class="refused">A price is a number of pounds, such as 18 or 17.50.</p>` : undefined}
<form method="post" action="/offer"><input name="price" inputmode="decimal" aria-label="Price in pounds" value="${visit.offer.price}"> <button>Set the price</button></form>`,
  });
}
