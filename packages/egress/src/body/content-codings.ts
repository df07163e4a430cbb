import {
  constants,
  createBrotliDecompress,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { type Feed, gunzipMembers } from './gunzip-members.ts';

/** More than any server applies on purpose. */
export const MAX_CODINGS = 3;

/** Each chunk costs a turn of the event loop; zlib's default of 16 KiB makes 640 chunks of a large page. */
const OPTIONS = { chunkSize: 65_536 };

/** Browsers allow a window of at most 8 MiB (RFC 9659). */
const ZSTD_OPTIONS = { ...OPTIONS, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** Decodes chunk by chunk; throws zlib's error for invalid data. */
export type Decoder = (bytes: Buffer, feed: Feed) => AsyncIterable<Buffer>;

/** Feeds a complete body. */
export const feedWhole: Feed = (engine, bytes) => engine.end(bytes);

/** Feeds the beginning of a body: the engine decodes what it can and does not report that the rest is missing. */
export const feedBeginning: Feed = (engine, bytes) => {
  engine.write(bytes, () => engine.push(null));
  return engine;
};

/** Decoders by content coding (RFC 9110 section 8.4.1, RFC 7932, RFC 8878). */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: decodeGzip,
  'x-gzip': decodeGzip,
  // Some servers send raw deflate data instead of zlib's format; the first byte tells (RFC 1950 section 2.2).
  deflate: (bytes, feed) =>
    feed((bytes[0] ?? 0) % 16 === 8 ? createInflate(OPTIONS) : createInflateRaw(OPTIONS), bytes),
  br: (bytes, feed) => feed(createBrotliDecompress(OPTIONS), bytes),
  zstd: (bytes, feed) => feed(createZstdDecompress(ZSTD_OPTIONS), bytes),
};

/** Returns the decoders in the order in which they apply. As in browsers, an unknown coding leaves the body unchanged. */
export function decodersFor(contentEncoding: string | undefined): Decoder[] {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const decoders = codings.map((coding) => (Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined));
  return decoders.every((decoder) => decoder !== undefined) ? decoders.toReversed() : [];
}

/** Decodes gzip data. */
export function decodeGzip(bytes: Buffer, feed: Feed): AsyncIterable<Buffer> {
  return gunzipMembers(bytes, OPTIONS, feed);
}
