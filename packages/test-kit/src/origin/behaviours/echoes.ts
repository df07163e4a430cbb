import type { Exchange, OriginRoute } from '../behaviour.ts';

/** Answers that show what the client sent. */
export const ECHO_ROUTES: readonly OriginRoute[] = [
  { path: '/echo', behaviour: echo },
  { path: '/cookies/set', behaviour: setCookies },
  { path: '/type', behaviour: typed },
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

/** Sets every cookie of `?cookie=` as it stands there, and sends the client to `?to=`. */
function setCookies({ response, query }: Exchange): void {
  response.writeHead(302, { 'set-cookie': query.getAll('cookie'), location: query.get('to') ?? '/echo' });
  response.end();
}

/** Sends the bytes of `?hex=` under the Content-Type of `?as=`; without it, under none. */
function typed({ response, query }: Exchange): void {
  const type = query.get('as');
  response.writeHead(200, type === null ? {} : { 'content-type': type });
  response.end(Buffer.from(query.get('hex') ?? '', 'hex'));
}
