import { setTimeout as sleep } from 'node:timers/promises';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';
import type { PageWatch } from './page-watch.ts';

/** Without a request for this long, everything that scripts load at the page's load event has arrived. */
const QUIET_MS = 100;
/** Pages that never become quiet (polling, advertisements) are read as they are by then. */
const SETTLE_LIMIT_MS = 10_000;
const POLL_EVERY_MS = 20;

/**
 * Resolves when the page, whichever document it shows by then, has loaded, the network is quiet and its scripts are idle;
 * or when the time limit is over and the document itself is complete.
 */
export async function settle(tab: Tab, watch: PageWatch, signal: AbortSignal): Promise<void> {
  const limitMs = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    await untilQuiet(watch, limitMs, signal);
    const isIdle = await watch.whileItStays(() => evaluateApart<true>(tab, UNTIL_IDLE));
    if (isIdle && (watch.quietMs >= QUIET_MS || performance.now() >= limitMs)) return;
    // The next document is about to appear.
    if (!isIdle) await sleep(POLL_EVERY_MS, undefined, { signal });
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
const UNTIL_IDLE = 'new Promise((done) => requestIdleCallback(() => done(true), { timeout: 100 }))';
