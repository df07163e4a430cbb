import {
  AppError,
  backoffMs,
  defined,
  ERROR_TABLE,
  type Failure,
  type PageOutcome,
  toFailure,
} from '@gleaner/contracts';
import type { PageEnd, StoredPage } from '@gleaner/storage';

/** Number and delays of further attempts. */
export interface RetryRules {
  /** Attempts in all, for errors that may pass. */
  readonly maxAttempts: number;
  /** Delay before the second attempt; it doubles with every further one. */
  readonly retryDelayMs: number;
  /** The longest Retry-After that is honored. */
  readonly maxPauseMs: number;
}

/** Input of the decision besides the page, its outcome and the rules. */
export interface RetrySituation {
  readonly nowMs: number;
  /** From 0 up to 1; spreads the delays of many pages. */
  readonly random: number;
  /** The job asks for antiBot: another attempt at a blocked page may take another way. */
  readonly hasAntiBot: boolean;
  /** The request of the page may be sent again after it may have been sent. */
  readonly mayRepeat: boolean;
  /** The state that the page was fetched with was replaced before it was seen to be signed out. */
  readonly isReplaced?: boolean;
}

type Unsuccessful =
  | Extract<PageOutcome['outcome'], { kind: 'failed' | 'lost' | 'unstarted' }>
  | { readonly kind: 'overdue' };

/** Lost workers after which their page is taken to be the cause. */
export const MAX_LOSSES = 3;
/** Sessions that a page is attempted with: the second one may have ended like the first, before the page's turn came. */
const MAX_SESSIONS = 3;
/** A page that no worker reported on this often is given up. */
const MAX_OVERDUES = 10;

/** Decides on a page whose attempt had no success: another attempt, or failure with the error of this one. */
export function decidePageEnd(
  { id, attempt, failures, losses, overdues, sessions = 0 }: StoredPage,
  outcome: Unsuccessful,
  rules: RetryRules,
  situation: RetrySituation,
): PageEnd {
  const page = { id, attempt };
  const retry = (
    because: 'failures' | 'losses' | 'overdues' | 'sessions' | 'unsent',
    delayMs: number,
    failure?: Failure,
  ): PageEnd => {
    const notBefore = new Date(situation.nowMs + delayMs);
    return { ...page, state: 'waiting', notBefore, because, ...defined({ failure }) };
  };
  if (outcome.kind === 'unstarted') return retry('unsent', 0);
  if (!situation.mayRepeat && outcome.kind !== 'failed') {
    return { ...page, state: 'failed', failure: toFailure(outcomeUnknown(outcome.kind)) };
  }
  if (outcome.kind === 'lost') {
    if (losses + 1 < MAX_LOSSES) return retry('losses', 0);
    return { ...page, state: 'failed', failure: toFailure(workersDied()) };
  }
  if (outcome.kind === 'overdue') {
    if (overdues + 1 < MAX_OVERDUES) return retry('overdues', 0);
    return { ...page, state: 'failed', failure: toFailure(neverReported()) };
  }
  const { failure, attempts, wasSent } = outcome;
  if (isOurs(failure) && !wasSent && overdues + 1 < MAX_OVERDUES) {
    return retry('overdues', delayMsAfter(failure, overdues, rules, situation.random), failure);
  }
  const traced = attempts && { round: JSON.stringify({ round: attempt, attempts }) };
  const { signedOut } = outcome;
  if (signedOut && !wasSent && situation.isReplaced && overdues + 1 < MAX_OVERDUES)
    return { ...retry('overdues', 0), ...traced };
  // A page that waits for a login goes out as soon as there is one.
  if (signedOut && !wasSent && sessions + 1 < MAX_SESSIONS)
    return { ...retry('sessions', 0, failure), ...traced };
  if (signedOut || wasSent || failures + 1 >= rules.maxAttempts || !isRetryable(failure, situation))
    return { ...page, state: 'failed', failure, ...traced };
  const delayMs = delayMsAfter(failure, failures, rules, situation.random);
  return { ...retry('failures', delayMs, failure), ...traced };
}

/** Returns whether the time went by while the page waited for something of ours: that uses up none of its attempts. */
function isOurs({ code, source }: Failure): boolean {
  return code === 'TIMEOUT' && source === 'api';
}

/** Returns whether another attempt may succeed. Without antiBot the request is the same, and would be blocked again. */
function isRetryable({ code }: Failure, { hasAntiBot }: RetrySituation): boolean {
  return ERROR_TABLE[code].isRetryable && (code !== 'BLOCKED' || hasAntiBot);
}

/** Returns the delay before the next attempt: the target's Retry-After within its bound, or the back-off if it is longer. */
function delayMsAfter(
  { retryAfterSeconds }: Failure,
  failures: number,
  { retryDelayMs, maxPauseMs }: RetryRules,
  random: number,
): number {
  const askedMs = Math.min((retryAfterSeconds ?? 0) * 1000, maxPauseMs);
  return Math.max(
    backoffMs({ firstMs: retryDelayMs, jitter: 'half' }, failures, random),
    Math.round(askedMs),
  );
}

function outcomeUnknown(kind: 'lost' | 'overdue'): AppError {
  const why =
    kind === 'lost'
      ? 'The worker that had the page died'
      : 'No worker that may have had the page reported a result in time';
  return new AppError('OUTCOME_UNKNOWN', {
    source: 'api',
    message: `${why}: the request may have been sent, and was not sent again.`,
  });
}

function workersDied(): AppError {
  return new AppError('INTERNAL_ERROR', {
    message: `Gleaner gave up on the page: ${MAX_LOSSES} workers died while they had it.`,
    suggestion: 'Scrape the page by itself with narrower selectors; if workers still die, see their logs.',
  });
}

function neverReported(): AppError {
  return new AppError('TIMEOUT', {
    source: 'api',
    message: `Gleaner gave up on the page: no worker reported a result in time (${MAX_OVERDUES} attempts).`,
    suggestion: 'Start more scrapers, or raise QUEUE_PATIENCE_MS.',
  });
}
