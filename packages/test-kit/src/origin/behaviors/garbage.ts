import { createHash } from 'node:crypto';
import type { Exchange, OriginRoute } from '../behavior.ts';

/** Responses that are not valid HTTP. */
export const GARBAGE_ROUTES: readonly OriginRoute[] = [
  { path: '/garbage/bytes', behavior: ({ wire }) => void wire.end(noise(4_096)), isRaw: true },
  { path: '/garbage/ssh', behavior: ({ wire }) => void wire.end('SSH-2.0-OpenSSH_9.6\r\n'), isRaw: true },
  {
    path: '/garbage/status-line',
    behavior: ({ wire }) => void wire.end('HTTP/1.1 banana\r\n\r\n'),
    isRaw: true,
  },
  { path: '/garbage/chunk-size', behavior: garbageChunkSize, isRaw: true },
  {
    isRaw: true,
    path: '/garbage/header-bytes',
    behavior: ({ wire }) => void wire.end('HTTP/1.1 200 OK\r\nX-\u0000: y\r\n\r\n'),
  },
  { path: '/garbage/many-continues', behavior: manyContinues, isRaw: true },
  { path: '/header-flood', behavior: headerFlood, isRaw: true },
  { path: '/header-giant', behavior: headerGiant, isRaw: true },
];

function garbageChunkSize({ wire }: Exchange): void {
  wire.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nbanana\r\nhello\r\n0\r\n\r\n');
}

/** Interim responses (RFC 9110 section 15.2) without end, and never a final one. */
function manyContinues({ wire }: Exchange): void {
  const timer = setInterval(() => wire.write('HTTP/1.1 100 Continue\r\n\r\n'), 5);
  wire.once('close', () => clearInterval(timer));
}

/** Header lines without end, as long as the client reads them. */
function headerFlood({ wire }: Exchange): void {
  wire.write('HTTP/1.1 200 OK\r\n');
  const line = `X-Flood: ${'y'.repeat(1_000)}\r\n`;
  const pour = () => {
    while (!wire.destroyed && wire.write(line));
  };
  wire.on('drain', pour);
  pour();
}

/** One header of a mebibyte. */
function headerGiant({ wire }: Exchange): void {
  wire.end(`HTTP/1.1 200 OK\r\nX-Giant: ${'y'.repeat(1_048_576)}\r\n\r\nhello`);
}

/** Pseudorandom bytes, the same every time. */
function noise(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`noise ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}
