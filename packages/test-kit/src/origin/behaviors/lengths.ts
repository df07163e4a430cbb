import type { Exchange, OriginRoute } from '../behavior.ts';

/** Responses with a wrong length of the body. */
export const LENGTH_ROUTES: readonly OriginRoute[] = [
  {
    isRaw: true,
    path: '/length/too-long',
    behavior: ({ wire }) => void wire.end(message('1000', '<title>Short</title>')),
  },
  {
    isRaw: true,
    path: '/length/too-short',
    behavior: tooShort,
  },
  {
    isRaw: true,
    path: '/length/huge',
    behavior: ({ wire }) => void wire.write(message('99999999999', '<title>Huge</title>')),
  },
  {
    path: '/length/negative',
    behavior: ({ wire }) => void wire.end(message('-1', '<title>Minus</title>')),
    isRaw: true,
  },
  { path: '/length/two', behavior: twoLengths, isRaw: true },
  { path: '/length/with-chunks', behavior: lengthWithChunks, isRaw: true },
  { path: '/length/second-response', behavior: secondResponse, isRaw: true },
];

/** Sends more than was announced; keeps the connection open unless `?connection=close` is given. */
function tooShort({ wire, query }: Exchange): void {
  const connection = query.get('connection') ?? 'keep-alive';
  wire.write(message(`7\r\nConnection: ${connection}`, '<title>Cut here</title>'));
}

function message(length: string, body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** Two lengths that differ (RFC 9112 section 6.3: an error). */
function twoLengths({ wire }: Exchange): void {
  wire.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello, and');
}

/** Sends a Content-Length with a chunked body, as response splitting does. */
function lengthWithChunks({ wire }: Exchange): void {
  wire.end(
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  );
}

/** Sends a second response behind the first, which answers the next request on this connection. */
function secondResponse({ wire }: Exchange): void {
  wire.write(`${message('5', 'first')}${message('6', 'forged')}`);
}
