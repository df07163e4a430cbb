import type { Exchange, OriginRoute } from '../behaviour.ts';

/** Lies about how long the body is. */
export const LENGTH_ROUTES: readonly OriginRoute[] = [
  {
    isRaw: true,
    path: '/length/too-long',
    behaviour: ({ wire }) => void wire.end(message('1000', '<title>Short</title>')),
  },
  {
    isRaw: true,
    path: '/length/too-short',
    behaviour: tooShort,
  },
  {
    isRaw: true,
    path: '/length/huge',
    behaviour: ({ wire }) => void wire.write(message('99999999999', '<title>Huge</title>')),
  },
  {
    path: '/length/negative',
    behaviour: ({ wire }) => void wire.end(message('-1', '<title>Minus</title>')),
    isRaw: true,
  },
  { path: '/length/two', behaviour: twoLengths, isRaw: true },
  { path: '/length/with-chunks', behaviour: lengthWithChunks, isRaw: true },
  { path: '/length/second-response', behaviour: secondResponse, isRaw: true },
];

/** More than was announced; the connection stays open unless `?connection=close` says otherwise. */
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

/** Chunked and with a length at once, as response splitting needs it. */
function lengthWithChunks({ wire }: Exchange): void {
  wire.end(
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  );
}

/** A second answer behind the first, for whoever asks next on this connection. */
function secondResponse({ wire }: Exchange): void {
  wire.write(`${message('5', 'first')}${message('6', 'forged')}`);
}
