/**
 * Serves a site from a process of its own: page n (at `/<n>`) is one of some hundred real pages, documentation and
 * newspapers in turn. With SMALL_PAGES it has so many pages of half a kilobyte, whose links lead from page 0 to each of
 * them; with HOSTS as well, each of so many hosts has them, and every page also links to two other hosts, chosen by SEED. Small
 * pages are computed and not stored, so that a web of any size takes no memory. Every answer takes DELAY_MS. Reports its port
 * and the mean size of its pages.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { noise, readArticles, readDocuments } from '@gleaner/test-kit';
import { hostNumberOf, webHost } from './web-hosts.ts';

const MAX_DOCUMENTS = 600;
const SIZES = { min: 15_000, max: 130_000 };

const { SMALL_PAGES, HOSTS = '0', SEED = '1', DELAY_MS = '0' } = process.env;
const [hosts, seed] = [Number(HOSTS), Number(SEED)];
const delayMs = Number(DELAY_MS);
const documents = SMALL_PAGES ? [] : readRealPages();
const site = SMALL_PAGES ? servesSmall(Number(SMALL_PAGES)) : servesReal();

function readRealPages(): string[] {
  const isUsual = ({ length }: string) => length >= SIZES.min && length <= SIZES.max;
  const articles = readArticles().filter(isUsual);
  return readDocuments(resolve(import.meta.dirname, '../../..'), MAX_DOCUMENTS)
    .filter(isUsual)
    .slice(0, articles.length)
    .flatMap((html, index) => [html, articles[index] ?? html]);
}

/** Returns the page of a number, or undefined when the site has none; in a web, that of one of its hosts. */
type Site = (page: number, host?: string) => Buffer | undefined;

function servesReal(): Site {
  const pages = documents.map((html) => Buffer.from(html));
  return (page) => pages[page % pages.length];
}

/** Returns where a link of a page leads to: the first ones to its children in a tree of all pages, the others anywhere. */
function targetOf(page: number, link: number, count: number): number {
  const children = [page * 2 + 1, page * 2 + 2].filter((child) => child < count);
  return children[link] ?? (page * 31 + link * link * 17) % count;
}

const SMALL_LINKS = [0, 1, 2, 3, 4, 5];
const LINKS_TO_HOSTS = [0, 1];

function servesSmall(count: number): Site {
  return (page, host) => {
    const number = hosts > 0 ? hostNumberOf(host) : 0;
    if (!(page >= 0 && page < count) || number === undefined || (hosts > 0 && number >= hosts))
      return undefined;
    const places = SMALL_LINKS.map((link) => `/${targetOf(page, link, count)}`);
    const elsewhere = hosts > 0 ? LINKS_TO_HOSTS.map((link) => hostOf(number, page, link)) : [];
    const links = [...places, ...elsewhere].map((href) => `<li><a href="${href}">Kettle</a></li>`);
    return Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Kettle ${page}</title></head>
<body><h1>Kettle ${page}</h1><p class="price">£${page % 97}.90</p><h2>More</h2><ul>${links.join('')}</ul></body></html>`);
  };
}

/** Returns the address of another host to which a page leads. */
function hostOf(host: number, page: number, link: number): string {
  return `http://${webHost(Math.floor(noise(seed, host, page, link) * hosts))}:${portOf()}/0`;
}

const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
  const body = site(Number(request.url?.slice(1) || '0'), request.headers.host);
  response.writeHead(body ? 200 : 404, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body?.length ?? 0,
  });
  if (delayMs === 0) response.end(body);
  else setTimeout(() => response.end(body), delayMs);
});
server.listen(0, '127.0.0.1', () => {
  const port = portOf();
  const sizes = Array.from(
    { length: documents.length || 1 },
    (_, page) => site(page, webHost(0))?.length ?? 0,
  );
  const meanBytes = Math.round(sizes.reduce((sum, length) => sum + length, 0) / sizes.length);
  process.send?.({ type: 'ready', ports: { http: port, meanBytes } });
});
function portOf(): number {
  return (server.address() as AddressInfo).port;
}

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
