import { createHash } from 'node:crypto';
import type { PageFound, PageKind } from '@gleaner/contracts';
import type { NewPageSnapshot, PageAttempt } from '@gleaner/storage';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { CollectedOutcome } from './collected-outcome.ts';

type Attempt = PageAttempt & { readonly jobId: string };
type Terms = Pick<JobTerms, 'accountId' | 'scheduleId' | 'options'>;

/**
 * Returns the snapshot of a page for a job with snapshots, or as evidence of the fields of a schedule. Evidence has to be the
 * page that was asked for, and no result names it. The id is the same each time.
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

/** Returns the page of an attempt that failed for missing required fields, as evidence; undefined for other outcomes. */
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
