import { once as whenEmitted } from 'node:events';
import { constants, createBrotliCompress, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Exchange, OriginRoute } from '../behavior.ts';

/** Bodies that are small when compressed and huge in memory, and endless ones. */
export const BOMB_ROUTES: readonly OriginRoute[] = [
  { path: '/bomb/br', behavior: async ({ response }) => sendBomb(response, 'br', await brotliBomb()) },
  { path: '/bomb/gzip', behavior: ({ response }) => sendBomb(response, 'gzip', gzipBomb()) },
  { path: '/bomb/zstd', behavior: ({ response }) => sendBomb(response, 'zstd', zstdBomb()) },
  { path: '/endless', behavior: endless },
];

const MEBIBYTE = 1_048_576;

// Compression takes seconds, and the result is always the same.
const brotliBomb = once(makeBrotliBomb);
const gzipBomb = once(() => repeated(gzipSync));
const zstdBomb = once(() => repeated(zstdCompressSync));

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A gibibyte of zeros in under 900 bytes. */
async function makeBrotliBomb(): Promise<Buffer> {
  const compressor = createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  const chunks: Buffer[] = [];
  compressor.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Each write waits for a thread, which is long on a busy machine.
  const zeros = Buffer.alloc(64 * MEBIBYTE);
  for (let count = 0; count < 16; count += 1) {
    if (!compressor.write(zeros)) await whenEmitted(compressor, 'drain');
  }
  compressor.end();
  await whenEmitted(compressor, 'end');
  return Buffer.concat(chunks);
}

/** A gibibyte of zeros as 64 compressed members in a row. */
function repeated(compress: (bytes: Buffer) => Buffer): Buffer {
  const member = compress(Buffer.alloc(16 * MEBIBYTE));
  return Buffer.concat(Array.from({ length: 64 }, () => member));
}

function sendBomb(response: Exchange['response'], coding: string, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding });
  response.end(bytes);
}

/** Bytes without end, as long as the client reads them. */
async function endless({ response, wire }: Exchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html' });
  const chunk = Buffer.alloc(65_536, '<p>more</p>');
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  while (!wire.destroyed) {
    if (response.write(chunk)) continue;
    await Promise.race([new Promise<void>((resolve) => response.once('drain', resolve)), closed]);
  }
}
