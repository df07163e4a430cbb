import type { Exchange, OriginRoute } from '../behavior.ts';

/** Responses that repeat parts of the request. */
export const ECHO_ROUTES: readonly OriginRoute[] = [
  { path: '/echo', behavior: echo },
  { path: '/cookies/set', behavior: setCookies },
  { path: '/type', behavior: typed },
];

/** The request as JSON. */
function echo({ request, response, body }: Exchange): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      method: request.method,
      url: request.url,
      httpVersion: request.httpVersion,
      headers: request.headers,
      body: body.toString(),
    }),
  );
}

/** Sets every cookie of `?cookie=` unchanged and redirects to `?to=`. */
function setCookies({ response, query }: Exchange): void {
  response.writeHead(302, { 'set-cookie': query.getAll('cookie'), location: query.get('to') ?? '/echo' });
  response.end();
}

/** Sends the bytes of `?hex=` with the Content-Type of `?as=` and the Content-Encoding of `?coding=`, if they are given. */
function typed({ response, query }: Exchange): void {
  const [type, coding] = [query.get('as'), query.get('coding')];
  response.writeHead(200, {
    ...(type !== null && { 'content-type': type }),
    ...(coding !== null && { 'content-encoding': coding }),
  });
  response.end(Buffer.from(query.get('hex') ?? '', 'hex'));
}
