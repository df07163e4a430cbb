import { setTimeout as sleep } from 'node:timers/promises';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';
import type { PageWatch } from './page-watch.ts';
import { HAS_NO_PENDING_WORK, PENDING_LIMIT_MS } from './pending-work.ts';

/** Without a request for this long, scripts have seen the end of the last one. */
const QUIET_MS = 25;
/** Pages that never become quiet (polling, advertisements) are read as they are by then. */
const SETTLE_LIMIT_MS = 10_000;
const POLL_EVERY_MS = 20;

/**
 * Resolves when the page, whichever document it shows by then, has loaded, the network is quiet and its scripts are idle
 * with nothing pending; or when the time limit is over and the document itself is complete. Work that cannot be told to
 * have finished, such as that of workers, of frames and of timers that set another, has as long as `PENDING_LIMIT_MS`.
 */
export async function settle(tab: Tab, watch: PageWatch, signal: AbortSignal): Promise<void> {
  const limitMs = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    await untilQuiet(watch, limitMs, signal);
    const idle = await watch.whileItStays(() => evaluateApart<'pending' | 'finished'>(tab, UNTIL_IDLE));
    const isOver = performance.now() >= limitMs;
    if (idle && (isOver || watch.quietMs >= (idle === 'finished' ? QUIET_MS : PENDING_LIMIT_MS))) return;
    // A timer, or the next document, is about to come.
    await sleep(POLL_EVERY_MS, undefined, { signal });
  }
}

async function untilQuiet(watch: PageWatch, limitMs: number, signal: AbortSignal): Promise<void> {
  const isDue = () => performance.now() >= limitMs && watch.isDocumentComplete;
  for (;;) {
    const { quietMs } = watch;
    if (quietMs >= QUIET_MS || isDue()) return;
    await sleep(quietMs > 0 ? Math.ceil(QUIET_MS - quietMs) : POLL_EVERY_MS, undefined, { signal });
  }
}

/** Resolves after the page's running task, and waits at most a tenth of a second longer for an idle moment. */
const UNTIL_IDLE = `new Promise((done) =>
  requestIdleCallback(() => done(${HAS_NO_PENDING_WORK} ? 'finished' : 'pending'), { timeout: 100 }))`;
