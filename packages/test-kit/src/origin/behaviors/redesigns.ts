import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/**
 * A product and a list in two designs, `?v=1` and `?v=2`. `?day=` changes what the list says and not how it is made: prices, stock
 * and order; `?day=` with `?v=` is the morning after a redesign.
 */
export const REDESIGN_ROUTES: readonly OriginRoute[] = [
  { path: '/redesign', behavior: (exchange) => sendHtml(exchange, product(versionOf(exchange))) },
  {
    path: '/redesign/list',
    behavior: (exchange) =>
      sendHtml(exchange, list(versionOf(exchange), Number(exchange.query.get('day') ?? 0))),
  },
];

type Version = 1 | 2;

function versionOf({ query }: Exchange): Version {
  return query.get('v') === '2' ? 2 : 1;
}

function product(version: Version): string {
  const price = {
    1: '<p class="price">19.90</p>',
    2: '<div data-testid="amount">19.90</div>',
  }[version];
  return page('Kettle', `<h1>Kettle</h1>${price}<p>It boils water quickly and quietly.</p>`);
}

const NAMES = [
  'Kettle',
  'Teapot',
  'Cup',
  'Tray',
  'Sieve',
  'Spoon',
  'Jug',
  'Bowl',
  'Grinder',
  'Scale',
  'Tin',
  'Cosy',
];

interface Offer {
  readonly name: string;
  readonly price: string;
  readonly stock: number;
}

/** The offers of a day, in the order of the day. */
function offersOf(day: number): Offer[] {
  const offers = NAMES.map((name, index) => ({
    name,
    price: (10 + index * 2.5 + ((day * (index + 3)) % 7) / 10).toFixed(2),
    stock: (index * 5 + day * 3) % 17,
  }));
  const first = day % NAMES.length;
  return [...offers.slice(first), ...offers.slice(0, first)];
}

const CARDS: Readonly<Record<Version, (offer: Offer) => string>> = {
  1: ({ name, price, stock }) =>
    `<li class="card"><h2 class="name">${name}</h2><p class="price">${price} €</p><p class="stock">${stock} in stock</p></li>`,
  2: ({ name, price, stock }) =>
    `<div class="tile"><div class="tile-body"><a class="tile-title" href="/redesign">${name}</a>
      <div class="tile-row"><span class="tile-stock">${stock} in stock</span><span class="tile-amount">${price} €</span></div></div></div>`,
};

function list(version: Version, day: number): string {
  const cards = offersOf(day).map(CARDS[version]).join('\n');
  const main =
    version === 1 ? `<ul class="cards">${cards}</ul>` : `<section><div class="grid">${cards}</div></section>`;
  return page(
    'Offers',
    `<header><nav><a href="/">Home</a></nav></header><h1>Offers</h1>${main}<footer>All prices with tax.</footer>`,
  );
}
