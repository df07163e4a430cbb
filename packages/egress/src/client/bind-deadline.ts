import { AppError } from '@gleaner/contracts';
import type { StageClock } from '../route/stage-clock.ts';
import { quoteUrl } from './quote-url.ts';

/** A deadline and a caller's signal as one signal; disposing it clears its timer. */
export interface BoundDeadline extends Disposable {
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
}

/** Creates a signal that also aborts at the deadline, with a TimeoutError. */
export function bindDeadline(deadlineMs: number | undefined, signal: AbortSignal): BoundDeadline {
  const remainingMs = () => (deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - Date.now());
  const deadline = new AbortController();
  const onDeadline = () => deadline.abort(new DOMException('The deadline has passed.', 'TimeoutError'));
  const timer = deadlineMs === undefined ? undefined : setTimeout(onDeadline, Math.max(0, remainingMs()));
  return {
    signal: AbortSignal.any([signal, deadline.signal]),
    remainingMs,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** Returns TIMEOUT when time ran out, and any other reason of the caller's signal unchanged. */
export function explainInterruption(reason: unknown, url: URL, clock: StageClock): unknown {
  if (!isTimeout(reason)) return reason;
  const { totalMs } = clock.timings();
  const suggestion = clock.advice();
  return new AppError('TIMEOUT', {
    message: `The time ran out after ${totalMs} ms while ${clock.phrase()} (${quoteUrl(url)}).`,
    ...(suggestion && { suggestion }),
    cause: reason,
  });
}

/** Recognizes the caller's own TIMEOUT, and the reason of AbortSignal.timeout by its name, because errors cross realms. */
function isTimeout(reason: unknown): boolean {
  if (reason instanceof AppError) return reason.code === 'TIMEOUT';
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
}
