import {
  constants,
  createBrotliDecompress,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { type Feed, gunzipMembers } from './gunzip-members.ts';

/** No server compresses more often on purpose. */
export const MAX_CODINGS = 3;

/** Each piece costs a turn of the event loop; zlib's own 16 KiB make 640 of a large page. */
const OPTIONS = { chunkSize: 65_536 };

/** A window of 8 MiB is all that a browser grants a page (RFC 9659). */
const ZSTD_OPTIONS = { ...OPTIONS, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** Undoes a coding piece by piece; throws zlib's error where it cannot. */
export type Decoder = (bytes: Buffer, feed: Feed) => AsyncIterable<Buffer>;

/** For bytes that are all there is. */
export const feedWhole: Feed = (engine, bytes) => engine.end(bytes);

/** For bytes that more may follow: the engine gives what they hold, and misses nothing. */
export const feedBeginning: Feed = (engine, bytes) => {
  engine.write(bytes, () => engine.push(null));
  return engine;
};

/** Content codings (RFC 9110 section 8.4.1, RFC 7932, RFC 8878) and what undoes them. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // Some servers send raw deflate data where zlib's is meant; the first byte tells (RFC 1950 section 2.2).
  deflate: (bytes, feed) =>
    feed((bytes[0] ?? 0) % 16 === 8 ? createInflate(OPTIONS) : createInflateRaw(OPTIONS), bytes),
  br: (bytes, feed) => feed(createBrotliDecompress(OPTIONS), bytes),
  zstd: (bytes, feed) => feed(createZstdDecompress(ZSTD_OPTIONS), bytes),
};

/** The decoders in the order in which they apply. Like browsers, a coding that nobody knows leaves the body as it is. */
export function decodersFor(contentEncoding: string | undefined): Decoder[] {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const decoders = codings.map((coding) => (Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined));
  return decoders.every((decoder) => decoder !== undefined) ? decoders.toReversed() : [];
}

function gunzip(bytes: Buffer, feed: Feed): AsyncIterable<Buffer> {
  return gunzipMembers(bytes, OPTIONS, feed);
}
