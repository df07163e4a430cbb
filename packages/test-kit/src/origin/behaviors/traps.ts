import { calendar, endlessPages, facets } from '../../hostile-sites/endless-sites.ts';
import type { HostileSite } from '../../hostile-sites/hostile-reply.ts';
import { type Behavior, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** Pages that lead a crawler on without end, and a link invisible to visitors. */
export const TRAP_ROUTES: readonly OriginRoute[] = [
  { path: '/calendar/:year/:month', behavior: trap(calendar) },
  { path: '/calendar/:year/:month/:day', behavior: trap(calendar) },
  { path: '/list', behavior: trap(endlessPages) },
  { path: '/goods', behavior: trap(facets) },
  { path: '/honeypot', behavior: (exchange) => sendHtml(exchange, HONEYPOT) },
];

const HONEYPOT = page(
  'Kettles',
  `<h1>Kettles</h1><a href="/product/1">Kettle</a> <a href="/product/2">Teapot</a>
  <a href="/honeypot?hidden" style="display:none" rel="nofollow">Do not follow</a>`,
);

function trap(site: HostileSite): Behavior {
  return ({ request, response, visit }) => {
    const url = new URL(request.url ?? '/', 'http://origin');
    const reply = site({ url, number: visit });
    if (!reply || !('body' in reply)) throw new Error(`The trap has no page ${url.pathname}.`);
    response.writeHead(200, { 'content-type': reply.type });
    response.end(reply.body);
  };
}
