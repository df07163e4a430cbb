import { createHash } from 'node:crypto';
import type { PageFound, PageKind } from '@gleaner/contracts';
import type { NewPageSnapshot, PageAttempt, Stores } from '@gleaner/storage';
import QuickLRU from 'quick-lru';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { CollectedOutcome } from './read-context.ts';

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

/** Accounts whose new bytes are remembered. */
const MAX_ACCOUNTS = 10_000;
/** Part of the quota that is added before the account is looked through again. */
const UNCHECKED_PART = 1 / 50;

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

/** Says when an account has to be looked through for what is over its quota: after every fiftieth of it. */
export class QuotaWatch {
  readonly #quotaBytes: number;
  /** Bytes that were added since the account was looked through. */
  readonly #added = new QuickLRU<string, number>({ maxSize: MAX_ACCOUNTS });

  constructor(quotaBytes: number) {
    this.#quotaBytes = quotaBytes;
  }

  /** Notes bytes that were added; returns whether the account is due. */
  isDue(accountId: string, bytes: number): boolean {
    const added = (this.#added.get(accountId) ?? Number.POSITIVE_INFINITY) + bytes;
    const isDue = added > this.#quotaBytes * UNCHECKED_PART;
    this.#added.set(accountId, isDue ? 0 : added);
    return isDue;
  }
}

type Attempt = PageAttempt & { readonly jobId: string };
type Terms = Pick<JobTerms, 'accountId' | 'scheduleId' | 'options'>;

/**
 * Returns the page that an attempt read, which was sent because the job asks for snapshots, or because it shows the fields of
 * its schedule: then it has to be what was asked for, and no result names it. Its id is the same each time.
 */
export function snapshotOf(
  { url, statusCode, engine, snapshot, verdict }: PageFound,
  attempt: Attempt,
  terms: Terms,
): NewPageSnapshot | undefined {
  if (!snapshot) return undefined;
  const page = { ...nameOf(attempt, terms), url, page: { ...snapshot, statusCode, engine } };
  if (terms.options.snapshot) return { ...page, jobId: attempt.jobId };
  return evidenceOf(page, verdict?.page ?? 'content', attempt, terms);
}

/** Returns the page of a failed attempt, which was sent because it lacks required fields that it is to show. */
export function lackingPageOf(
  outcome: CollectedOutcome['outcome'],
  attempt: Attempt & { readonly url: string },
  terms: Terms,
): NewPageSnapshot | undefined {
  if (outcome.kind !== 'failed' || !outcome.snapshot) return undefined;
  const { failure, attempts, snapshot } = outcome;
  const { targetStatusCode: statusCode = 200, verdict } = failure;
  const engine = attempts?.at(-1)?.engine ?? 'http';
  const page = { ...nameOf(attempt, terms), url: attempt.url, page: { ...snapshot, statusCode, engine } };
  return evidenceOf(page, verdict, attempt, terms);
}

function evidenceOf(
  page: NewPageSnapshot,
  kind: PageKind | undefined,
  { jobId: runId }: Attempt,
  { scheduleId }: Terms,
): NewPageSnapshot | undefined {
  return scheduleId === undefined || kind !== 'content' ? undefined : { ...page, scheduleId, runId };
}

function nameOf({ id, attempt }: Attempt, { accountId }: Terms): Pick<NewPageSnapshot, 'id' | 'accountId'> {
  const hash = createHash('sha256').update(`${id}#${attempt}`).digest('hex').slice(0, 26);
  return { id: `snp_${hash}`, accountId };
}
