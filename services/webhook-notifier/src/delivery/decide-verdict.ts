import type { DeliveryVerdict } from '@gleaner/storage';

/** What a try brought: an answer, or an error before there was one. */
export type TryOutcome =
  | { readonly statusCode: number; readonly retryAfterSeconds: number | undefined }
  | { readonly statusCode: undefined };

/** What the verdict rests on. */
export interface TrySituation {
  readonly outcome: TryOutcome;
  /** How many tries the present round has had, this one included. */
  readonly triesInRound: number;
  /** The waits before the second try, the third and so on. */
  readonly retryDelaysMs: readonly number[];
  /** From 0 up to 1; spreads those that failed together. */
  readonly random: number;
  readonly now: Date;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The waits between the tries of a delivery, in milliseconds, before jitter. */
export const RETRY_DELAYS_MS = [
  10 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
] as const;

/** A wait is lengthened by up to this part of itself. */
const JITTER = 0.1;
/** A longer Retry-After is honoured so far. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
const GONE = 410;

/** What comes after a try: nothing more, or the next one and when. */
export function decideVerdict(situation: TrySituation): DeliveryVerdict {
  const { outcome, triesInRound, retryDelaysMs, random, now } = situation;
  if (isSuccess(outcome.statusCode)) return { status: 'delivered' };
  if (outcome.statusCode === GONE)
    return { status: 'gone', reason: 'The endpoint answered 410: it is gone.' };
  const delayMs = retryDelaysMs[triesInRound - 1];
  if (delayMs === undefined) return { status: 'failed', reason: exhausted(triesInRound) };
  const waitMs = Math.max(delayMs * (1 + JITTER * random), retryAfterMsOf(outcome));
  return { status: 'pending', nextAttemptAt: new Date(now.getTime() + Math.round(waitMs)) };
}

function exhausted(tries: number): string {
  return tries === 1 ? 'The one try that there is has failed.' : `All ${tries} tries have failed.`;
}

/** Whether an endpoint has taken the event: 2xx, and nothing else. */
export function isSuccess(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300;
}

/** How long an endpoint asks to be left alone, within bounds; 0 when it does not. */
export function retryAfterMsOf(outcome: TryOutcome): number {
  const seconds = outcome.statusCode === undefined ? 0 : (outcome.retryAfterSeconds ?? 0);
  return Math.min(MAX_RETRY_AFTER_MS, seconds * SECOND_MS);
}
