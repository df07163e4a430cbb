import { type Exchange, type OriginRoute, page } from '../behavior.ts';

/** Responses by status. */
export const STATUS_ROUTES: readonly OriginRoute[] = [
  { path: '/status/:code', behavior: withStatus },
  { path: '/flaky/:failures/:token', behavior: flaky },
  { path: '/checks/:code', behavior: checked },
  { path: '/rate-limited', behavior: rateLimited },
  { path: '/rate-limited-then-fine/:token', behavior: rateLimitedThenFine },
];

/** The status of the path, with `?retry-after=` when given. */
function withStatus({ response, params, query }: Exchange): void {
  const code = Number(params.code);
  const retryAfter = query.get('retry-after');
  response.writeHead(code, {
    'content-type': 'text/html; charset=utf-8',
    ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
  });
  response.end([204, 205, 304].includes(code) ? undefined : page(`Status ${code}`, `<h1>${code}</h1>`));
}

/** Answers 503 the given number of times for each token, then a page. */
function flaky({ response, params, visit }: Exchange): void {
  const isDown = visit <= Number(params.failures);
  response.writeHead(isDown ? 503 : 200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(page(isDown ? 'Down' : 'Up', `<h1>${isDown ? 'Down' : 'Up'}</h1>`));
}

/** Answers with the status, and a cookie that opens the page, until the cookie comes back. */
function checked({ request, response, params }: Exchange): void {
  const isOpen = request.headers.cookie?.includes('checked=yes') === true;
  response.writeHead(isOpen ? 200 : Number(params.code), {
    'content-type': 'text/html; charset=utf-8',
    ...(!isOpen && { 'set-cookie': 'checked=yes; Path=/' }),
  });
  response.end(page(isOpen ? 'Open' : 'Checking', `<h1>${isOpen ? 'Open' : 'Checking'}</h1>`));
}

function rateLimited({ response, query }: Exchange): void {
  response.writeHead(429, { 'retry-after': query.get('seconds') ?? '120', 'content-type': 'text/plain' });
  response.end('Too many requests');
}

/** Answers 429 with a Retry-After of one second at the first request for each token, then a page. */
function rateLimitedThenFine({ response, visit }: Exchange): void {
  response.writeHead(visit === 1 ? 429 : 200, {
    'content-type': 'text/html; charset=utf-8',
    ...(visit === 1 ? { 'retry-after': '1' } : {}),
  });
  response.end(page(visit === 1 ? 'Slow down' : 'Welcome', ''));
}
