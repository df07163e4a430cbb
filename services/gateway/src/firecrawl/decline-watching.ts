import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const WATCHED = /^(?:\/firecrawl)?\/v2\/(?:crawl|batch\/scrape)\/[^/?]+$/;
const KEY = /^[\w+/]{22}==$/;

/** Returns whether a request asks for the WebSocket by which Firecrawl's SDK watches a job. */
export function asksToWatch({ method, url = '', headers }: IncomingMessage): boolean {
  const isWebSocket =
    headers.upgrade?.toLowerCase() === 'websocket' && KEY.test(headers['sec-websocket-key'] ?? '');
  return isWebSocket && method === 'GET' && WATCHED.test(url);
}

/** Constant of the handshake (RFC 6455, section 1.3). */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** A frame that closes the WebSocket normally (sections 5.5.1 and 7.4.1). */
const CLOSE = Buffer.from([0x88, 0x02, 0x03, 0xe8]);
const TIMEOUT_MS = 5000;

/**
 * Opens the WebSocket and closes it at once: the SDK then reads the job at intervals, with its key. A handshake that fails
 * would end its watcher. Nothing of the job is said here, so that no key is asked for; the SDK sends it as the name of a
 * protocol, which the answer has to repeat.
 */
export function declineWatching({ headers }: IncomingMessage, socket: Duplex): void {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64');
  const [protocol] = /^[\w.~+-]+/.exec(headers['sec-websocket-protocol'] ?? '') ?? [];
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    ...['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`],
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  socket.on('error', () => {});
  const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), CLOSE]));
}
