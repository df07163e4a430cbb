import { setTimeout as sleep } from 'node:timers/promises';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';
import type { PageWatch } from './page-watch.ts';

/** Nothing was requested for this long: what scripts meant to load when the page loaded is here. */
const QUIET_MS = 100;
/** Pages that never come to rest (polling, advertisements) are taken as they are by then. */
const SETTLE_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 20;

/**
 * Resolves when the page has settled, whichever document it is by then: loaded, the network quiet and its scripts idle; or
 * when it has had its time, as long as the document itself is complete.
 */
export async function settle(tab: Tab, watch: PageWatch, signal: AbortSignal): Promise<void> {
  const limitMs = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    await untilQuiet(watch, limitMs, signal);
    const isIdle = await watch.whileItStays(() => evaluateApart<true>(tab, UNTIL_IDLE));
    if (isIdle && (watch.quietMs >= QUIET_MS || performance.now() >= limitMs)) return;
    // The next document shows in a moment.
    if (!isIdle) await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

async function untilQuiet(watch: PageWatch, limitMs: number, signal: AbortSignal): Promise<void> {
  const isDue = () => performance.now() >= limitMs && watch.isDocumentComplete;
  for (;;) {
    const { quietMs } = watch;
    if (quietMs >= QUIET_MS || isDue()) return;
    await sleep(quietMs > 0 ? Math.ceil(QUIET_MS - quietMs) : LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Long tasks of the page end before this does; it waits a tenth of a second at most for a free moment. */
const UNTIL_IDLE = 'new Promise((done) => requestIdleCallback(() => done(true), { timeout: 100 }))';
