/** Serves real pages from a process of its own: `/<n>` is one of them, in turn. Reports its port and the mean size. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { readBenchDocuments } from '../extraction/bench-documents.ts';

const MAX_DOCUMENTS = 600;
const SIZES = { min: 15_000, max: 130_000 };

const pages = readBenchDocuments(resolve(import.meta.dirname, '../../..'), MAX_DOCUMENTS)
  .map((html) => Buffer.from(html))
  .filter(({ length }) => length >= SIZES.min && length <= SIZES.max);
const meanBytes = Math.round(pages.reduce((sum, { length }) => sum + length, 0) / pages.length);

const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
  const page = pages[Number(request.url?.slice(1)) % pages.length];
  response.writeHead(page ? 200 : 404, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': page?.length ?? 0,
  });
  response.end(page);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'ready', ports: { http: port, meanBytes } });
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
