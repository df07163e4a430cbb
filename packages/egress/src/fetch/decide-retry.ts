/** What came of an attempt that might be made again. */
export type AttemptOutcome =
  | { readonly kind: 'failure'; readonly isTransient: boolean; readonly isStaleConnection: boolean }
  | { readonly kind: 'answer'; readonly statusCode: number; readonly retryAfterMs?: number | undefined };

/** What the decision rests on. */
export interface RetrySituation {
  readonly outcome: AttemptOutcome;
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Whether the request may be made twice (RFC 9110 section 9.2.2). */
  readonly isIdempotent: boolean;
  readonly remainingMs: number;
  /** From 0 up to 1; spreads the waits of many. */
  readonly random: number;
}

const FIRST_DELAY_MS = 200;
const MAX_RETRY_AFTER_MS = 5_000;

/** Answers that often differ a moment later. Not 501 and 505, which never do. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([
  429, 500, 502, 503, 504, 507, 508, 520, 521, 522, 523, 524, 529, 530,
]);

/** How many milliseconds to wait before another attempt; undefined when this was the last. */
export function decideRetry(situation: RetrySituation): number | undefined {
  const { outcome, attempts, maxAttempts, isIdempotent, remainingMs } = situation;
  if (!isIdempotent || attempts >= maxAttempts || !isWorthRepeating(outcome)) return undefined;
  const delayMs = delayOf(situation);
  return delayMs < remainingMs ? delayMs : undefined;
}

function isWorthRepeating(outcome: AttemptOutcome): boolean {
  if (outcome.kind === 'failure') return outcome.isTransient;
  return RETRIED_STATUSES.has(outcome.statusCode) && (outcome.retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS;
}

function delayOf({ outcome, attempts, random }: RetrySituation): number {
  if (outcome.kind === 'failure' && outcome.isStaleConnection) return 0;
  const backoffMs = Math.round(FIRST_DELAY_MS * 2 ** (attempts - 1) * (0.5 + random / 2));
  return outcome.kind === 'answer' ? Math.max(backoffMs, outcome.retryAfterMs ?? 0) : backoffMs;
}
