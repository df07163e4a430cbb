import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** Valid redirects, loops and invalid locations. */
export const REDIRECT_ROUTES: readonly OriginRoute[] = [
  { path: '/redirect/:status', behavior: redirect },
  { path: '/redirect-times/:count', behavior: redirectTimes },
  { path: '/redirect-loop', behavior: ({ response }) => sendTo(response, 302, '/redirect-loop-back') },
  { path: '/redirect-loop-back', behavior: ({ response }) => sendTo(response, 302, '/redirect-loop') },
  { path: '/redirect-without-location', behavior: ({ response }) => sendTo(response, 302) },
  { path: '/redirect-with-endless-body', behavior: redirectWithEndlessBody },
];

/** Redirects to `?to=` with the status of the path; `?raw=` gives the header's bytes in hex. */
function redirect({ response, params, query }: Exchange): void {
  const raw = query.get('raw');
  const location = raw === null ? (query.get('to') ?? '/') : Buffer.from(raw, 'hex').toString('latin1');
  sendTo(response, Number(params.status), location);
}

/** Redirects the given number of times, then sends a page. */
function redirectTimes(exchange: Exchange): void {
  const count = Number(exchange.params.count);
  if (count === 0) sendHtml(exchange, page('Arrived', '<h1>Arrived</h1>'));
  else sendTo(exchange.response, 302, `/redirect-times/${count - 1}`);
}

/** A redirect whose body never ends; a client need not read it. */
function redirectWithEndlessBody({ response }: Exchange): void {
  response.writeHead(302, { location: '/', 'content-type': 'text/html' });
  response.write('<p>Moved, and more to say.');
}

function sendTo(response: Exchange['response'], status: number, location?: string): void {
  response.writeHead(status, location === undefined ? {} : { location });
  response.end('Moved');
}
