import { createHash } from 'node:crypto';
import type { NewPageSnapshot, Stores } from '@gleaner/storage';
import type { CollectedOutcome } from './keep-screenshot.ts';

/** Time for which pages are kept, and bytes of them that an account may have. */
export interface Keeping {
  readonly retentionMs: number;
  readonly quotaBytes: number;
}

/** Collaborators of keeping pages. */
export interface KeepDeps {
  readonly clock: Stores['clock'];
  readonly snapshots: Pick<Stores['snapshots'], 'insertPageSnapshots' | 'deleteExcess'>;
  readonly keeping: Keeping;
}

/** A found page of a job that asks for snapshots, with the account of the job. */
type OwnedOutcome = CollectedOutcome & { readonly accountId: string };

/** Accounts whose new bytes are remembered. */
const MAX_ACCOUNTS = 10_000;
/** Part of the quota that is added before the account is looked through again. */
const UNCHECKED_PART = 1 / 50;

/** Keeps pages of jobs. What is over the quota of an account is deleted after every fiftieth of it, not after every batch. */
export class SnapshotKeeper {
  readonly #deps: KeepDeps;
  /** Bytes that were added since the account was looked through. */
  readonly #added = new Map<string, number>();

  constructor(deps: KeepDeps) {
    this.#deps = deps;
  }

  /** Keeps the pages that outcomes carry, under the same ids when it is repeated; returns the ids by page id. */
  async keep(outcomes: readonly OwnedOutcome[]): Promise<ReadonlyMap<string, string>> {
    const pages = outcomes.flatMap(toSnapshot);
    if (pages.length === 0) return new Map();
    const { clock, snapshots, keeping } = this.#deps;
    await snapshots.insertPageSnapshots(
      pages.map(({ pageId: _pageId, ...page }) => page),
      { now: clock.now(), retentionMs: keeping.retentionMs },
    );
    for (const [accountId, group] of Map.groupBy(pages, (page) => page.accountId)) {
      const bytes = group.reduce((sum, { page }) => sum + page.source.length, 0);
      if (this.#isDue(accountId, bytes)) await snapshots.deleteExcess(accountId, keeping.quotaBytes);
    }
    return new Map(pages.map(({ pageId, id }) => [pageId, id]));
  }

  #isDue(accountId: string, bytes: number): boolean {
    const added = (this.#added.get(accountId) ?? Number.POSITIVE_INFINITY) + bytes;
    const isDue = added > this.#deps.keeping.quotaBytes * UNCHECKED_PART;
    if (this.#added.size >= MAX_ACCOUNTS) this.#added.clear();
    this.#added.set(accountId, isDue ? 0 : added);
    return isDue;
  }
}

function toSnapshot(collected: OwnedOutcome): (NewPageSnapshot & { readonly pageId: string })[] {
  const { jobId, pageId, attempt, accountId, outcome } = collected;
  if (outcome.kind !== 'found' || !outcome.snapshot) return [];
  const { url, statusCode, engine, snapshot } = outcome;
  const id = snapshotIdOf(pageId, attempt);
  return [{ id, pageId, accountId, jobId, url, page: { ...snapshot, statusCode, engine } }];
}

/** Returns the id of the page that an attempt read. */
function snapshotIdOf(pageId: string, attempt: number): string {
  return `snp_${createHash('sha256').update(`${pageId}#${attempt}`).digest('hex').slice(0, 26)}`;
}
