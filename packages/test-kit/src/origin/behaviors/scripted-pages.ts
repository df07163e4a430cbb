import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** Pages whose content depends on scripts, frames or scrolling, and one that is redesigned. */
export const SCRIPTED_PAGE_ROUTES: readonly OriginRoute[] = [
  { path: '/scripted/offers.json', behavior: sendOffers },
  { path: '/scripted/:name', behavior: sendScripted },
  { path: '/redesign', behavior: redesigned },
];

const OFFERS = [
  { name: 'Kettle', price: '19.90' },
  { name: 'Teapot', price: '24.50' },
];
const ITEM = '<p class="item">';
const MAKE_ITEM =
  "const make = (number) => Object.assign(document.createElement('p'), { className: 'item', textContent: 'Item ' + number })";
const CONSENT = 'We and our partners use cookies to personalize content. Do you accept all cookies?';

/** The pages by their names. */
const SCRIPTED_PAGES: Readonly<Record<string, string>> = {
  xhr: `<!doctype html><title>Offers</title><body><noscript>Please enable JavaScript.</noscript><div id="root"></div><script>
    const request = new XMLHttpRequest();
    request.open('GET', '/scripted/offers.json');
    request.onload = () => {
      root.innerHTML = '<h1>Offers</h1>' + JSON.parse(request.responseText)
        .map(({ name, price }) => '<p class="offer">' + name + ' <b>' + price + '</b></p>').join('');
    };
    request.send();</script>`,
  'shadow-dom': page(
    'Offers',
    `<h1>Offers</h1><shop-offer></shop-offer><script>
    document.querySelector('shop-offer').attachShadow({ mode: 'open' }).innerHTML = '<b class="price">19.90</b>';</script>`,
  ),
  frame: page(
    'Kettle',
    '<h1>Kettle</h1><iframe id="reviews" src="/product/2" title="Reviews"></iframe><p class="end">End</p>',
  ),
  consent: page(
    'Kettle',
    `<main><h1>Kettle</h1><p id="answer">none</p></main>
    <div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" style="position:fixed;inset:0;z-index:9999;background:#fff">${CONSENT}
    <button id="onetrust-reject-all-handler">Reject</button><button id="onetrust-accept-btn-handler">Accept</button></div></div>
    <script>for (const [end, text] of [['reject-all', 'rejected'], ['accept-btn', 'accepted']])
      document.querySelector('#onetrust-' + end + '-handler').onclick = () => {
        document.querySelector('#onetrust-consent-sdk').style.display = 'none';
        document.querySelector('#answer').textContent = text;
      };</script>`,
  ),
  'infinite-scroll': page(
    'Items',
    `<h1>Items</h1><div id="list">${[1, 2, 3].map((number) => `${ITEM}Item ${number}</p>`).join('')}</div>
    <div style="height:4000px"></div><p id="more">More</p><script>${MAKE_ITEM};
    new IntersectionObserver((entries) => {
      const list = document.querySelector('#list');
      if (entries.some((entry) => entry.isIntersecting)) list.append(make(list.children.length + 1));
    }).observe(document.querySelector('#more'));</script>`,
  ),
  'virtual-scroll': page(
    'Items',
    `<h1>Items</h1><div id="list" style="height:200px;overflow:auto"><div id="window" style="height:50000px"></div></div><script>${MAKE_ITEM};
    const [list, shown] = [document.querySelector('#list'), document.querySelector('#window')];
    list.onscroll = () => {
      const first = Math.floor(list.scrollTop / 50);
      shown.replaceChildren(...[1, 2, 3].map((index) => make(first + index)));
    };
    list.onscroll();</script>`,
  ),
};

function sendScripted(exchange: Exchange): void {
  const html = SCRIPTED_PAGES[exchange.params.name ?? ''];
  if (html === undefined) throw new Error(`There is no scripted page ${exchange.params.name}.`);
  sendHtml(exchange, html);
}

function sendOffers({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(OFFERS));
}

/** A product before and after a redesign: `?v=1` or `?v=2`. */
function redesigned(exchange: Exchange): void {
  const price =
    exchange.query.get('v') === '2' ? '<div data-testid="amount">19.90</div>' : '<p class="price">19.90</p>';
  sendHtml(exchange, page('Kettle', `<h1>Kettle</h1>${price}<p>It boils water quickly and quietly.</p>`));
}
