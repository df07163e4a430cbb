import { linksOf } from './graph-links.ts';
import { findPage, type GraphPage, pageOf, type SiteGraph, urlOf } from './graph-page.ts';
import { robotsOf } from './graph-robots.ts';
import { sitemapUrls } from './graph-sitemaps.ts';
import { canonicalPath, pageKey } from './page-key.ts';
import { spellAbsolute } from './spell-link.ts';

/** Options of a crawl for its set of pages, with the names and defaults of the API. */
export interface ClosureOptions {
  /** Home page of the first host by default. */
  readonly starts?: readonly string[];
  readonly maxDepth?: number;
  readonly scope?: 'host' | 'any';
  readonly include?: readonly Pattern[];
  readonly exclude?: readonly Pattern[];
  readonly robots?: 'obey' | 'ignore';
  readonly sitemap?: 'skip' | 'include' | 'only';
  /** True if pages of the last depth are not fetched, so that it is not known where they redirect. */
  readonly isMap?: boolean;
}

/**
 * Result of a page of a crawl: its data; the error that it does not exist; for a start URL, that robots.txt denies it.
 * Other pages have no result: they redirect, are files, or robots.txt denies them.
 */
export type ClosureOutcome = 'page' | 'missing' | 'startDenied' | 'redirect' | 'file' | 'denied';

/** A page that belongs to a crawl. */
export interface ClosureEntry {
  /** As `pageKey` names it. */
  readonly key: string;
  /** One of its spellings. */
  readonly url: string;
  /** Number of links on the shortest way from a start URL; pages of a sitemap have depth 1. */
  readonly depth: number;
  readonly outcome: ClosureOutcome;
  /** True if the crawl returns a result for it. */
  readonly hasResult: boolean;
  /** True if it is fetched. */
  readonly isFetched: boolean;
}

/**
 * Returns all pages of a complete crawl with these options, in order of depth. It is computed from the graph,
 * without its documents and without the crawler's code.
 */
export function closureOf(graph: SiteGraph, options: ClosureOptions = {}): readonly ClosureEntry[] {
  const {
    maxDepth = 10,
    sitemap = 'include',
    isMap = false,
    starts = [urlOf(graph, pageOf(graph, 0))],
  } = options;
  const admits = admission(graph, options, starts);
  const entries = new Map<string, ClosureEntry>();
  let level = [...starts];
  for (let depth = 0; depth <= maxDepth && (level.length > 0 || depth === 1); depth += 1) {
    if (depth === 1 && sitemap !== 'skip') level.push(...startSitemaps(graph, starts).filter(admits));
    const next: string[] = [];
    // Redirects append to the level that is being read: their targets are as deep as they are.
    for (let at = 0; at < level.length; at += 1) {
      const url = level[at] as string;
      const key = pageKey(url);
      if (entries.has(key)) continue;
      const page = findPage(graph, new URL(url));
      const entry = entryFor(
        graph,
        { key, url, depth, page, isStart: depth === 0 && starts.includes(url) },
        options,
      );
      entries.set(key, entry);
      if (!page || (isMap && depth === maxDepth)) continue;
      if (entry.outcome === 'redirect') {
        const target = targetOf(graph, page);
        if (depth === 0 || admits(target)) level.push(target);
      }
      if (entry.outcome === 'page' && sitemap !== 'only')
        next.push(...followed(graph, page, options).filter(admits));
    }
    level = next;
  }
  return [...entries.values()];
}

function entryFor(
  graph: SiteGraph,
  found: { key: string; url: string; depth: number; page: GraphPage | undefined; isStart: boolean },
  { robots = 'obey' }: ClosureOptions,
): ClosureEntry {
  const { key, url, depth, page, isStart } = found;
  const isDenied = robots === 'obey' && deniesRobots(graph, new URL(url));
  const denied = isStart ? 'startDenied' : 'denied';
  const outcome = isDenied ? denied : (page?.kind ?? 'missing');
  const hasResult = outcome === 'page' || outcome === 'missing' || outcome === 'startDenied';
  return { key, url, depth, outcome, hasResult, isFetched: !isDenied };
}

/** Returns a function that tells whether a link is followed, by scope and patterns. */
function admission(
  graph: SiteGraph,
  { scope = 'host', include = [], exclude = [] }: ClosureOptions,
  starts: readonly string[],
): (href: string) => boolean {
  const hosts = new Set(starts.flatMap((start) => hostsOfStart(graph, start)));
  return (href) => {
    const url = new URL(href);
    url.hash = '';
    if (scope === 'host' && !hosts.has(url.host)) return false;
    if (exclude.some((pattern) => matchesPattern(pattern, url))) return false;
    return include.length === 0 || include.some((pattern) => matchesPattern(pattern, url));
  };
}

/** Returns the host of a start URL and the hosts of its redirects. */
function hostsOfStart(graph: SiteGraph, start: string): string[] {
  const url = new URL(start);
  const page = findPage(graph, url);
  return page?.kind === 'redirect' ? [url.host, ...hostsOfStart(graph, targetOf(graph, page))] : [url.host];
}

function targetOf(graph: SiteGraph, { id, target = 0 }: GraphPage): string {
  return spellAbsolute(graph, pageOf(graph, target), id);
}

/** Returns the URLs of the links of a page that a crawler may follow, and of the page that it names as canonical. */
function followed(graph: SiteGraph, page: GraphPage, { robots = 'obey' }: ClosureOptions): string[] {
  const own = new URL(urlOf(graph, page));
  const base = page.base === undefined ? own : new URL(page.base, own);
  const obeys = robots === 'obey';
  const links = obeys && page.nofollow !== undefined ? [] : linksOf(graph, page);
  const urls = links.flatMap(({ href, isNofollow }) => {
    const url = URL.parse(href, base.href);
    return url?.protocol === 'http:' && !(obeys && isNofollow) ? [url.href] : [];
  });
  return page.canonical === undefined ? urls : [...urls, urlOf(graph, pageOf(graph, page.canonical))];
}

function startSitemaps(graph: SiteGraph, starts: readonly string[]): string[] {
  const hosts = new Set(starts.map((start) => graph.origins.indexOf(new URL(start).origin)));
  return [...hosts].filter((host) => host >= 0).flatMap((host) => sitemapUrls(graph, host));
}

/** Returns whether the robots.txt of the URL's host denies it: the longest pattern that matches decides. */
function deniesRobots(graph: SiteGraph, { origin, pathname, search }: URL): boolean {
  const { rules } = robotsOf(graph.origins.indexOf(origin));
  const path = canonicalPath(pathname.replace(/;jsessionid=.*/, '')) + search;
  const matching = rules.filter(({ pattern }) => expressionOf(pattern).test(path));
  const [deciding] = matching.toSorted((one, other) => other.pattern.length - one.pattern.length);
  return deciding?.isAllowed === false;
}

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? toExpression(pattern);
  expressions.set(pattern, known);
  return known;
}

function toExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
    .replace(/[.?]/g, '\\$&')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}`);
}

/** A glob or a regular expression, as in `include` and `exclude` of a crawl. */
type Pattern = string | { readonly regex: string };

/** Returns whether a URL without fragment matches a pattern of `include` or `exclude`. */
function matchesPattern(pattern: Pattern, { href, pathname, search }: URL): boolean {
  if (typeof pattern !== 'string') return new RegExp(pattern.regex).test(href);
  return matchesGlob(pattern, /^https?:/i.test(pattern) ? href : pathname + search);
}

/** Compares a text with a glob from end to end: `*` stands for characters but `/`, and `**` for any. */
function matchesGlob(glob: string, text: string): boolean {
  const parts = glob.split(/(\*{2,}|\*)/);
  let ends = new Set([0]);
  for (const part of parts) ends = new Set([...ends].flatMap((start) => endsOf(part, text, start)));
  return ends.has(text.length);
}

/** Returns the places where a part of a glob may end that begins at a place of the text. */
function endsOf(part: string, text: string, start: number): readonly number[] {
  if (!part.startsWith('*')) return text.startsWith(part, start) ? [start + part.length] : [];
  const slash = part === '*' ? text.indexOf('/', start) : -1;
  const last = slash < 0 ? text.length : slash;
  return Array.from({ length: last - start + 1 }, (_, index) => start + index);
}
