import {
  type Engine,
  type KeptPage,
  type PageCrawl,
  reuseKeyOf,
  type ScrapeRequest,
  type SealedSecret,
  secretsIn,
} from '@gleaner/contracts';
import type { CacheKeeper, Stores } from '@gleaner/storage';
import { validatorsOf } from '../compare/compare-page.ts';
import { type BaseReader, findBases } from '../compare/find-bases.ts';
import type { PickedPage } from './picked-page.ts';

/** Facts that pages are sent with, besides the options of their jobs. */
export interface Facts {
  /** By page id, of pages that need not be read if they have not been modified. */
  readonly validators: ReadonlyMap<string, PageCrawl['validators']>;
  /** By page id, of pages that are extracted from again; null where the page is not kept any more. */
  readonly kept: ReadonlyMap<string, KeptPage | null>;
  /** By page id, the keys under which pages may be kept for `maxAge`. */
  readonly reuseKeys: ReadonlyMap<string, string>;
  /** Secrets that the actions of a job name, encrypted, by the id of the job. */
  readonly secrets: ReadonlyMap<string, readonly SealedSecret[]>;
}

/** Collaborators of finding facts, and the rules of sending pages. */
interface FactDeps {
  readonly cache: Pick<CacheKeeper, 'find'>;
  readonly requestOf: (pick: PickedPage) => ScrapeRequest;
  /** Returns true for a page that shows the fields of its schedule. */
  readonly isEvidence: (pick: PickedPage) => boolean;
  readonly stores: BaseReader & Pick<Stores, 'clock' | 'secrets' | 'snapshots'>;
}

/** Finds what pages are sent with. A browser fetches pages whole, so it gets no validators. */
export async function findFacts(
  picks: readonly PickedPage[],
  engine: Engine,
  deps: FactDeps,
): Promise<Facts> {
  const reuseKeys = reuseKeysOf(picks, deps);
  return {
    validators: engine === 'http' ? await findValidators(picks, deps) : new Map(),
    reuseKeys,
    kept: new Map([...(await findReusable(picks, reuseKeys, deps)), ...(await findKeptPages(picks, deps))]),
    secrets: await findSecrets(picks, deps),
  };
}

/** Finds the validators that pages had in earlier crawls. Only first attempts have any: others fetch the page whole. */
async function findValidators(
  picks: readonly PickedPage[],
  { stores }: FactDeps,
): Promise<Facts['validators']> {
  const found = new Map<string, PageCrawl['validators']>();
  const compared = picks.filter(({ job, page }) => {
    const isFirst = page.failures === 0 && page.losses === 0 && page.crawled && !page.crawled.purpose;
    // A page that is to be kept has to come.
    return (
      isFirst && job.crawl && job.terms.since.length > 0 && !job.options.snapshot && !job.options.download
    );
  });
  for (const [{ terms, crawl, options }, group] of Map.groupBy(compared, ({ job }) => job)) {
    if (!crawl) continue;
    const keys = group.flatMap(({ page }) => page.crawled?.key ?? []);
    const bases = await findBases(terms.since, keys, stores);
    for (const { page } of group) {
      const base = bases.get(page.crawled?.key ?? '');
      if (!base || !page.crawled) continue;
      const compare = { options, crawl: crawl.terms, hash: terms.hash };
      found.set(page.id, validatorsOf(compare, page.crawled, base));
    }
  }
  return found;
}

/** Finds the pages of other jobs that pages are extracted from. */
async function findKeptPages(picks: readonly PickedPage[], { stores }: FactDeps): Promise<Facts['kept']> {
  const found = new Map<string, KeptPage | null>();
  for (const [source, group] of Map.groupBy(picks, ({ job }) => job.extractOf)) {
    if (source === undefined) continue;
    const urls = group.map(({ page }) => page.url);
    const pages = await stores.snapshots.findPagesOf(source, urls, stores.clock.now());
    for (const { page } of group) found.set(page.id, pages.get(page.url) ?? null);
  }
  return found;
}

/** Returns the keys of pages that may be reused. The links of a crawl are read from pages that were fetched for it. */
function reuseKeysOf(picks: readonly PickedPage[], { requestOf }: FactDeps): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const pick of picks) {
    const { job, page } = pick;
    if (job.crawl || job.extractOf !== undefined || !job.options.maxAge) continue;
    const key = reuseKeyOf(requestOf(pick), job.accountId);
    if (key !== undefined) keys.set(page.id, key);
  }
  return keys;
}

/** Finds the pages to reuse. Only first attempts have any: others fetch the page. */
async function findReusable(
  picks: readonly PickedPage[],
  keys: Facts['reuseKeys'],
  { cache, isEvidence }: FactDeps,
): Promise<ReadonlyMap<string, KeptPage>> {
  const found = new Map<string, KeptPage>();
  const wanted = picks.filter((pick) => {
    const { failures, losses, id } = pick.page;
    return keys.has(id) && failures === 0 && losses === 0 && !isEvidence(pick);
  });
  for (const [{ accountId, options }, group] of Map.groupBy(wanted, ({ job }) => job)) {
    const ofJob = group.flatMap(({ page }) => keys.get(page.id) ?? []);
    const pages = await cache.find({ accountId, keys: ofJob, maxAgeMs: options.maxAge ?? 0 });
    for (const { page } of group) {
      const kept = pages.get(keys.get(page.id) ?? '');
      if (kept) found.set(page.id, kept);
    }
  }
  return found;
}

/** Finds the secrets of the jobs of pages. */
async function findSecrets(picks: readonly PickedPage[], { stores }: FactDeps): Promise<Facts['secrets']> {
  const found = new Map<string, readonly SealedSecret[]>();
  for (const job of new Set(picks.map((pick) => pick.job))) {
    const lists = [job.options.actions, ...(job.crawl?.terms.rules ?? []).map(({ actions }) => actions)];
    const names = [...new Set(lists.flatMap((actions) => secretsIn(actions).map(({ name }) => name)))];
    if (names.length === 0) continue;
    found.set(job.id, await sealedSecretsOf(job.accountId, names, stores));
  }
  return found;
}

/** Returns secrets of an account, encrypted. */
export async function sealedSecretsOf(
  accountId: string,
  names: readonly string[],
  { secrets }: Pick<Stores, 'secrets'>,
): Promise<SealedSecret[]> {
  if (names.length === 0) return [];
  const stored = await secrets.findSecrets(accountId, names);
  return stored.map(({ name, sealed, origins }) => ({
    name,
    sealed,
    ...(origins && { origins: [...origins] }),
  }));
}
