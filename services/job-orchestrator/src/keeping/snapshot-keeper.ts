import { type Keeping, type NewPageSnapshot, QuotaWatch, type Stores } from '@gleaner/storage';

/** Collaborators of keeping pages. */
export interface KeepDeps {
  readonly clock: Stores['clock'];
  readonly snapshots: Pick<Stores['snapshots'], 'insertPageSnapshots' | 'deleteExcess'>;
  readonly keeping: Keeping;
}

/** Keeps pages of jobs, and deletes what is over the quota of an account. */
export class SnapshotKeeper {
  readonly #deps: KeepDeps;
  readonly #watch: QuotaWatch;

  constructor(deps: KeepDeps) {
    this.#deps = deps;
    this.#watch = new QuotaWatch(deps.keeping.quotaBytes);
  }

  /** Keeps pages; repeating it changes nothing. */
  async keep(pages: readonly NewPageSnapshot[]): Promise<void> {
    if (pages.length === 0) return;
    const { clock, snapshots, keeping } = this.#deps;
    await snapshots.insertPageSnapshots(pages, { now: clock.now(), retentionMs: keeping.retentionMs });
    for (const [accountId, group] of Map.groupBy(pages, (page) => page.accountId)) {
      const bytes = group.reduce((sum, { page }) => sum + page.source.length, 0);
      if (this.#watch.isDue(accountId, bytes)) await snapshots.deleteExcess(accountId, keeping.quotaBytes);
    }
  }
}
