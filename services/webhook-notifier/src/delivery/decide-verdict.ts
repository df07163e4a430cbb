import type { DeliveryVerdict } from '@gleaner/storage';

/** Outcome of an attempt: a response, or an error without one. */
export type AttemptOutcome =
  | {
      readonly statusCode: number;
      readonly retryAfterSeconds: number | undefined;
      /** The answer is about the message itself, so that no other attempt can succeed. */
      readonly isRejected?: boolean;
    }
  | {
      readonly statusCode: undefined;
      /** The state without an attempt, and its reason. */
      readonly end?: { readonly status: 'failed' | 'gone'; readonly reason: string };
    };

/** Input of the verdict. */
export interface AttemptSituation {
  readonly outcome: AttemptOutcome;
  /** Attempts in the present round, this one included. */
  readonly attemptsInRound: number;
  /** Delays before the second attempt, the third and so on. */
  readonly retryDelaysMs: readonly number[];
  /** From 0 up to 1; spreads deliveries that failed together. */
  readonly random: number;
  readonly now: Date;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays between the attempts of a delivery, before jitter. */
export const RETRY_DELAYS_MS = [
  10 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
] as const;

/** Largest part of a delay that jitter adds. */
const JITTER = 0.1;
/** A longer Retry-After is cut to this. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
const GONE = 410;

/** Decides what follows an attempt: the final state, or the time of the next attempt. */
export function decideVerdict(situation: AttemptSituation): DeliveryVerdict {
  const { outcome, attemptsInRound, retryDelaysMs, random, now } = situation;
  if (isSuccess(outcome.statusCode)) return { status: 'delivered' };
  if (outcome.statusCode === undefined && outcome.end) return outcome.end;
  if (outcome.statusCode === GONE) return { status: 'gone', reason: 'The endpoint answered 410 Gone.' };
  if (outcome.statusCode !== undefined && outcome.isRejected)
    return { status: 'failed', reason: 'The channel rejected the message.' };
  const delayMs = retryDelaysMs[attemptsInRound - 1];
  if (delayMs === undefined) return { status: 'failed', reason: exhausted(attemptsInRound) };
  const waitMs = Math.max(delayMs * (1 + JITTER * random), retryAfterMsOf(outcome));
  return { status: 'pending', nextAttemptAt: new Date(now.getTime() + Math.round(waitMs)) };
}

function exhausted(attempts: number): string {
  return attempts === 1 ? 'The only attempt failed.' : `All ${attempts} attempts failed.`;
}

/** Returns whether the endpoint accepted the event: only 2xx does. */
export function isSuccess(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300;
}

/** Returns the endpoint's Retry-After within its bound; 0 without one. */
export function retryAfterMsOf(outcome: AttemptOutcome): number {
  const seconds = outcome.statusCode === undefined ? 0 : (outcome.retryAfterSeconds ?? 0);
  return Math.min(MAX_RETRY_AFTER_MS, seconds * SECOND_MS);
}
