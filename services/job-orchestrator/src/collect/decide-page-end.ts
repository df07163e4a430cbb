import { AppError, ERROR_TABLE, type Failure, type PageOutcome, toFailure } from '@gleaner/contracts';
import type { PageEnd, StoredPage } from '@gleaner/storage';

/** How patient the orchestrator is with a page. */
export interface RetryRules {
  /** Tries in all, for errors that may pass. */
  readonly maxAttempts: number;
  /** The wait before the second try; it doubles with every further one. */
  readonly retryDelayMs: number;
  /** The longest Retry-After that is honoured. */
  readonly maxPauseMs: number;
}

/** What the decision rests on besides the rules. */
export interface Circumstances {
  readonly nowMs: number;
  /** From 0 up to 1; spreads the waits of many. */
  readonly random: number;
}

type Disappointment = Exclude<PageOutcome['outcome'], { kind: 'found' }> | { readonly kind: 'overdue' };

/** A page that has lost this many workers is taken to be what kills them. */
const MAX_LOSSES = 3;
/** A page of which nothing was heard this often is given up: something must be wrong with it. */
const MAX_OVERDUES = 10;

/** What becomes of a page whose try brought nothing: another one, or the end with the error of this one. */
export function decidePageEnd(
  { id, attempt, failures, losses, overdues }: StoredPage,
  outcome: Disappointment,
  rules: RetryRules,
  circumstances: Circumstances,
): PageEnd {
  const page = { id, attempt };
  const again = (
    because: 'failures' | 'losses' | 'overdues',
    delayMs: number,
    failure?: Failure,
  ): PageEnd => {
    const notBefore = new Date(circumstances.nowMs + delayMs);
    return { ...page, state: 'waiting', notBefore, because, ...(failure && { failure }) };
  };
  if (outcome.kind === 'lost') {
    if (losses + 1 < MAX_LOSSES) return again('losses', 0);
    return { ...page, state: 'failed', failure: toFailure(workersLost()) };
  }
  if (outcome.kind === 'overdue') {
    if (overdues + 1 < MAX_OVERDUES) return again('overdues', 0);
    return { ...page, state: 'failed', failure: toFailure(neverHeardOf()) };
  }
  const { failure } = outcome;
  const isLast = failures + 1 >= rules.maxAttempts || !ERROR_TABLE[failure.code].isRetryable;
  if (isLast) return { ...page, state: 'failed', failure };
  return again('failures', delayMsAfter(failure, failures, rules, circumstances.random), failure);
}

/** How long a failure asks to wait: what the target said, or a delay that doubles and is spread by up to half. */
function delayMsAfter(
  { retryAfterSeconds }: Failure,
  failures: number,
  { retryDelayMs, maxPauseMs }: RetryRules,
  random: number,
): number {
  const backoffMs = retryDelayMs * 2 ** failures * (1 - random / 2);
  const askedMs = Math.min((retryAfterSeconds ?? 0) * 1000, maxPauseMs);
  return Math.round(Math.max(backoffMs, askedMs));
}

function workersLost(): AppError {
  return new AppError('INTERNAL_ERROR', {
    message: `The page was given up: ${MAX_LOSSES} workers were lost while they had it.`,
    suggestion:
      'Scrape the page by itself with narrower selectors; if workers still end, look into their logs.',
  });
}

function neverHeardOf(): AppError {
  return new AppError('TIMEOUT', {
    source: 'api',
    message: `The page was given up: no worker said in time what came of it, ${MAX_OVERDUES} times.`,
    suggestion: 'Start more scrapers, or raise QUEUE_PATIENCE_MS.',
  });
}
