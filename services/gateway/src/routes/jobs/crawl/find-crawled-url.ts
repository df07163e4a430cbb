import {
  CRAWL_DEFAULTS,
  type CrawlOptions,
  defined,
  type JobUrl,
  type PageKind,
  type UrlState,
} from '@gleaner/contracts';
import {
  type CompiledFilter,
  compileFilter,
  compileUrlPattern,
  findTrap,
  type UrlMatcher,
  urlKey,
  urlPatterns,
} from '@gleaner/frontier';
import type { StoredJob, StoredPage, Stores } from '@gleaner/storage';
import QuickLRU from 'quick-lru';
import { describeUrl, pageStatesOf } from '../describe-url.ts';

/** A URL to find among the pages of a crawl, in one state or in any, and of some kinds or of any. */
export interface CrawledUrlQuery {
  readonly job: StoredJob;
  readonly crawl: CrawlOptions;
  readonly url: URL;
  readonly state: UrlState | undefined;
  readonly verdicts: readonly PageKind[] | undefined;
}

/** Yields the page of a crawl with this URL, in any spelling. If it is missing, and no state or kind is asked for, yields the reason. */
export async function* findCrawledUrl(
  { job, crawl, url, state, verdicts }: CrawledUrlQuery,
  { pages, filters }: { readonly pages: Pick<Stores['pages'], 'findByKey'>; readonly filters: CrawlFilters },
): AsyncGenerator<readonly string[]> {
  const page = await pages.findByKey(job.id, urlKey(url, crawl.ignoreQuery));
  const isOfKind = verdicts === undefined || verdicts.some((kind) => kind === page?.verdict);
  if (page && isOfKind && pageStatesOf(state).some((each) => each === page.state)) {
    const message = explainSkip(page, job);
    const described = describeUrl({ index: page.index, url: page.url, page });
    yield [JSON.stringify({ ...described, ...defined({ message }) })];
  } else if (!page && state === undefined && verdicts === undefined) {
    yield [JSON.stringify(explainUnknown(url, { job, crawl }, filters))];
  }
}

/** Filters that a gateway remembers at least. */
const MAX_FILTERS = 50;

/** The compiled rules of a crawl about URLs. */
interface RememberedFilter {
  readonly filter: CompiledFilter;
  readonly exclude: readonly UrlMatcher[];
}

/** Cache of the most recently used crawl filters, because compiling one takes long. */
export class CrawlFilters {
  readonly #known = new QuickLRU<string, RememberedFilter>({ maxSize: MAX_FILTERS });

  /** Returns the filter of a crawl, whose places may grow while it runs. */
  filterOf({ id, crawl: state }: StoredJob, crawl: CrawlOptions): RememberedFilter {
    const places = [...(state?.places ?? [])];
    const key = JSON.stringify([id, places]);
    const found = this.#known.get(key) ?? compile(crawl, places);
    this.#known.set(key, found);
    return found;
  }
}

function compile(
  { scope = CRAWL_DEFAULTS.scope, include, exclude }: CrawlOptions,
  places: readonly string[],
): RememberedFilter {
  const filter = compileFilter({
    scope,
    places: [...places],
    obeysNofollow: false,
    ...defined({ include, exclude }),
  });
  return { filter, exclude: (exclude ?? []).map(compileUrlPattern) };
}

function explainUnknown(
  url: URL,
  { job, crawl }: Pick<CrawledUrlQuery, 'job' | 'crawl'>,
  filters: CrawlFilters,
): JobUrl {
  const { scope = CRAWL_DEFAULTS.scope } = crawl;
  const places = [...(job.crawl?.places ?? [])];
  const { filter, exclude } = filters.filterOf(job, crawl);
  const unknown = { url: url.href, state: 'unknown' as const, attempts: 0 };
  if (!/^https?:$/.test(url.protocol)) return { ...unknown, message: 'It is not an http or https URL.' };
  const admission = filter.admit(url);
  if (!('droppedBecause' in admission)) {
    const pattern = closedPatternOf(url, job);
    if (pattern === undefined) return { ...unknown, message: explainUnseen(job) };
    return { ...unknown, dropped: 'trap', message: explainPattern(pattern) };
  }
  const dropped = admission.droppedBecause;
  const message =
    dropped === 'outOfScope'
      ? `It is outside of the scope "${scope}" of the crawl: ${listPlaces(places)}.`
      : dropped === 'excluded'
        ? explainPatterns(url, crawl, exclude)
        : `It looks like one of an endless series of URLs: ${findTrap(url)}.`;
  return { ...unknown, dropped, message };
}

/** Explains why a page was skipped, where its reason alone does not say it. */
function explainSkip({ url, crawled }: StoredPage, job: StoredJob): string | undefined {
  if (crawled?.skip === 'duplicate') return 'It has the text of the page that it names as its canonical one.';
  if (crawled?.skip !== 'trap') return undefined;
  const pattern = closedPatternOf(new URL(url), job);
  return pattern && explainPattern(pattern);
}

function closedPatternOf(url: URL, { crawl }: StoredJob): string | undefined {
  return urlPatterns(url).find((pattern) => crawl?.closedPatterns?.includes(pattern));
}

function explainPattern(pattern: string): string {
  return `Further pages with URLs like ${pattern} were not crawled; crawl.warnings says why. A rule that matches them, include or maxPerPattern lets them in.`;
}

const MAX_PLACES = 3;

function listPlaces(places: readonly string[]): string {
  const named = places.slice(0, MAX_PLACES).join(', ');
  return places.length > MAX_PLACES ? `${named} and ${places.length - MAX_PLACES} more` : named;
}

function explainPatterns(url: URL, { exclude = [] }: CrawlOptions, matchers: readonly UrlMatcher[]): string {
  const index = matchers.findIndex((matches) => matches(url));
  if (index < 0) return 'It matches none of crawl.include.';
  return `It matches crawl.exclude.${index}, ${JSON.stringify(exclude[index])}.`;
}

/** Links that were not followed although their URLs belong to the crawl, by the reason. */
const UNFOLLOWED = [
  ['depth', 'lie deeper than maxDepth'],
  ['nofollow', 'are marked as nofollow'],
  ['frontierFull', 'were more than a crawl of this limit remembers'],
] as const;

/** Explains that no link to a URL was seen, and names the skipped links that may lead to it. */
function explainUnseen({ crawl }: StoredJob): string {
  const unseen = 'No page or sitemap that the crawl has read so far leads to it.';
  const reasons = UNFOLLOWED.flatMap(([reason, phrase]) => {
    const count = crawl?.dropped[reason] ?? 0;
    return count > 0 ? [`${count} that ${phrase}`] : [];
  });
  return reasons.length > 0
    ? `${unseen} It may be behind links that were left out: ${reasons.join(', ')}.`
    : unseen;
}
