import { AppError, type PageChange, type PageOutcome, toFailure } from '@gleaner/contracts';
import type { StoredPage, Stores } from '@gleaner/storage';
import { compareWith, fingerprintOf } from '../compare/compare-page.ts';
import { type Base, type BaseReader, findBases } from '../compare/find-bases.ts';
import { isKept } from '../crawl/crawl-terms.ts';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { CollectedOutcome } from './keep-screenshot.ts';

/** Collaborators of comparing. */
export interface CompareDeps {
  readonly stores: BaseReader & { readonly results: Pick<Stores['results'], 'findResults'> };
}

/** Comparison of pages of crawls with earlier ones, by page id. */
export interface Comparison {
  readonly bases: ReadonlyMap<string, Base>;
  /** Results that hold again, in JSON. */
  readonly kept: ReadonlyMap<string, string>;
  readonly changes: ReadonlyMap<string, PageChange>;
  /** The outcomes; one that relies on a result that is no longer there has become a failure that may pass. */
  readonly outcomes: readonly CollectedOutcome[];
}

type TermsByJob = ReadonlyMap<string, JobTerms>;

/** Compares outcomes of pages with what the crawls before found. */
export async function compareOutcomes(
  outcomes: readonly CollectedOutcome[],
  { pages, terms }: { readonly pages: ReadonlyMap<string, StoredPage>; readonly terms: TermsByJob },
  deps: CompareDeps,
): Promise<Comparison> {
  const own = outcomes.flatMap(({ pageId, attempt }) => {
    const page = pages.get(pageId);
    return page?.state === 'running' && page.attempt === attempt ? [page] : [];
  });
  const bases = await findBasesOf(own, terms, deps.stores);
  const kept = await findKept(outcomes, bases, deps);
  const changes = new Map<string, PageChange>();
  for (const { jobId, pageId, outcome } of outcomes) {
    const change = changeOf(outcome, pages.get(pageId), bases.get(pageId), terms.get(jobId));
    if (change) changes.set(pageId, change);
  }
  return { bases, kept, changes, outcomes: outcomes.map((each) => withoutLost(each, bases, kept)) };
}

/** Returns the bases of pages of crawls, by page id. */
export async function findBasesOf(
  pages: readonly StoredPage[],
  terms: TermsByJob,
  reader: BaseReader,
): Promise<ReadonlyMap<string, Base>> {
  const found = new Map<string, Base>();
  for (const [jobId, ofJob] of Map.groupBy(pages, (page) => page.jobId)) {
    const { since = [] } = terms.get(jobId) ?? {};
    const compared = ofJob.filter(({ crawled }) => crawled && crawled.purpose === undefined);
    if (since.length === 0 || compared.length === 0) continue;
    const keys = compared.flatMap(({ crawled }) => crawled?.key ?? []);
    const bases = await findBases(since, keys, reader);
    for (const { id, crawled } of compared) {
      const base = bases.get(crawled?.key ?? '');
      if (base) found.set(id, base);
    }
  }
  return found;
}

async function findKept(
  outcomes: readonly CollectedOutcome[],
  bases: ReadonlyMap<string, Base>,
  { stores }: CompareDeps,
): Promise<ReadonlyMap<string, string>> {
  const unmodified = outcomes.flatMap(({ pageId, outcome }) => {
    const base = outcome.kind === 'notModified' ? bases.get(pageId) : undefined;
    return base?.page.state === 'succeeded' ? [{ pageId, page: base.page }] : [];
  });
  if (unmodified.length === 0) return new Map();
  const results = await stores.results.findResults(unmodified.map(({ page }) => page));
  return new Map(
    unmodified.flatMap(({ pageId, page }) => {
      const json = results.get(page.id);
      return json === undefined ? [] : [[pageId, json] as const];
    }),
  );
}

/** Returns how a page with a result has changed; undefined if it has none, or there is nothing to compare. */
function changeOf(
  outcome: PageOutcome['outcome'],
  page: StoredPage | undefined,
  base: Base | undefined,
  terms: JobTerms | undefined,
): PageChange | undefined {
  if (!terms?.crawl || terms.since.length === 0 || !page?.crawled) return undefined;
  if (!isKept(terms.crawl, page.crawled)) return undefined;
  if (outcome.kind === 'notModified') return 'unchanged';
  if (outcome.kind !== 'found' || !outcome.crawl) return undefined;
  const { options, crawl, hash } = terms;
  const nothing = { links: [], isWhole: false };
  return compareWith(base, fingerprintOf({ options, crawl, hash }, page.crawled, outcome.crawl, nothing));
}

function withoutLost(
  collected: CollectedOutcome,
  bases: ReadonlyMap<string, Base>,
  kept: ReadonlyMap<string, string>,
): CollectedOutcome {
  const { pageId, outcome } = collected;
  if (outcome.kind !== 'notModified') return collected;
  const base = bases.get(pageId);
  const isThere = base?.page.state === 'visited' || kept.has(pageId);
  if (base?.fingerprint && isThere) return collected;
  const failure = toFailure(
    new AppError('UPSTREAM_ERROR', {
      message: 'The site answered 304, and the earlier result of the page is no longer there.',
      targetStatusCode: 304,
    }),
  );
  return { ...collected, outcome: { kind: 'failed', failure } };
}
