import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** Valid documents of all sizes. */
export const PAGE_ROUTES: readonly OriginRoute[] = [
  { path: '/', behavior: (exchange) => sendHtml(exchange, HOME) },
  {
    path: '/product/:id',
    behavior: (exchange) => sendHtml(exchange, productPage(exchange.params.id ?? '')),
  },
  {
    path: '/size/:bytes',
    behavior: (exchange) => sendHtml(exchange, paddedPage(Number(exchange.params.bytes))),
  },
  {
    path: '/deep/:levels',
    behavior: (exchange) => sendHtml(exchange, deepPage(Number(exchange.params.levels))),
  },
  {
    path: '/wide/:elements',
    behavior: (exchange) => sendHtml(exchange, widePage(Number(exchange.params.elements))),
  },
  { path: '/empty', behavior: (exchange) => sendHtml(exchange, '') },
  { path: '/headers/:count/:bytes', behavior: withHeaders },
];

const HOME = page(
  'An honest shop',
  `<h1>An honest shop</h1>
   <ul class="products">
     <li class="product"><a href="/product/1">Kettle</a> <span class="price">19.90</span></li>
     <li class="product"><a href="/product/2">Teapot</a> <span class="price">24.50</span></li>
   </ul>`,
);

function productPage(id: string): string {
  return page(`Product ${id}`, `<h1>Product ${id}</h1><p class="price">${Number(id) * 10}.00</p>`);
}

/** A page of exactly this many bytes, if the tags fit into them. */
function paddedPage(bytes: number): string {
  const frame = page('Padded', '<p></p>').length;
  return page('Padded', `<p>${'x'.repeat(Math.max(0, bytes - frame))}</p>`);
}

/** Elements nested so deeply that a recursive walk overflows the stack. */
function deepPage(levels: number): string {
  return page('Deep', `${'<div>'.repeat(levels)}<b>bottom</b>${'</div>'.repeat(levels)}`);
}

function widePage(elements: number): string {
  return page('Wide', Array.from({ length: elements }, (_, index) => `<p class="row">${index}</p>`).join(''));
}

/** A page with the given number of headers, each with a value of the given length. */
function withHeaders(exchange: Exchange): void {
  const { count, bytes } = exchange.params;
  const value = 'y'.repeat(Number(bytes));
  const names = Array.from({ length: Number(count) }, (_, index) => `x-filler-${index}`);
  sendHtml(exchange, page('Headers', ''), Object.fromEntries(names.map((name) => [name, value])));
}
