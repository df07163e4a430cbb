import { StartupError } from '@gleaner/config';
import { until } from './until.ts';

/** What is waited for, and what an operator can do when it does not come. */
export interface Awaited {
  readonly signal: AbortSignal;
  readonly what: string;
  readonly suggestion: string;
}

/** A part of the start; a StartupError that names it when the time for starting runs out meanwhile. */
export async function untilReady<Result>(
  work: Promise<Result>,
  { signal, what, suggestion }: Awaited,
): Promise<Result> {
  try {
    return await until(signal, work);
  } catch (cause) {
    if (!signal.aborted || !isTimeout(signal.reason)) throw cause;
    throw new StartupError(`${what} was not ready within STARTUP_TIMEOUT_MS.`, { suggestion, cause });
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
