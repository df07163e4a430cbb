import { AppError } from '@gleaner/contracts';
import type { StageClock } from './stage-clock.ts';

/** A deadline and a caller's signal as one; disposing it lets its timer go. */
export interface BoundDeadline extends Disposable {
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
}

/** A signal that also ends at the deadline, with a TimeoutError. */
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

/** TIMEOUT when time ran out; whatever else the caller's signal gave as its reason goes back to the caller. */
export function explainInterruption(reason: unknown, url: URL, clock: StageClock): unknown {
  if (!isTimeout(reason)) return reason;
  const { totalMs } = clock.timings();
  const suggestion = clock.advice();
  return new AppError('TIMEOUT', {
    message: `The time ran out after ${totalMs} ms while ${clock.phrase()} (${url.host}).`,
    ...(suggestion && { suggestion }),
    cause: reason,
  });
}

/** AbortSignal.timeout's reason, told by its name as errors cross realms, or the caller's own TIMEOUT. */
function isTimeout(reason: unknown): boolean {
  if (reason instanceof AppError) return reason.code === 'TIMEOUT';
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
}
