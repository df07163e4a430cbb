import { type Answer, file, type Visit } from '../markup/answer.ts';
import { html, trusted } from '../markup/html.ts';
import { breadcrumbs, render } from '../markup/layout.ts';
import { BOOKS } from '../shop/shop.ts';
import { formatPrice } from './cards.ts';

/** Shows the specials, which a script fetches: without a browser the list is empty. */
export function specials(visit: Visit): Answer {
  return render(visit, {
    title: 'Specials',
    description: 'Books that cost less than before.',
    canonical: '/specials',
    body: html`
${breadcrumbs(visit, [
  { name: 'Home', path: '/' },
  { name: 'Specials', path: '/specials' },
])}
<h1>Specials</h1>
<p class="intro" id="state">Looking up the specials …</p>
<ul class="specials" id="specials"></ul>
<script>${trusted(SCRIPT)}</script>`,
  });
}

/** Returns the data of the specials, with line breaks, as many services write theirs. */
export function specialsData(): Answer {
  const items = BOOKS.filter(({ priceBefore }) => priceBefore !== undefined).map(
    ({ path, title, author, price, priceBefore = price }) => ({
      title,
      author,
      url: path,
      price: { amount: price, currency: 'GBP', text: formatPrice(price) },
      before: { amount: priceBefore, currency: 'GBP', text: formatPrice(priceBefore) },
      discountPercent: Math.round((1 - price / priceBefore) * 100),
    }),
  );
  return file('application/json; charset=utf-8', JSON.stringify({ items }, null, 2));
}

const SCRIPT = `
const element = (name, className, text) => {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
};
fetch('/api/specials.json').then((response) => response.json()).then(({ items }) => {
  for (const { title, author, url, price, before, discountPercent } of items) {
    const item = element('li', 'special', '');
    const link = element('a', '', title);
    link.href = url;
    const heading = element('h2', '', '');
    heading.append(link);
    item.append(heading, element('p', 'author', author), element('p', 'price', price.text),
      element('p', 'was', before.text + ', ' + discountPercent + ' % off'));
    document.getElementById('specials').append(item);
  }
  document.getElementById('state').textContent = items.length + ' books cost less this week.';
}).catch(() => {
  document.getElementById('state').textContent = 'The specials could not be loaded. Reload the page to try again.';
});
`;
