import type { DropReason, FoundLink } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { type CrawledPage, type NewCrawlPage, NO_BATCH, type Stores } from '@gleaner/storage';
import { type CrawlTerms, maxKnownPages } from './crawl-terms.ts';
import type { KnownKeys, KnownPage } from './known-keys.ts';
import { isOfPattern, isWanted, maxPerPatternOf, type PatternWatch } from './pattern-watch.ts';

/** A link that was found, with its place in the crawl. */
export interface PlacedLink extends Pick<FoundLink, 'url' | 'key' | 'rule'> {
  readonly depth: number;
  /** URL of the page, or sitemap, that it was found on; missing if nothing leads to it any more. */
  readonly foundOn?: string;
  readonly hops: number;
  /** A start URL redirects to it, at once or over other pages. */
  readonly isStartTarget?: boolean;
  /** It is fetched for its links alone. */
  readonly isOnlyFollowed?: boolean;
  /** Nothing leads to it any more: it is known from an earlier crawl. */
  readonly isUnlinked?: boolean;
  /** A sitemap lists it. */
  readonly isListed?: boolean;
}

/** A crawl that links are inserted into. */
export interface CrawlToFill {
  readonly id: string;
  readonly terms: CrawlTerms;
  /** Number of pages that it is known to have. */
  readonly totalUrls: number;
  readonly hosts: readonly string[];
  /** Patterns of URLs of which no further links are followed. */
  readonly closedPatterns?: readonly string[];
  /** Results are sent in batches while the crawl runs. */
  readonly isBatched: boolean;
}

/** Collaborators of inserting links. */
export interface InsertLinksDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages'>;
  readonly knownKeys: KnownKeys;
  /** Undefined where links were in an earlier crawl already. */
  readonly patterns?: PatternWatch;
  /** Time until which pages are kept. */
  readonly expiresAt: Date;
}

/** Number of new pages, and of links that were not inserted, by reason. */
export interface InsertedLinks {
  readonly admitted: number;
  readonly dropped: ReadonlyMap<DropReason, number>;
  /** Indexes of the linked pages, by key; a page that was not inserted has none. */
  readonly indexes: ReadonlyMap<string, number>;
}

const CHUNK = 1000;

/**
 * Stores the pages that links lead to, durably, each once: links to known pages change nothing, but that a shorter way to
 * a page that waits lowers its depth. Repeating it inserts nothing.
 */
export async function insertLinks(
  crawl: CrawlToFill,
  links: readonly PlacedLink[],
  deps: InsertLinksDeps,
): Promise<InsertedLinks> {
  const dropped = new Map<DropReason, number>();
  const drop = (reason: DropReason, count: number) => {
    if (count > 0) dropped.set(reason, (dropped.get(reason) ?? 0) + count);
  };
  const shallow = links.filter(
    ({ depth, foundOn }) => depth <= crawl.terms.maxDepth || foundOn === undefined,
  );
  drop('depth', links.length - shallow.length);
  let admitted = 0;
  const indexes = new Map<string, number>();
  const distinct = nearestByKey(shallow);
  for (let start = 0; start < distinct.length; start += CHUNK) {
    const links = distinct.slice(start, start + CHUNK);
    const known = await findKnown(crawl, links, deps);
    for (const [key, { index }] of known) indexes.set(key, index);
    const unknown = links.filter(({ key }) => !known.has(key));
    const room = Math.max(0, maxKnownPages(crawl.terms) - crawl.totalUrls - admitted);
    const fitting = unknown.slice(0, room);
    drop('frontierFull', unknown.length - fitting.length);
    const inside = await leaveOutHosts(crawl, fitting, deps);
    drop('outOfScope', fitting.length - inside.length);
    const open = await leaveOutPatterns(crawl, inside, deps);
    drop('trap', inside.length - open.length);
    const { added, stored } = await insertNew(crawl, open, deps);
    admitted += added.length;
    for (const { key, index } of stored) indexes.set(key, index);
    // Not before: links whose insertion failed come again.
    for (const link of added) if (!isWanted(crawl.terms, link)) deps.patterns?.count(crawl.id, link.url);
  }
  if (dropped.has('frontierFull')) {
    await deps.stores.jobs.warnOfCrawl(crawl.id, {
      code: 'FRONTIER_FULL',
      message: `The crawl knows ${maxKnownPages(crawl.terms)} pages, as many as it remembers with this limit; further links were not followed.`,
    });
  }
  return { admitted, dropped, indexes };
}

/** Returns one link for each key, the one with the least depth. */
function nearestByKey(links: readonly PlacedLink[]): PlacedLink[] {
  const nearest = new Map<string, PlacedLink>();
  for (const link of links) {
    const known = nearest.get(link.key);
    if (!known || link.depth < known.depth) nearest.set(link.key, link);
  }
  return [...nearest.values()];
}

/** Returns the pages that links lead to already, by key, at the least depth that is known now. */
async function findKnown(
  { id }: CrawlToFill,
  links: readonly PlacedLink[],
  { stores, knownKeys }: InsertLinksDeps,
): Promise<ReadonlyMap<string, KnownPage>> {
  // Adding a key to those that are remembered may make them forget others, of these links too.
  const known = new Map<string, KnownPage>();
  const unsure: string[] = [];
  for (const { key } of links) {
    const page = knownKeys.find(id, key);
    if (page) known.set(key, page);
    else unsure.push(key);
  }
  if (unsure.length > 0)
    for (const { key, ...page } of await stores.pages.findKnown(id, unsure)) known.set(key, page);
  const nearer = links.filter(({ key, depth }) => depth < (known.get(key)?.depth ?? depth));
  for (const [depth, group] of Map.groupBy(nearer, (link) => link.depth)) {
    const keys = group.map(({ key }) => key);
    await stores.pages.lowerDepths(id, keys, depth);
    for (const key of keys) known.set(key, { ...(known.get(key) as KnownPage), depth });
  }
  const changed = new Set([...unsure, ...nearer.map(({ key }) => key)]);
  for (const [key, page] of known) if (changed.has(key)) knownKeys.add(id, key, page);
  return known;
}

/** Leaves out links to more hosts than the crawl may have. */
async function leaveOutHosts(
  { id, hosts, terms }: CrawlToFill,
  links: readonly PlacedLink[],
  { stores }: InsertLinksDeps,
): Promise<PlacedLink[]> {
  const inside = new Set(hosts);
  const newHosts = new Set(links.map(({ url }) => new URL(url).host)).difference(inside);
  for (const host of newHosts) {
    if (await stores.jobs.addHost(id, host, terms.maxHosts)) inside.add(host);
    else {
      await stores.jobs.warnOfCrawl(id, {
        code: 'TOO_MANY_HOSTS',
        message: `Links led to more than ${terms.maxHosts} hosts (crawl.maxHosts); those to further hosts were not followed.`,
      });
      break;
    }
  }
  return links.filter(({ url }) => inside.has(new URL(url).host));
}

/** Leaves out links of patterns that are closed, or have as many pages as they may have. */
async function leaveOutPatterns(
  { id, terms, closedPatterns = [] }: CrawlToFill,
  links: readonly PlacedLink[],
  { stores, patterns }: InsertLinksDeps,
): Promise<PlacedLink[]> {
  if (!patterns) return [...links];
  const most = maxPerPatternOf(terms);
  const full = new Set<string>();
  const taken = new Map<string, number>();
  const open = links.filter((link) => {
    if (isWanted(terms, link)) return true;
    if (isOfPattern(link.url, closedPatterns)) return false;
    const { pattern, pages } = patterns.find(id, link.url);
    const before = taken.get(pattern) ?? 0;
    const isFull = pages + before >= most;
    if (isFull) full.add(pattern);
    else taken.set(pattern, before + 1);
    return !isFull;
  });
  for (const pattern of full) {
    if (!(await stores.jobs.closePattern(id, pattern))) continue;
    await stores.jobs.warnOfCrawl(id, {
      code: 'PATTERN_FULL',
      message: `More than ${most} pages have URLs like ${pattern} (crawl.maxPerPattern); further ones were not followed.`,
    });
  }
  return open;
}

/** Stores the new pages of links; returns the added pages, and all pages of the links. */
async function insertNew(
  { id: jobId, isBatched }: CrawlToFill,
  links: readonly PlacedLink[],
  { stores, knownKeys, expiresAt }: InsertLinksDeps,
) {
  if (links.length === 0) return { added: [], stored: [] };
  const first = await stores.jobs.reserveIndexes(jobId, links.length);
  const pages = links.map((link, place) => ({
    ...toPage(link, first + place),
    ...(isBatched && { resultBatch: NO_BATCH }),
  }));
  const admitted = await stores.pages.insertCrawlPages(jobId, pages, expiresAt);
  // Another process may have inserted some of them a moment before, at other places.
  const stored =
    admitted === pages.length
      ? pages.map(({ index, crawled: { key, depth } }) => ({ key, depth, index }))
      : await stores.pages.findKnown(
          jobId,
          links.map(({ key }) => key),
        );
  for (const { key, ...page } of stored) knownKeys.add(jobId, key, page);
  const indexes = new Map(stored.map(({ key, index }) => [key, index]));
  return { added: links.filter(({ key }, place) => indexes.get(key) === first + place), stored };
}

function toPage(
  { url, key, rule, depth, foundOn, hops, isStartTarget, isOnlyFollowed, isUnlinked }: PlacedLink,
  index: number,
): NewCrawlPage {
  const crawled: CrawledPage = {
    key,
    depth,
    ...defined({ foundOn }),
    ...(isUnlinked && { isUnlinked }),
    ...defined({ rule }),
    ...(hops > 0 && { hops }),
    ...(isStartTarget && { isStartTarget }),
    ...(isOnlyFollowed && { isOnlyFollowed }),
  };
  return { index, url, host: new URL(url).host, crawled };
}
