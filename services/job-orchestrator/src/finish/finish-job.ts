import type { PageCounts, StoredJob, Stores } from '@gleaner/storage';
import type { JobTrigger } from '../states/job-machine.ts';
import { changeState } from './change-state.ts';
import { chargePages, type JobTerms, termsOf } from './charge-pages.ts';
import { type EventDeps, sendEvents } from './send-events.ts';

/** What ending a job takes. */
export interface FinishDeps extends EventDeps {
  readonly stores: Pick<Stores, 'jobs' | 'pages' | 'credits'>;
  readonly retentionMs: number;
}

/**
 * Ends a job all of whose pages have ended: every success is in the ledger before, and the counters are what a recount
 * says; null while the job goes on. Safe to repeat, and from several processes at once.
 */
export async function finishJob(job: StoredJob, deps: FinishDeps): Promise<StoredJob | null> {
  const { stores, retentionMs } = deps;
  if (await stores.pages.hasUnended(job.id)) return null;
  const counts = await stores.pages.countPages(job.id);
  const trigger = endingOf(counts, job);
  if (trigger === undefined) return null;
  const creditsUsed = await chargeAll(termsOf(job), counts, deps);
  const completedUrls = counts.succeeded + counts.failed;
  const counters = { completedUrls, failedUrls: counts.failed, creditsUsed };
  const completedAt = new Date();
  const expiresAt = new Date(completedAt.getTime() + retentionMs);
  const ended = await changeState(job.id, trigger, { ...counters, completedAt, expiresAt }, deps);
  if (ended) await sendEvents(ended, deps);
  return ended;
}

/**
 * How a job ends whose pages are counted so; undefined while some of them have not ended. The job may have been read before
 * its cancellation was noted, and its pages counted after it was carried out: they say then what has happened to it.
 */
export function endingOf(
  { waiting, running, succeeded, failed, cancelled }: PageCounts,
  { totalUrls, cancelRequestedAt }: Pick<StoredJob, 'totalUrls' | 'cancelRequestedAt'>,
): JobTrigger | undefined {
  const ended = succeeded + failed + cancelled;
  if (waiting + running > 0 || ended < totalUrls) return undefined;
  if (cancelRequestedAt || cancelled > 0) return 'cancelled';
  if (failed === 0) return 'all-succeeded';
  return succeeded === 0 ? 'all-failed' : 'some-failed';
}

const CHUNK = 500;

/** Makes sure that every page that has succeeded is charged; what they were charged in all. */
async function chargeAll(terms: JobTerms, counts: PageCounts, { stores }: FinishDeps): Promise<number> {
  const prefix = `${terms.id}:`;
  const { operations, credits } = await stores.credits.sumCharges(prefix);
  if (operations >= counts.succeeded) return credits;
  let afterId = '';
  for (;;) {
    const pages = await stores.pages.findProcessed(terms.id, { afterId, limit: CHUNK });
    const at = new Date();
    const succeeded = pages.flatMap(({ id, price }) => (price ? [{ id, price, at }] : []));
    await chargePages(terms, succeeded, stores);
    const last = pages.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  return (await stores.credits.sumCharges(prefix)).credits;
}
