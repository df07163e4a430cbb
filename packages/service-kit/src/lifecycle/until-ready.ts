import { StartupError } from '@gleaner/config';
import { untilAborted } from '@gleaner/contracts';

/** Part of the start that is waited for, and advice for an operator when it is late. */
export interface Awaited {
  readonly signal: AbortSignal;
  readonly what: string;
  readonly suggestion: string;
}

/** Waits for a part of the start; throws a StartupError that names it when STARTUP_TIMEOUT_MS runs out. */
export async function untilReady<Result>(
  work: Promise<Result>,
  { signal, what, suggestion }: Awaited,
): Promise<Result> {
  try {
    return await untilAborted(work, signal);
  } catch (cause) {
    if (!signal.aborted || !isTimeout(signal.reason)) throw cause;
    throw new StartupError(`${what} was not ready within STARTUP_TIMEOUT_MS.`, { suggestion, cause });
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
