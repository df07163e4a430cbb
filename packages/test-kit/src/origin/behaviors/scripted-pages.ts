import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** Pages whose content depends on scripts or frames. */
export const SCRIPTED_PAGE_ROUTES: readonly OriginRoute[] = [
  { path: '/scripted/offers.json', behavior: sendOffers },
  { path: '/scripted/:name', behavior: sendScripted },
];

const OFFERS = [
  { name: 'Kettle', price: '19.90' },
  { name: 'Teapot', price: '24.50' },
];

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
  'closed-shadow-dom': page(
    'Offers',
    `<h1>Offers</h1><shop-offer></shop-offer><script>
    document.querySelector('shop-offer').attachShadow({ mode: 'closed' }).innerHTML = '<b class="price">19.90</b>';</script>`,
  ),
  'frame-in-frame': page('Kettle', '<h1>Kettle</h1><iframe src="/scripted/frame"></iframe>'),
  'refused-frame': page(
    'Kettle',
    '<h1>Kettle</h1><iframe src="http://169.254.169.254/latest/"></iframe><iframe src="file:///etc/passwd"></iframe><p class="end">End</p>',
  ),
  'frame-bomb': page(
    'Kettle',
    `<h1>Kettle</h1>${'<iframe src="/product/2"></iframe>'.repeat(60)}<p class="end">End</p>`,
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
