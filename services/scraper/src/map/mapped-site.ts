import {
  type CrawlFilter,
  defined,
  type Failure,
  type FoundLink,
  LIMITS,
  MAP_DEFAULTS,
  type MappedUrl,
  type MapRequest,
  type MapResult,
  type MapSource,
  type MapStop,
} from '@gleaner/contracts';
import { compileFilter, placeOf } from '@gleaner/frontier';
import { compileFilterOnce } from '../crawl/compile-filter-once.ts';
import { searchUrls } from './search-urls.ts';

/** A URL of the site. */
export interface KnownUrl {
  readonly url: string;
  readonly foundOn?: string;
  /** Links between the start page and it; URLs of sitemaps have 1. */
  readonly depth: number;
  text?: string;
  modifiedMs?: number;
  /** True once it was decided whether the page is read. */
  isDone: boolean;
  /** False for a page that is not returned: `include` leaves it out, it redirects, or it does not exist. */
  isListed: boolean;
}

/** Options with their defaults. */
export type MapTerms = MapRequest & Required<Pick<MapRequest, keyof typeof MAP_DEFAULTS>>;

/** Returns the options, with defaults for missing ones. With sitemaps only, no page is read. */
export function mapTermsOf(request: MapRequest): MapTerms {
  const terms: MapTerms = { ...MAP_DEFAULTS, ...request };
  return terms.sitemap === 'only' ? { ...terms, depth: 0 } : terms;
}

/** Characters of all URLs and texts: what fits into a reply. */
const MAX_CHARS = 4 * 1024 * 1024;
const MAX_TEXT_CHARS = 200;

/** State of the map of one site. */
export class MappedSite {
  readonly sources: MapSource[] = [];
  /** Origins of the start page: another one if it redirects there. */
  readonly origins: string[] = [];
  /** Why the start page was not read. */
  startFailure: Failure | undefined;
  readonly #terms: MapTerms;
  readonly #urls = new Map<string, KnownUrl>();
  readonly #places: string[] = [];
  #listed = 0;
  #chars = 0;
  #stoppedBy: MapStop | undefined;
  #isCut = false;

  constructor(terms: MapTerms) {
    this.#terms = terms;
    this.addStart(new URL(terms.url));
  }

  /** The rules about links. */
  get filter(): CrawlFilter {
    const { scope, include, exclude, ignoreQuery, robots } = this.#terms;
    return {
      scope,
      places: [...this.#places],
      obeysNofollow: robots === 'obey',
      ...defined({ include, exclude, ignoreQuery }),
    };
  }

  /** True when no more URLs are taken. */
  get isFull(): boolean {
    return this.#stoppedBy === 'limit';
  }

  /** Adds the start page, or the page that it redirects to: links to its place belong to the map, too. */
  addStart(target: URL): void {
    const url = new URL(target);
    if (!url.hash.startsWith('#!')) url.hash = '';
    const { scope } = this.#terms;
    const place = placeOf(scope, url);
    if (!this.#places.includes(place)) this.#places.push(place);
    if (!this.origins.includes(url.origin)) this.origins.push(url.origin);
    const { link, isOnlyFollowed } = compileFilter(this.filter).admitStart(url);
    this.#put(link, { depth: 0, isListed: !isOnlyFollowed });
  }

  /** Adds the target of a redirect, at the same depth, if it belongs to the map. */
  addTarget(url: URL, { depth, foundOn }: KnownUrl): void {
    const admission = compileFilterOnce(this.filter).admit(url);
    if ('link' in admission) this.#put(admission.link, { depth, isListed: true, ...defined({ foundOn }) });
  }

  /** Adds the links of a page or a sitemap. */
  addLinks(links: readonly FoundLink[], from: { readonly depth: number; readonly foundOn: string }): void {
    for (const link of links) this.#put(link, { ...from, isListed: true });
  }

  /** Returns the URLs of a depth for which it was not decided yet whether they are read; linked pages come first. */
  undone(depth: number): readonly KnownUrl[] {
    return [...this.#urls.values()].filter((known) => known.depth === depth && !known.isDone);
  }

  /** Leaves out a URL that is not a page of its own. */
  leaveOut(known: KnownUrl): void {
    if (known.isListed) this.#listed -= 1;
    known.isListed = false;
  }

  /** Records that a bound ended the map; the first one counts. */
  stop(by: MapStop): void {
    this.#stoppedBy ??= by;
  }

  /** Records that something could not be read, or only in part. */
  noteCut(): void {
    this.#isCut = true;
  }

  /** Returns what is known. */
  result(): MapResult {
    const { limit, search } = this.#terms;
    const listed = [...this.#urls.values()].filter(({ isListed }) => isListed);
    const all = listed.map(shownUrl);
    const wanted = search === undefined ? all : searchUrls(all, search);
    if (wanted.length > limit) this.stop('limit');
    const isAlone = listed.every(({ depth }) => depth === 0);
    const unmatched =
      wanted.length === 0 ? `None of the ${all.length} URLs has a word of the search.` : undefined;
    const reason = isAlone ? this.#reason() : unmatched;
    return {
      urls: wanted.slice(0, limit),
      sources: this.sources,
      complete: this.#stoppedBy === undefined && !this.#isCut,
      ...(this.#stoppedBy && { stoppedBy: this.#stoppedBy }),
      ...defined({ reason }),
    };
  }

  #put(link: FoundLink, traits: Pick<KnownUrl, 'depth' | 'isListed'> & { readonly foundOn?: string }): void {
    const { url, key, modifiedMs } = link;
    const text = link.text?.slice(0, MAX_TEXT_CHARS);
    const known = this.#urls.get(key);
    if (known) {
      if (text) known.text ??= text;
      if (modifiedMs !== undefined) known.modifiedMs ??= modifiedMs;
      return;
    }
    const chars = url.length + (text?.length ?? 0) + (traits.foundOn?.length ?? 0);
    const { limit, search } = this.#terms;
    const most = search === undefined ? limit : LIMITS.maxMapUrls;
    if (this.#listed >= most || this.#chars + chars > MAX_CHARS) {
      this.stop('limit');
      return;
    }
    this.#chars += chars;
    if (traits.isListed) this.#listed += 1;
    this.#urls.set(key, {
      url,
      isDone: false,
      ...traits,
      ...(text && { text }),
      ...defined({ modifiedMs }),
    });
  }

  /** Returns why nothing but the start page was found. */
  #reason(): string {
    const { depth, sitemap } = this.#terms;
    const failed = this.sources.filter(({ error }) => error).map(({ error }) => error?.message);
    const page = this.sources.findLast(({ kind, error }) => kind === 'page' && !error);
    const parts = [
      ...new Set(failed),
      ...(page ? [reasonOfPage(page)] : []),
      ...(this.#stoppedBy === 'timeout' ? ['The time was over before more was read.'] : []),
      ...(depth === 0 ? ['Links of pages were not read: the depth is 0.'] : []),
      ...(sitemap === 'skip' ? ['Sitemaps were not read: they are skipped.'] : []),
      ...this.sources.filter(({ kind, error }) => kind === 'sitemap' && !error).map(reasonOfSitemap),
    ];
    return parts.join(' ');
  }
}

function shownUrl({ url, foundOn, text, modifiedMs }: KnownUrl): MappedUrl {
  return {
    url,
    ...defined({ foundOn }),
    ...(modifiedMs !== undefined && { lastModified: new Date(modifiedMs).toISOString() }),
    ...(text && { text }),
  };
}

function reasonOfPage({ verdict, redirectsTo, ...source }: MapSource): string {
  if (redirectsTo !== undefined) return `The page redirects to ${redirectsTo}.`;
  if (verdict === 'shell')
    return 'The page has no links without JavaScript: crawl it with "render": true instead.';
  const what = verdict === undefined ? 'The page' : `The page is a ${verdict} and`;
  return `${what} has no link to another page of the map${leftOut(source)}.`;
}

function reasonOfSitemap(source: MapSource): string {
  return `The sitemap ${source.url} has no page of the map${leftOut(source)}.`;
}

/** Says how many links were left out, and by what. */
function leftOut({ outOfScope, excluded, nofollow, trap }: Partial<MapSource>): string {
  const counts = Object.entries({
    'lead out of its scope': outOfScope,
    'are left out by include and exclude': excluded,
    'must not be followed': nofollow,
    'look endless': trap,
  }).flatMap(([what, count]) => (count ? [`${count} ${what}`] : []));
  return counts.length > 0 ? `; of its links ${counts.join(', ')}` : '';
}
