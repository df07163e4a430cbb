/**
 * Serves a site from a process of its own: page n (at `/<n>`) is one of some hundred real pages, documentation and
 * newspapers in turn. With a number of
 * pages in LINKED_PAGES, their links lead to pages of this site, and each can be reached from page 0. Every answer takes
 * DELAY_MS. Reports its port and the mean size of its pages.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { readArticles, readDocuments } from '@gleaner/test-kit';

const MAX_DOCUMENTS = 600;
const SIZES = { min: 15_000, max: 130_000 };
const HREF = /(<a\b[^>]*?\bhref=")[^"]*"/g;
/** A link that only some crawlers follow. */
const NEXT = /<link rel="next"[^>]*>/g;

const isUsual = ({ length }: string) => length >= SIZES.min && length <= SIZES.max;
const articles = readArticles().filter(isUsual);
const documents = readDocuments(resolve(import.meta.dirname, '../../..'), MAX_DOCUMENTS)
  .filter(isUsual)
  .slice(0, articles.length)
  .flatMap((html, index) => [html, articles[index] ?? html]);
const { LINKED_PAGES, DELAY_MS = '0' } = process.env;
const delayMs = Number(DELAY_MS);
const site = LINKED_PAGES === undefined ? servesAlone() : servesLinked(Number(LINKED_PAGES));

/** Returns the page of a number, or undefined when the site has none. */
type Site = (page: number) => Buffer | undefined;

function servesAlone(): Site {
  const pages = documents.map((html) => Buffer.from(html));
  return (page) => pages[page % pages.length];
}

/** The first links of a page lead to its children in a tree of all pages, the others anywhere. */
function servesLinked(count: number): Site {
  const templates = documents.map((html) => html.replace(NEXT, '').replace(HREF, '$1\0"').split('\0'));
  return (page) => {
    if (!(page >= 0 && page < count)) return undefined;
    const [start = '', ...parts] = templates[page % templates.length] ?? [];
    const children = [page * 2 + 1, page * 2 + 2].filter((child) => child < count);
    const target = (link: number) => children[link] ?? (page * 31 + link * link * 17) % count;
    return Buffer.from(start + parts.map((part, link) => `/${target(link)}${part}`).join(''));
  };
}

const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
  const body = site(Number(request.url?.slice(1) || '0'));
  response.writeHead(body ? 200 : 404, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body?.length ?? 0,
  });
  if (delayMs === 0) response.end(body);
  else setTimeout(() => response.end(body), delayMs);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const sizes = documents.map((_, page) => site(page)?.length ?? 0);
  const meanBytes = Math.round(sizes.reduce((sum, length) => sum + length, 0) / sizes.length);
  process.send?.({ type: 'ready', ports: { http: port, meanBytes } });
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
