import { setTimeout as sleep } from 'node:timers/promises';
import { IS_BLANK } from './blank-page.ts';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';
import type { PageWatch } from './page-watch.ts';
import { HAS_NO_PENDING_WORK, PENDING_LIMIT_MS } from './pending-work.ts';

/** Without a request for this long, scripts have seen the end of the last one. */
const QUIET_MS = 25;
/** Pages that never become quiet (polling, advertisements) are read as they are by then. */
const SETTLE_LIMIT_MS = 10_000;
/** Further time for a page without text to fill itself by scripts, which nothing else shows to be at work. */
const BLANK_LIMIT_MS = 1_000;
const POLL_EVERY_MS = 20;
/** Looks at a page with pending work before it is read: on a busy machine, a tenth of a second may pass before a worker runs. */
const PENDING_LOOKS = 4;

/** State of the page's scripts: pending work, and whether anything is shown yet. */
interface Idle {
  readonly isPending: boolean;
  readonly isBlank: boolean;
}

/** State in which a page was found: complete, or still at work when the time was over. */
export type Settled = 'quiet' | 'limit';

/**
 * Resolves when the page, whichever document it shows by then, has loaded, the network is quiet and its scripts are idle
 * with nothing pending and something is shown; or when the time limit is over and the document itself is complete. Work that cannot be told to
 * have finished, such as that of workers, of frames and of timers that set another, has as long as `PENDING_LIMIT_MS`.
 */
export async function settle(
  tab: Tab,
  watch: PageWatch,
  signal: AbortSignal,
  withinMs = SETTLE_LIMIT_MS,
): Promise<Settled> {
  const limitMs = performance.now() + withinMs;
  const blank: Blank = { document: undefined, untilMs: 0 };
  let looks = 0;
  let lastQuietMs = 0;
  for (;;) {
    await untilQuiet(watch, limitMs, signal);
    const idle = await watch.whileItStays(() => evaluateApart<Idle>(tab, UNTIL_IDLE));
    const isOver = performance.now() >= limitMs;
    const { quietMs } = watch;
    looks = quietMs < lastQuietMs ? 1 : looks + 1;
    lastQuietMs = quietMs;
    const isQuiet = idle?.isPending
      ? quietMs >= PENDING_LIMIT_MS && looks >= PENDING_LOOKS
      : quietMs >= QUIET_MS;
    if (idle && isOver) return isQuiet ? 'quiet' : 'limit';
    if (idle && isQuiet && !(idle.isBlank && mayFill(blank, watch))) return 'quiet';
    // A timer, or the next document, is about to come.
    await sleep(POLL_EVERY_MS, undefined, { signal });
  }
}

/** A quiet and blank document, and the end of the time to fill itself. */
interface Blank {
  document: number | undefined;
  untilMs: number;
}

function mayFill(blank: Blank, { navigations }: PageWatch): boolean {
  if (blank.document !== navigations) {
    blank.document = navigations;
    blank.untilMs = performance.now() + BLANK_LIMIT_MS;
  }
  return performance.now() < blank.untilMs;
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
  requestIdleCallback(() => done({ isPending: !${HAS_NO_PENDING_WORK}, isBlank: ${IS_BLANK} }), { timeout: 100 }))`;
