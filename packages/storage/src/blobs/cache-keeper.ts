import type { KeptPage, ReusablePage } from '@gleaner/contracts';
import type { Clock } from '../database/database-clock.ts';
import type { CachedPages, PageCache } from './page-cache.ts';
import { type Keeping, QuotaWatch } from './quota-watch.ts';

/** Collaborators of the cache. */
export interface CacheDeps {
  readonly clock: Clock;
  readonly cachedPages: Pick<PageCache, 'put' | 'deleteExcess' | 'find'>;
  readonly keeping: Keeping;
  readonly logger: { warn(details: object, message: string): void };
}

/** A page that was fetched, and may be reused. */
export interface FetchedForReuse {
  readonly accountId: string;
  readonly page: ReusablePage;
  readonly engine: 'http' | 'browser';
  /** Time by the clock of the scraper. */
  readonly timestamp: string;
}

/** Keeps pages for `maxAge`, and finds them. Never throws for the database: without the cache, pages are fetched. */
export class CacheKeeper {
  readonly #deps: CacheDeps;
  readonly #watch: QuotaWatch;

  constructor(deps: CacheDeps) {
    this.#deps = deps;
    this.#watch = new QuotaWatch(deps.keeping.quotaBytes);
  }

  /** Keeps pages, and deletes the oldest ones of accounts that are over their quota. */
  async keep(pages: readonly FetchedForReuse[]): Promise<void> {
    if (pages.length === 0) return;
    const { clock, cachedPages, keeping, logger } = this.#deps;
    const nowMs = clock.nowMs();
    const fetched = pages.map(({ timestamp, ...page }) => ({
      ...page,
      // The clock of a scraper may be wrong: no page is from the future.
      fetchedAt: new Date(Math.min(nowMs, Date.parse(timestamp))),
    }));
    try {
      await cachedPages.put(fetched, keeping.retentionMs);
      for (const [accountId, group] of Map.groupBy(pages, (page) => page.accountId)) {
        const bytes = group.reduce((sum, { page }) => sum + page.source.length, 0);
        if (this.#watch.isDue(accountId, bytes)) {
          await cachedPages.deleteExcess(accountId, keeping.quotaBytes);
        }
      }
    } catch (err) {
      logger.warn({ err, pages: pages.length }, 'Pages were not kept for maxAge; they are fetched again.');
    }
  }

  /** Returns the kept pages that are not too old, by key. */
  async find(wanted: CachedPages): Promise<ReadonlyMap<string, KeptPage>> {
    if (wanted.keys.length === 0) return new Map();
    const { clock, cachedPages, logger } = this.#deps;
    try {
      return await cachedPages.find(wanted, clock.now());
    } catch (err) {
      logger.warn({ err }, 'Pages kept for maxAge were not found; they are fetched again.');
      return new Map();
    }
  }
}
