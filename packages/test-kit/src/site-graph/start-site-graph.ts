import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Fetch,
  type Reply,
  type Site,
  type SiteHandler,
  type SiteVisit,
  send,
  startSite,
} from '../sites/start-site.ts';
import { findPage, type GraphEdits, type GraphPage, pageOf, type SiteGraph, urlOf } from './graph-page.ts';
import { renderRobots } from './graph-robots.ts';
import { sitemapFile, sitemapUrls } from './graph-sitemaps.ts';
import { renderGraphPage } from './render-graph-page.ts';
import { spellAbsolute } from './spell-link.ts';

/** Size and place of a graph. */
export interface SiteGraphOptions {
  readonly seed: number;
  /** Number of pages, on all hosts. */
  readonly size: number;
  /** Number of hosts, each on a port of its own; or names, which share one port and are told apart by the Host header. */
  readonly hosts?: number | readonly string[];
  /** Name that robots.txt knows the crawler by. */
  readonly crawler?: string;
  /** Time that an answer takes. */
  readonly delayMs?: number;
}

/** A graph that is served. */
export interface RunningSiteGraph extends AsyncDisposable {
  readonly graph: SiteGraph;
  /** Every request so far, to any host, oldest first. */
  readonly fetches: readonly Fetch[];
  /** Returns the URL of a page; the first pages are the home pages of the hosts. */
  urlOf(id: number): string;
  /** Changes the site; later edits replace earlier ones. */
  edit(edits: GraphEdits): void;
  close(): Promise<void>;
}

/** Serves a graph of pages, which depends on its seed only, apart from the ports. */
export async function startSiteGraph(options: SiteGraphOptions): Promise<RunningSiteGraph> {
  const { seed, size, hosts = 2, crawler = 'Gleaner', delayMs = 0 } = options;
  const fetches: Fetch[] = [];
  const origins: string[] = [];
  const graph: SiteGraph & { edits?: GraphEdits } = { seed, size, origins };
  const listed = new Map<number, readonly string[]>();
  const handler: SiteHandler = async (visit) => {
    if (delayMs > 0) await sleep(delayMs);
    send(visit, replyTo(visit, { graph, crawler, listed }));
  };
  const sites: Site[] = [];
  const count = typeof hosts === 'number' ? hosts : 1;
  for (let index = 0; index < count; index += 1) sites.push(await startSite(handler, { fetches }));
  const opened = sites.map(({ origin }) => origin);
  const port = opened[0]?.split(':').at(-1);
  origins.push(...(typeof hosts === 'number' ? opened : hosts.map((name) => `http://${name}:${port}`)));

  async function close(): Promise<void> {
    await Promise.all(sites.map((site) => site.close()));
  }
  return {
    graph,
    fetches,
    urlOf: (id) => urlOf(graph, pageOf(graph, id)),
    edit: (edits) => {
      graph.edits = edits;
      listed.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A graph with what its answers depend on. */
interface Served {
  readonly graph: SiteGraph;
  readonly crawler: string;
  /** URLs in the sitemaps of each host, once they have been asked for. */
  readonly listed: Map<number, readonly string[]>;
}

/** Returns the answer to a request: a file about the site, a page, or 404. */
function replyTo({ url, request }: SiteVisit, { graph, crawler, listed }: Served): Reply {
  const host = graph.origins.indexOf(url.origin);
  if (host < 0 || request.method !== 'GET') return htmlReply('<h1>Not found</h1>', { status: 404 });
  if (url.pathname === '/robots.txt') {
    const body = renderRobots(graph, host, crawler);
    return {
      type: 'text/plain',
      body: body ?? 'There is no such file.',
      status: body === undefined ? 404 : 200,
    };
  }
  if (url.pathname.endsWith('.xml') || url.pathname.endsWith('.gz')) {
    const urls = listed.get(host) ?? sitemapUrls(graph, host);
    listed.set(host, urls);
    return (
      sitemapFile(graph, { host, path: url.pathname, urls }) ??
      htmlReply('<h1>Not found</h1>', { status: 404 })
    );
  }
  const page = findPage(graph, url);
  const reply = page ? pageReply(graph, page) : htmlReply('<h1>Not found</h1>', { status: 404 });
  return page && hasValidator(page) ? withValidator(reply, request.headers['if-none-match']) : reply;
}

function pageReply(graph: SiteGraph, page: GraphPage): Reply {
  const { id, kind, target = 0, nofollow, path } = page;
  if (kind === 'redirect') {
    const location = spellAbsolute(graph, pageOf(graph, target), id);
    return htmlReply('<h1>Moved</h1>', {
      status: [301, 302, 307, 308][id % 4] ?? 302,
      headers: { location },
    });
  }
  if (kind === 'missing') return htmlReply('<h1>Gone</h1>', { status: id % 2 === 0 ? 404 : 410 });
  if (kind === 'file') return FILES[path.slice(-4)] ?? htmlReply('<h1>Not found</h1>', { status: 404 });
  return htmlReply(
    renderGraphPage(graph, page),
    nofollow === 'header' ? { headers: { 'x-robots-tag': 'nofollow' } } : {},
  );
}

/** Three of four pages have an ETag. */
function hasValidator({ id, kind }: GraphPage): boolean {
  return kind === 'page' && id % 4 !== 3;
}

function withValidator(reply: Reply, known: string | undefined): Reply {
  const etag = `"${createHash('sha256').update(reply.body).digest('base64url').slice(0, 16)}"`;
  const headers = { ...reply.headers, etag };
  return known === etag ? { ...reply, body: '', status: 304, headers } : { ...reply, headers };
}

function htmlReply(body: string, rest: Partial<Reply>): Reply {
  return { type: 'text/html; charset=utf-8', body, ...rest };
}

/** First bytes of files by extension. */
const FILES: Readonly<Record<string, Reply>> = {
  '.png': { type: 'image/png', body: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
  '.mp3': { type: 'audio/mpeg', body: Buffer.from('49443303000000000000', 'hex') },
  '.zip': { type: 'application/zip', body: Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex') },
};
