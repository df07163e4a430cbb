import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Exchange, type OriginRoute, page } from '../behaviour.ts';

/** Documents compressed in every way that a client accepts, and in some that it does not. */
export const ENCODING_ROUTES: readonly OriginRoute[] = [
  { path: '/compressed/:coding', behaviour: compressed },
  { path: '/compressed-badly/:coding', behaviour: compressedBadly },
  { path: '/compressed-cut/:coding', behaviour: compressedCut },
  { path: '/charset/:charset', behaviour: charset },
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

/** Says that it is compressed, and is not. */
function compressedBadly({ response, params }: Exchange): void {
  const { header } = compressorFor(params.coding);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': header });
  response.end(TEXT);
}

/** Ends in the middle of the compressed data, as a whole HTTP message. */
function compressedCut({ response, params }: Exchange): void {
  const { header, compress } = compressorFor(params.coding);
  const bytes = compress(Buffer.from(TEXT));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': header });
  response.end(bytes.subarray(0, Math.floor(bytes.length / 2)));
}

/** Sends the bytes of `?hex=` under the charset that the path names; `none` names none. */
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
