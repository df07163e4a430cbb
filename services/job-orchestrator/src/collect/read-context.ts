import { type FoundLink, isTerminal, type PageOutcome } from '@gleaner/contracts';
import { type CompiledFilter, compileFilter, urlKey } from '@gleaner/frontier';
import type { CrawledPage, CrawlState, JobProgress, StoredPage, Stores } from '@gleaner/storage';
import { type Base, type BaseReader, findBases, isHidden } from '../compare/find-bases.ts';
import type { KeptLinks } from '../compare/kept-links.ts';
import { type CrawlTerms, filterOf, isStartPage } from '../crawl/crawl-terms.ts';
import type { JobTerms } from '../finish/charge-pages.ts';
import { leadsBack } from './follow-redirect.ts';
import type { JobTermsCache } from './job-terms-cache.ts';

/** The outcome of an attempt, with the id of its stored screenshot, if any; overdue if no worker reported one in time. */
export type CollectedOutcome = Pick<PageOutcome, 'jobId' | 'pageId' | 'attempt'> & {
  readonly outcome: PageOutcome['outcome'] | { readonly kind: 'overdue' };
  readonly screenshotId?: string;
};

/** A page of a crawl that is running the attempt of an outcome. */
export type RunningCrawlPage = StoredPage & { readonly crawled: CrawledPage };

/** A crawl that has not finished. */
export interface OpenCrawl {
  readonly terms: CrawlTerms;
  readonly progress: JobProgress & { readonly crawl: CrawlState };
  /** Returns the filter of its links. */
  readonly filter: () => CompiledFilter;
}

/** Everything that outcomes are decided by, by the ids of jobs and pages. */
export interface Context {
  /** Terms of the jobs that were not deleted. */
  readonly terms: ReadonlyMap<string, JobTerms>;
  readonly crawls: ReadonlyMap<string, OpenCrawl>;
  /** Stored pages that still run the attempt; without those of plain jobs that succeeded, which need not be read. */
  readonly pages: ReadonlyMap<string, StoredPage>;
  /** Pages as earlier crawls had them. */
  readonly bases: ReadonlyMap<string, Base>;
  /** Results of earlier crawls that hold again, in JSON. */
  readonly keptResults: ReadonlyMap<string, string>;
  /** Links that pages which were not read, or were sent as something else, had in an earlier crawl. */
  readonly keptLinks: ReadonlyMap<string, readonly FoundLink[]>;
  /** Pages that name another one as canonical that has the same text and was fetched before. */
  readonly duplicates: ReadonlySet<string>;
  /** Pages that redirect to one that redirected to them. */
  readonly circles: ReadonlySet<string>;
}

/** Collaborators of reading. */
export interface ReadContextDeps {
  readonly stores: Pick<Stores, 'jobs' | 'pages' | 'results' | 'fingerprints'>;
  readonly terms: JobTermsCache;
  readonly keptLinks: KeptLinks;
}

/** An outcome with the running page of a crawl that it is about. */
interface CrawlOutcome {
  readonly page: RunningCrawlPage;
  readonly outcome: CollectedOutcome['outcome'];
  readonly crawl: OpenCrawl | undefined;
  readonly terms: JobTerms;
}

/** Reads what the outcomes are decided by. */
export async function readContext(
  outcomes: readonly CollectedOutcome[],
  deps: ReadContextDeps,
): Promise<Context> {
  const { stores } = deps;
  const terms = await findTerms(outcomes, deps);
  const pages = await findRunning(outcomes, terms, stores);
  const crawls = await findCrawls([...pages.values()], terms, stores);
  const ofCrawls = outcomes.flatMap(({ jobId, pageId, outcome }): CrawlOutcome[] => {
    const [page, jobTerms] = [pages.get(pageId), terms.get(jobId)];
    if (!page || !jobTerms || !isCrawlPage(page)) return [];
    return [{ page, outcome, terms: jobTerms, crawl: crawls.get(jobId) }];
  });
  const bases = await findBasesOf(ofCrawls, stores);
  return {
    ...{ terms, pages, crawls, bases },
    keptResults: await findKeptResults(ofCrawls, bases, stores),
    keptLinks: await findKeptLinks(ofCrawls, bases, deps),
    duplicates: await filterPages(ofCrawls, (each) => isDuplicate(each, stores)),
    circles: await filterPages(
      ofCrawls,
      async ({ page, outcome, crawl }) =>
        outcome.kind === 'redirected' &&
        crawl !== undefined &&
        (await leadsBack(page, outcome.url, crawl.filter(), stores)),
    ),
  };
}

async function findTerms(
  outcomes: readonly CollectedOutcome[],
  { terms }: Pick<ReadContextDeps, 'terms'>,
): Promise<ReadonlyMap<string, JobTerms>> {
  const jobIds = [...new Set(outcomes.map(({ jobId }) => jobId))];
  const found = await Promise.all(jobIds.map((jobId) => terms.find(jobId)));
  return new Map(found.flatMap((jobTerms) => (jobTerms ? [[jobTerms.id, jobTerms] as const] : [])));
}

async function findRunning(
  outcomes: readonly CollectedOutcome[],
  terms: Context['terms'],
  { pages }: ReadContextDeps['stores'],
): Promise<ReadonlyMap<string, StoredPage>> {
  const attempts = new Map(
    outcomes
      .filter(({ jobId, outcome }) => outcome.kind !== 'found' || terms.get(jobId)?.crawl !== undefined)
      .map(({ pageId, attempt }) => [pageId, attempt]),
  );
  if (attempts.size === 0) return new Map();
  const found = await pages.findPages([...attempts.keys()]);
  const running = found.filter(
    ({ id, state, attempt }) => state === 'running' && attempt === attempts.get(id),
  );
  return new Map(running.map((page) => [page.id, page]));
}

async function findCrawls(
  pages: readonly StoredPage[],
  terms: Context['terms'],
  { jobs }: ReadContextDeps['stores'],
): Promise<ReadonlyMap<string, OpenCrawl>> {
  const ids = new Set(pages.filter(isCrawlPage).map(({ jobId }) => jobId));
  const found = ids.size === 0 ? [] : await jobs.findProgress([...ids]);
  return new Map(
    found.flatMap(({ crawl: state, ...job }) => {
      const { crawl } = terms.get(job.id) ?? {};
      if (!crawl || !state || isTerminal(job.status)) return [];
      let compiled: CompiledFilter | undefined;
      const filter = () => {
        compiled ??= compileFilter(filterOf(crawl, state.places));
        return compiled;
      };
      return [[job.id, { terms: crawl, progress: { ...job, crawl: state }, filter }] as const];
    }),
  );
}

/** Returns whether a page belongs to a crawl. */
export function isCrawlPage(page: StoredPage): page is RunningCrawlPage {
  return page.crawled !== undefined;
}

async function findBasesOf(
  outcomes: readonly CrawlOutcome[],
  stores: BaseReader,
): Promise<ReadonlyMap<string, Base>> {
  const found = new Map<string, Base>();
  for (const [{ since }, ofJob] of Map.groupBy(outcomes, ({ terms }) => terms)) {
    const compared = ofJob.filter(({ page }) => page.crawled.purpose === undefined);
    if (since.length === 0 || compared.length === 0) continue;
    const keys = compared.map(({ page }) => page.crawled.key);
    const bases = await findBases(since, keys, stores);
    for (const { page } of compared) {
      const base = bases.get(page.crawled.key);
      if (base) found.set(page.id, base);
    }
  }
  return found;
}

async function findKeptResults(
  outcomes: readonly CrawlOutcome[],
  bases: Context['bases'],
  { results }: ReadContextDeps['stores'],
): Promise<ReadonlyMap<string, string>> {
  const unmodified = outcomes.flatMap(({ page, outcome }) => {
    const base = outcome.kind === 'notModified' ? bases.get(page.id) : undefined;
    return base?.page.state === 'succeeded' ? [{ id: page.id, before: base.page }] : [];
  });
  if (unmodified.length === 0) return new Map();
  const found = await results.findResults(unmodified.map(({ before }) => before));
  return new Map(
    unmodified.flatMap(({ id, before }) => {
      const json = found.get(before.id);
      return json === undefined ? [] : [[id, json] as const];
    }),
  );
}

async function findKeptLinks(
  outcomes: readonly CrawlOutcome[],
  bases: Context['bases'],
  { keptLinks }: ReadContextDeps,
): Promise<Context['keptLinks']> {
  const found = new Map<string, readonly FoundLink[]>();
  const unread = outcomes.filter(({ page, outcome }) => {
    const base = bases.get(page.id);
    return base && (outcome.kind !== 'found' || isHidden(base, outcome.verdict?.page));
  });
  for (const [crawl, ofCrawl] of Map.groupBy(unread, (each) => each.crawl)) {
    if (!crawl) continue;
    const ofBases = ofCrawl.flatMap(({ page }) => bases.get(page.id) ?? []);
    const links = await keptLinks.find(crawl.progress.id, ofBases, crawl.filter());
    for (const { page } of ofCrawl) found.set(page.id, links.get(bases.get(page.id) as Base) ?? []);
  }
  return found;
}

async function filterPages(
  outcomes: readonly CrawlOutcome[],
  predicate: (outcome: CrawlOutcome) => Promise<boolean>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const each of outcomes) if (await predicate(each)) found.add(each.page.id);
  return found;
}

async function isDuplicate(
  { page, outcome, crawl }: CrawlOutcome,
  { pages, fingerprints }: ReadContextDeps['stores'],
): Promise<boolean> {
  if (outcome.kind !== 'found' || !outcome.crawl || !crawl) return false;
  const { canonicalUrl, textHash } = outcome.crawl;
  const { id, url, crawled, jobId } = page;
  if (canonicalUrl === undefined || canonicalUrl === url || isStartPage(crawled)) return false;
  const key = urlKey(new URL(canonicalUrl), crawl.terms.ignoreQuery);
  if (key === crawled.key) return false;
  const canonical = await pages.findByKey(jobId, key);
  if (!canonical || canonical.id === id) return false;
  if (canonical.state !== 'succeeded' && canonical.state !== 'visited') return false;
  return (await fingerprints.findFingerprints([canonical])).get(canonical.id)?.textHash === textHash;
}
