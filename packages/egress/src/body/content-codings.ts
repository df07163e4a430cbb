import type { Transform } from 'node:stream';
import {
  constants,
  crc32,
  createBrotliDecompress,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  type ZlibOptions,
} from 'node:zlib';

/** Passes input to a decompression engine and returns its output. */
export type Feed = (engine: Transform, bytes: Buffer) => AsyncIterable<Buffer>;

const MAGIC = [0x1f, 0x8b] as const;
const DEFLATE = 8;
const TRAILER_BYTES = 8;
const FIXED_BYTES = 10;
const FLAGS = { headerSum: 0x02, extra: 0x04, name: 0x08, comment: 0x10, reserved: 0xe0 };

/** Each member takes time, however little it holds. */
const MAX_MEMBERS = 10_000;

/**
 * Decompresses all members of gzip data (RFC 1952). Like browsers and unlike node, it ignores bytes after the last one.
 * Throws Z_DATA_ERROR for a corrupt member or too many members, and Z_BUF_ERROR for a truncated one.
 */
export async function* gunzipMembers(
  bytes: Buffer,
  options: ZlibOptions,
  feed: Feed,
): AsyncGenerator<Buffer> {
  let rest = bytes;
  for (let count = 0; count === 0 || isGzip(rest); count += 1) {
    if (count >= MAX_MEMBERS) throw corrupt();
    const deflated = rest.subarray(headerLength(rest));
    const engine = createInflateRaw(options);
    let sum = 0;
    let size = 0;
    for await (const chunk of feed(engine, deflated)) {
      sum = crc32(chunk, sum);
      size += chunk.length;
      yield chunk;
    }
    const trailer = deflated.subarray(engine.bytesWritten);
    if (trailer.length < TRAILER_BYTES) throw truncated();
    if (trailer.readUInt32LE(0) !== sum || trailer.readUInt32LE(4) !== size % 2 ** 32) throw corrupt();
    rest = trailer.subarray(TRAILER_BYTES);
  }
}

/** Returns true if the bytes begin as gzip data does. */
export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === MAGIC[0] && bytes[1] === MAGIC[1];
}

/** Returns the length of a member's header in bytes (section 2.3). */
function headerLength(bytes: Buffer): number {
  if (!isGzip(bytes)) throw corrupt();
  if (bytes.length < FIXED_BYTES) throw truncated();
  const flags = bytes[3] ?? 0;
  if (bytes[2] !== DEFLATE || flags & FLAGS.reserved) throw corrupt();
  let length = FIXED_BYTES;
  if (flags & FLAGS.extra) {
    if (bytes.length < length + 2) throw truncated();
    length += 2 + bytes.readUInt16LE(length);
  }
  if (flags & FLAGS.name) length = afterZero(bytes, length);
  if (flags & FLAGS.comment) length = afterZero(bytes, length);
  if (flags & FLAGS.headerSum) {
    if (bytes.length < length + 2) throw truncated();
    if (bytes.readUInt16LE(length) !== crc32(bytes.subarray(0, length)) % 2 ** 16) throw corrupt();
    length += 2;
  }
  return length;
}

function afterZero(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  if (end === -1) throw truncated();
  return end + 1;
}

function corrupt(): Error {
  return Object.assign(new Error('not gzip, or corrupt'), { code: 'Z_DATA_ERROR' });
}

function truncated(): Error {
  return Object.assign(new Error('truncated gzip'), { code: 'Z_BUF_ERROR' });
}

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
