import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** No server compresses more often on purpose. */
export const MAX_CODINGS = 3;

/** Each piece costs a turn of the event loop; zlib's own 16 KiB make 640 of a large page. */
const OPTIONS = { chunkSize: 65_536 };

/** A window of 8 MiB is all that a browser grants a page (RFC 9659). */
const ZSTD_OPTIONS = { ...OPTIONS, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** Makes a stream that undoes a coding, by how the body begins. */
export type Decoder = (bytes: Buffer) => Transform;

/** Content codings (RFC 9110 section 8.4.1, RFC 7932, RFC 8878) and what undoes them. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: () => createGunzip(OPTIONS),
  'x-gzip': () => createGunzip(OPTIONS),
  // Some servers send raw deflate data where zlib's is meant; the first byte tells (RFC 1950 section 2.2).
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? createInflate(OPTIONS) : createInflateRaw(OPTIONS)),
  br: () => createBrotliDecompress(OPTIONS),
  zstd: () => createZstdDecompress(ZSTD_OPTIONS),
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
