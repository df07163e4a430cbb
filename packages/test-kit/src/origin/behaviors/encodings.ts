import {
  brotliCompressSync,
  crc32,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { type Exchange, type OriginRoute, page } from '../behavior.ts';

/** Documents in every content coding of the client, and in some it does not accept. */
export const ENCODING_ROUTES: readonly OriginRoute[] = [
  { path: '/compressed/:coding', behavior: compressed },
  { path: '/compressed-badly/:coding', behavior: compressedBadly },
  { path: '/compressed-cut/:coding', behavior: compressedCut },
  { path: '/compressed-members/:kind', behavior: compressedMembers },
  { path: '/charset/:charset', behavior: charset },
];

const TEXT = page('Compressed', `<h1>Unpacked</h1>${'<p>The same words again.</p>'.repeat(100)}`);

type Compress = (bytes: Uint8Array) => Uint8Array;

const COMPRESSORS: Readonly<Record<string, { readonly header: string; readonly compress: Compress }>> = {
  gzip: { header: 'gzip', compress: (bytes) => gzipSync(bytes) },
  'x-gzip': { header: 'x-gzip', compress: (bytes) => gzipSync(bytes) },
  deflate: { header: 'deflate', compress: (bytes) => deflateSync(bytes) },
  'deflate-raw': { header: 'deflate', compress: (bytes) => deflateRawSync(bytes) },
  br: { header: 'br', compress: (bytes) => brotliCompressSync(bytes) },
  zstd: { header: 'zstd', compress: (bytes) => zstdCompressSync(bytes) },
  twice: { header: 'gzip, br', compress: (bytes) => brotliCompressSync(gzipSync(bytes)) },
  identity: { header: 'identity', compress: (bytes) => bytes },
  unknown: { header: 'utf-8', compress: (bytes) => bytes },
  'five-times': { header: 'gzip, gzip, gzip, gzip, gzip', compress: (bytes) => bytes },
};

function compressed({ response, params }: Exchange): void {
  const { header, compress } = compressorFor(params.coding);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': header });
  response.end(compress(Buffer.from(TEXT)));
}

/** Names a content coding and sends plain text. */
function compressedBadly({ response, params }: Exchange): void {
  const { header } = compressorFor(params.coding);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': header });
  response.end(TEXT);
}

/** Sends a complete HTTP message whose compressed data is cut off. */
function compressedCut({ response, params }: Exchange): void {
  const { header, compress } = compressorFor(params.coding);
  const bytes = compress(Buffer.from(TEXT));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': header });
  response.end(bytes.subarray(0, Math.floor(bytes.length / 2)));
}

const MEMBERS: Readonly<Record<string, () => Uint8Array>> = {
  two: () => Buffer.concat([gzipSync(TEXT.slice(0, 1_000)), gzipSync(TEXT.slice(1_000))]),
  'two-one-cut': () => Buffer.concat([gzipSync(TEXT), gzipSync(TEXT).subarray(0, 40)]),
  'and-newline': () => Buffer.concat([gzipSync(TEXT), Buffer.from('\n')]),
  'and-letters': () => Buffer.concat([gzipSync(TEXT), Buffer.from('abc')]),
  'and-zeros': () => Buffer.concat([gzipSync(TEXT), Buffer.alloc(100)]),
  'wrong-sum': () => gzipSync(TEXT).map((byte, index, all) => (index === all.length - 8 ? byte ^ 1 : byte)),
  'wrong-size': () => gzipSync(TEXT).map((byte, index, all) => (index === all.length - 1 ? byte ^ 1 : byte)),
  'all-header-fields': () => withHeaderFields(gzipSync(TEXT)),
};

/** Valid and invalid gzip (RFC 1952). */
function compressedMembers({ response, params }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' });
  response.end(MEMBERS[params.kind ?? '']?.());
}

/** A member with an extra field, a name, a comment and a checksum in its header. */
function withHeaderFields(member: Buffer): Buffer {
  const fixed = Buffer.from(member.subarray(0, 10));
  fixed[3] = 0x1e;
  const header = Buffer.concat([fixed, Buffer.from('\x04\x00extrname\0comment\0', 'latin1')]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc32(header) % 2 ** 16);
  return Buffer.concat([header, sum, member.subarray(10)]);
}

/** Sends the bytes of `?hex=` with the charset of the path; `none` leaves the charset out. */
function charset({ response, params, query }: Exchange): void {
  const label = params.charset === 'none' ? '' : `; charset=${params.charset}`;
  response.writeHead(200, { 'content-type': `text/html${label}` });
  response.end(Buffer.from(query.get('hex') ?? '', 'hex'));
}

function compressorFor(coding = '') {
  const compressor = COMPRESSORS[coding];
  if (!compressor) throw new Error(`No compressor is called ${coding}.`);
  return compressor;
}
