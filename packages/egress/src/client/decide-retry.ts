import { backoffMs } from '@gleaner/contracts';

/** Outcome of an attempt that might be repeated. */
export type AttemptOutcome =
  | { readonly kind: 'failure'; readonly isTransient: boolean; readonly isStaleConnection: boolean }
  | { readonly kind: 'response'; readonly statusCode: number; readonly retryAfterMs?: number | undefined };

/** Facts that decide about another attempt. */
export interface RetrySituation {
  readonly outcome: AttemptOutcome;
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** True when the request may be sent again: it may arrive twice (RFC 9110 section 9.2.2), or nothing of it was sent. */
  readonly mayRepeat: boolean;
  readonly remainingMs: number;
  /** From 0 up to 1; spreads the delays of many requests. */
  readonly random: number;
}

const BACKOFF = { firstMs: 200, jitter: 'half' } as const;
const MAX_RETRY_AFTER_MS = 5_000;

/** Statuses of often temporary errors. Not 501 and 505, which are permanent. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([
  429, 500, 502, 503, 504, 507, 508, 520, 521, 522, 523, 524, 529, 530,
]);

/** Returns the milliseconds to wait before another attempt; undefined when this was the last. */
export function decideRetry(situation: RetrySituation): number | undefined {
  const { outcome, attempts, maxAttempts, mayRepeat, remainingMs } = situation;
  if (!mayRepeat || attempts >= maxAttempts || !isWorthRepeating(outcome)) return undefined;
  const delayMs = delayOf(situation);
  return delayMs < remainingMs ? delayMs : undefined;
}

function isWorthRepeating(outcome: AttemptOutcome): boolean {
  if (outcome.kind === 'failure') return outcome.isTransient;
  return RETRIED_STATUSES.has(outcome.statusCode) && (outcome.retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS;
}

function delayOf({ outcome, attempts, random }: RetrySituation): number {
  if (outcome.kind === 'failure' && outcome.isStaleConnection) return 0;
  const delayMs = backoffMs(BACKOFF, attempts - 1, 1 - random);
  return outcome.kind === 'response' ? Math.max(delayMs, outcome.retryAfterMs ?? 0) : delayMs;
}

/** Returns the seconds that a Retry-After header asks to wait (RFC 9110 section 10.2.3), at least 0; undefined when it is invalid. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const date = /^[A-Z][a-z]{2,8}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1_000));
}
