import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** Lists whose rows come by scrolling, or by clicks on a button. */
export const LONG_LIST_ROUTES: readonly OriginRoute[] = [
  { path: '/lists/items.json', behavior: sendItems },
  { path: '/lists/:name', behavior: sendList },
];

const ENDLESS_ITEMS = 300;
const VIRTUAL_ITEMS = 1000;
const BUTTON_ITEMS = 60;
const ITEMS_AT_ONCE = 20;
const ROW_PX = 48;

const STYLE = `<style>.item{box-sizing:border-box;height:${ROW_PX}px;margin:0}#list{margin:0;padding:0}</style>`;
const MAKE_ITEM = `const make = (number) => Object.assign(document.createElement('p'), { className: 'item', textContent: 'Item ' + number });`;

/** Loads the next items of `count` into the list and says if there are more. */
const loadMore = (count: number) => `${MAKE_ITEM}
  const list = document.querySelector('#list');
  async function loadMore() {
    const answer = await fetch('/lists/items.json?of=${count}&from=' + list.children.length);
    const { items, hasMore } = await answer.json();
    list.append(...items.map(make));
    return hasMore;
  }`;
const firstItems = Array.from(
  { length: ITEMS_AT_ONCE },
  (_, index) => `<p class="item">Item ${index + 1}</p>`,
);

/** Renders the rows that are in view, and a few around them, as virtual lists do; `offset` is where the view begins. */
const renderRows = (offset: string, height: string) => `${MAKE_ITEM}
  const rows = document.querySelector('#list');
  rows.style.cssText = 'position:relative;height:${ROW_PX * VIRTUAL_ITEMS}px';
  function render() {
    const first = Math.max(1, Math.floor(${offset} / ${ROW_PX}) - 1);
    const last = Math.min(${VIRTUAL_ITEMS}, Math.ceil((${offset} + ${height}) / ${ROW_PX}) + 1);
    const shown = [];
    for (let number = first; number <= last; number += 1) {
      const row = make(number);
      row.style.cssText = 'position:absolute;top:' + (number - 1) * ${ROW_PX} + 'px';
      shown.push(row);
    }
    rows.replaceChildren(...shown);
  }`;

/** The lists by their names. */
const LISTS: Readonly<Record<string, string>> = {
  'infinite-scroll': page(
    'Items',
    `${STYLE}<h1>Items</h1><div id="list">${firstItems.join('')}</div><p id="end">Loading …</p><script>${loadMore(ENDLESS_ITEMS)}
    const end = document.querySelector('#end');
    const observer = new IntersectionObserver(async (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.unobserve(end);
      if (await loadMore()) observer.observe(end);
      else end.textContent = 'That is all.';
    });
    observer.observe(end);</script>`,
  ),
  'load-more': page(
    'Items',
    `${STYLE}<h1>Items</h1><div id="list">${firstItems.join('')}</div><button class="more">More</button><script>${loadMore(BUTTON_ITEMS)}
    const button = document.querySelector('.more');
    button.onclick = async () => {
      button.disabled = true;
      if (await loadMore()) button.disabled = false;
      else button.remove();
    };</script>`,
  ),
  'virtual-scroll': page(
    'Items',
    `${STYLE}<h1>Items</h1><div id="list"></div><script>${renderRows('Math.max(0, scrollY - rows.offsetTop)', 'innerHeight')}
    addEventListener('scroll', render);
    render();</script>`,
  ),
  'virtual-box': page(
    'Items',
    `${STYLE}<h1>Items</h1><div id="box" style="height:480px;overflow:auto"><div id="list"></div></div><script>
    const box = document.querySelector('#box');
    ${renderRows('box.scrollTop', 'box.clientHeight')}
    box.onscroll = render;
    render();</script>`,
  ),
};

function sendList(exchange: Exchange): void {
  const html = LISTS[exchange.params.name ?? ''];
  if (html === undefined) throw new Error(`There is no list ${exchange.params.name}.`);
  sendHtml(exchange, html);
}

/** Sends the numbers of the next items after `?from=`, of `?of=` in all. */
function sendItems({ response, query }: Exchange): void {
  const [from, count] = [Number(query.get('from')), Number(query.get('of'))];
  const last = Math.min(from + ITEMS_AT_ONCE, count);
  const items = Array.from({ length: Math.max(0, last - from) }, (_, index) => from + index + 1);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ items, hasMore: last < count }));
}
