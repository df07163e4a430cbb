import { gzipSync } from 'node:zlib';
import { type Exchange, type OriginRoute, page } from '../behavior.ts';

/** Error statuses with a body that is broken, too. */
export const BAD_FAILURE_ROUTES: readonly OriginRoute[] = [{ path: '/failing/:code/:fault', behavior: fail }];

const TEXT = page('No', `<h1>Nothing for you</h1>${'<p>The same words again.</p>'.repeat(100)}`);
const GZIPPED = gzipSync(TEXT);

/** Writes the part of a body that is sent at all. */
type Fault = (exchange: Exchange, head: (headers: Record<string, string>) => void) => void;

const FAULTS: Readonly<Record<string, Fault>> = {
  'long-by-length'(exchange, head) {
    head({ 'content-length': '11534336' });
    pour(exchange);
  },
  endless(exchange, head) {
    head({});
    pour(exchange);
  },
  'gzip-broken': ({ response }, head) => {
    head({ 'content-encoding': 'gzip' });
    response.end(TEXT);
  },
  'gzip-cut': ({ response }, head) => {
    head({ 'content-encoding': 'gzip' });
    response.end(GZIPPED.subarray(0, GZIPPED.length - 12));
  },
  'gzip-many': ({ response }, head) => {
    head({ 'content-encoding': 'gzip, gzip, gzip, gzip' });
    response.end(TEXT);
  },
  cut({ response, wire }, head) {
    head({ 'content-length': '100000' });
    response.write(TEXT);
    setImmediate(() => wire.destroy());
  },
  reset({ response, connection }, head) {
    head({ 'content-length': '100000' });
    response.write(TEXT);
    setImmediate(() => connection.resetAndDestroy());
  },
  stall({ response }, head) {
    head({ 'content-length': '100000' });
    response.write(TEXT);
  },
};

/** Sends the status of the path with the broken body of the path, and `?retry-after=` if given. */
function fail(exchange: Exchange): void {
  const { response, params, query } = exchange;
  const retryAfter = query.get('retry-after');
  const head = (headers: Record<string, string>) => {
    response.writeHead(Number(params.code), {
      'content-type': 'text/html; charset=utf-8',
      ...(retryAfter !== null && { 'retry-after': retryAfter }),
      ...headers,
    });
  };
  FAULTS[params.fault ?? '']?.(exchange, head);
}

function pour({ response, wire }: Pick<Exchange, 'response' | 'wire'>): void {
  while (!wire.destroyed && response.write(TEXT));
  if (!wire.destroyed) response.once('drain', () => pour({ response, wire }));
}
