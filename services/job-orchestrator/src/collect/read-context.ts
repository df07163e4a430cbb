import { type FoundLink, isTerminal } from '@gleaner/contracts';
import { type CompiledFilter, compileFilter, urlKey } from '@gleaner/frontier';
import type { StoredPage, Stores } from '@gleaner/storage';
import { type Base, type BaseReader, findBases, isHidden } from '../compare/find-bases.ts';
import type { KeptLinks } from '../compare/kept-links.ts';
import { filterOf, isStartPage } from '../crawl/crawl-terms.ts';
import type { JobTerms } from '../finish/charge-pages.ts';
import {
  type CollectedOutcome,
  isCrawlPage,
  type OpenCrawl,
  type RunningCrawlPage,
} from './collected-outcome.ts';
import { type Redirect, readRedirect } from './follow-redirect.ts';
import type { JobTermsCache } from './job-terms-cache.ts';

/** Everything that outcomes are decided by, by the ids of jobs and pages. */
export interface Context {
  /** Terms of the jobs that were not deleted. */
  readonly terms: ReadonlyMap<string, JobTerms>;
  readonly crawls: ReadonlyMap<string, OpenCrawl>;
  /** Stored pages that still run the attempt, without the successful ones of plain jobs without a dataset: they need not be read. */
  readonly pages: ReadonlyMap<string, StoredPage>;
  /** Pages as earlier crawls had them. */
  readonly bases: ReadonlyMap<string, Base>;
  /** Results of earlier crawls that hold again, in JSON. */
  readonly keptResults: ReadonlyMap<string, string>;
  /** Links from an earlier crawl, for pages not read now or sent as another kind. */
  readonly keptLinks: ReadonlyMap<string, readonly FoundLink[]>;
  /** Pages with the text of their canonical page, fetched before. */
  readonly duplicates: ReadonlySet<string>;
  /** Targets of the pages that redirect. */
  readonly redirects: ReadonlyMap<string, Redirect>;
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
    terms,
    pages,
    crawls,
    bases,
    keptResults: await findKeptResults(ofCrawls, bases, stores),
    keptLinks: await findKeptLinks(ofCrawls, bases, deps),
    duplicates: await findDuplicates(ofCrawls, stores),
    redirects: await readRedirects(ofCrawls, stores),
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
      .filter(({ jobId, outcome }) => outcome.kind !== 'found' || needsPage(terms.get(jobId)))
      .map(({ pageId, attempt }) => [pageId, attempt]),
  );
  if (attempts.size === 0) return new Map();
  const found = await pages.findPages([...attempts.keys()]);
  const running = found.filter(
    ({ id, state, attempt }) => state === 'running' && attempt === attempts.get(id),
  );
  return new Map(running.map((page) => [page.id, page]));
}

/** Returns whether the page of a found outcome is read: a page of a crawl, or one with records, which a late outcome must not change. */
function needsPage(terms: JobTerms | undefined): boolean {
  return terms?.crawl !== undefined || terms?.dataset !== undefined;
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

async function readRedirects(
  outcomes: readonly CrawlOutcome[],
  stores: Pick<Stores, 'pages'>,
): Promise<Context['redirects']> {
  const found = new Map<string, Redirect>();
  for (const { page, outcome, crawl } of outcomes) {
    if (outcome.kind !== 'redirected' || !crawl) continue;
    found.set(page.id, await readRedirect(page, outcome.url, crawl, stores));
  }
  return found;
}

/** A page that names another one as canonical. */
interface Alias {
  readonly page: RunningCrawlPage;
  readonly key: string;
  readonly textHash: string;
}

/**
 * Returns the pages with the text of their canonical page, if that was fetched before or is in the same batch. Where two of a
 * batch name each other, the first of them is kept.
 */
async function findDuplicates(
  outcomes: readonly CrawlOutcome[],
  { pages, fingerprints }: ReadContextDeps['stores'],
): Promise<ReadonlySet<string>> {
  const beside = new Map<string, { readonly id: string; readonly textHash: string }>();
  for (const { page, outcome } of outcomes) {
    if (outcome.kind !== 'found' || !outcome.crawl) continue;
    beside.set(`${page.jobId} ${page.crawled.key}`, { id: page.id, textHash: outcome.crawl.textHash });
  }
  /** Duplicates of the batch, each with the page that is kept instead. */
  const instead = new Map<string, string>();
  const duplicates = new Set<string>();
  for (const { page, key, textHash } of outcomes.flatMap(aliasOf)) {
    const other = beside.get(`${page.jobId} ${key}`);
    if (other && other.id !== page.id) {
      if (other.textHash !== textHash || keptFor(other.id, instead) === page.id) continue;
      instead.set(page.id, other.id);
      duplicates.add(page.id);
      continue;
    }
    const canonical = await pages.findByKey(page.jobId, key);
    if (!canonical || canonical.id === page.id) continue;
    if (canonical.state !== 'succeeded' && canonical.state !== 'visited') continue;
    const found = await fingerprints.findFingerprints([canonical]);
    if (found.get(canonical.id)?.textHash === textHash) duplicates.add(page.id);
  }
  return duplicates;
}

/** Returns the page at the end of the pages that name each other. */
function keptFor(id: string, instead: ReadonlyMap<string, string>): string {
  let kept = id;
  for (let next = instead.get(kept); next !== undefined; next = instead.get(kept)) kept = next;
  return kept;
}

function aliasOf({ page, outcome, crawl }: CrawlOutcome): Alias[] {
  if (outcome.kind !== 'found' || !outcome.crawl || !crawl) return [];
  const { canonicalUrl, textHash } = outcome.crawl;
  const { url, crawled } = page;
  if (canonicalUrl === undefined || canonicalUrl === url || isStartPage(crawled)) return [];
  const key = urlKey(new URL(canonicalUrl), crawl.terms.ignoreQuery);
  return key === crawled.key ? [] : [{ page, key, textHash }];
}
