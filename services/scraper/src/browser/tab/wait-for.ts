import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, untilAborted } from '@gleaner/contracts';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';

const POLL_EVERY_MS = 50;

/**
 * Waits for a number of milliseconds, or until the selector matches in the document, whichever document that is by then.
 * Throws a TIMEOUT that names the condition when the time runs out before.
 */
export async function waitFor(tab: Tab, condition: string | number, signal: AbortSignal): Promise<void> {
  try {
    if (typeof condition === 'number') await sleep(condition, undefined, { signal });
    else await untilAborted(untilMatched(tab, condition, signal), signal);
  } catch (error) {
    // Node's timers throw their own AbortError instead of the signal's reason.
    if (!signal.aborted) throw error;
    throw isTimeout(signal.reason) ? timedOut(condition, signal.reason) : signal.reason;
  }
}

async function untilMatched(tab: Tab, selector: string, signal: AbortSignal): Promise<void> {
  const isThere = `document.querySelector(${JSON.stringify(selector)}) !== null`;
  // A document that is replaced while it is asked has no answer; the next one will.
  while (!(await evaluateApart<boolean>(tab, isThere).catch(() => false))) {
    await sleep(POLL_EVERY_MS, undefined, { signal });
  }
}

function timedOut(condition: string | number, cause: AppError): AppError {
  if (typeof condition === 'number') {
    return new AppError('TIMEOUT', {
      message: `The time ran out during the ${condition} ms of waitFor.`,
      cause,
    });
  }
  return new AppError('TIMEOUT', {
    message: `The time ran out while waiting for ${JSON.stringify(condition.slice(0, 200))}: nothing in the page matched it.`,
    suggestion:
      'Check the selector in the developer tools of a browser, or raise timeout (at most 120000 ms).',
    cause,
  });
}

function isTimeout(reason: unknown): reason is AppError {
  return reason instanceof AppError && reason.code === 'TIMEOUT';
}
