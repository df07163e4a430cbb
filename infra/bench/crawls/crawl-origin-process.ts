/**
 * Serves a site from a process of its own: page n (at `/<n>`) is a real page whose links lead to pages of this site. Every
 * page can be reached from page 0. Takes the number of pages from BENCH_PAGES; with `small` in BENCH_PAGE_SIZE, pages are of
 * about 2 KiB with 20 links. Reports its port and the mean size.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { readBenchDocuments } from '../extraction/bench-documents.ts';

const MAX_DOCUMENTS = 600;
const SIZES = { min: 15_000, max: 130_000 };
const LINKS_A_SMALL_PAGE = 20;
const HREF = /(<a\b[^>]*?\bhref=")[^"]*"/g;
/** A link that only some crawlers follow. */
const NEXT = /<link rel="next"[^>]*>/g;

const { BENCH_PAGES = '0', BENCH_PAGE_SIZE = 'real' } = process.env;
const count = Number(BENCH_PAGES);

/** A document, cut where the address of a link goes. */
type Template = readonly string[];

const templates = BENCH_PAGE_SIZE === 'small' ? [smallTemplate()] : realTemplates();

function realTemplates(): Template[] {
  return readBenchDocuments(resolve(import.meta.dirname, '../../..'), MAX_DOCUMENTS)
    .filter(({ length }) => length >= SIZES.min && length <= SIZES.max)
    .map((html) => html.replace(NEXT, '').replace(HREF, '$1\0"').split('\0'));
}

function smallTemplate(): Template {
  const item = '<li><a href="\0">An entry of the list</a> with a few words about it, as lists have.</li>';
  const list = item.repeat(LINKS_A_SMALL_PAGE);
  return `<!doctype html><title>A page</title><h1>A page</h1><ul>${list}</ul>`.split('\0');
}

/** Returns the page; its first links lead to its children in a tree of all pages, the others anywhere. */
function render(page: number): Buffer {
  const template = templates[page % templates.length] ?? [];
  const children = [page * 2 + 1, page * 2 + 2].filter((child) => child < count);
  const links = template.slice(1).map((_, link) => children[link] ?? (page * 31 + link * link * 17) % count);
  return Buffer.from(
    template.map((part, index) => (index === 0 ? part : `/${links[index - 1]}${part}`)).join(''),
  );
}

const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
  const page = Number(request.url?.slice(1) || '0');
  const body = Number.isInteger(page) && page >= 0 && page < count ? render(page) : undefined;
  response.writeHead(body ? 200 : 404, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body?.length ?? 0,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const sizes = templates.map((_, index) => render(index).length);
  const meanBytes = Math.round(sizes.reduce((sum, length) => sum + length, 0) / sizes.length);
  process.send?.({ type: 'ready', ports: { http: port, meanBytes } });
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
