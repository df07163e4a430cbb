import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';
import { classifyRendered } from '../../classify/classify-rendered.ts';
import type { Tab } from './open-tab.ts';
import type { PageWatch } from './page-watch.ts';
import { settle } from './settle.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** Browser checks take a few seconds; a longer one waits for a person. */
const PATIENCE_MS = 10_000;
/** A check without any traffic for this long has finished. */
const IDLE_MS = 4_000;
/** Time after which a reload announced by `<meta http-equiv="refresh">` is late. */
const RELOAD_MARGIN_MS = 1_000;
const POLL_EVERY_MS = 50;

/** A page without any of these does not change by itself. */
const CAN_CHANGE = /<script\b|http-equiv=["']?refresh/i;
const RELOAD_SECONDS = /http-equiv=["']?refresh["']?\s+content=["']?\s*(\d+)/i;

/**
 * Waits while a site's check of the browser is shown instead of the page and may still be followed by it. Throws BLOCKED
 * when the check does not let the browser through.
 */
export async function waitForCheck(tab: Tab, watch: PageWatch, signal: AbortSignal): Promise<void> {
  const limitMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const { navigations } = watch;
    // A document that is replaced while it is read gives no snapshot; the next one will.
    const snapshot = await watch.whileItStays(() => takeSnapshot(tab, 'html'));
    const block = snapshot && findBlock(watch, snapshot);
    if (snapshot && !block) return;
    const canChange = !snapshot || CAN_CHANGE.test(snapshot.source);
    const idleMs = Math.max(IDLE_MS, snapshot ? reloadMs(snapshot.source) + RELOAD_MARGIN_MS : 0);
    const hasMovedOn = canChange && (await untilNavigated(watch, { navigations, limitMs, idleMs }, signal));
    if (hasMovedOn) await settle(tab, watch, signal);
    else if (block) throw block;
    else return;
  }
}

function findBlock(watch: PageWatch, { url, source }: Snapshot): AppError | undefined {
  try {
    classifyRendered(watch.response, { url, html: source });
    return undefined;
  } catch (error) {
    return error instanceof AppError && error.code === 'BLOCKED' ? error : undefined;
  }
}

function reloadMs(source: string): number {
  return Number(RELOAD_SECONDS.exec(source)?.[1] ?? 0) * 1_000;
}

async function untilNavigated(
  watch: PageWatch,
  { navigations, limitMs, idleMs }: Record<'navigations' | 'limitMs' | 'idleMs', number>,
  signal: AbortSignal,
): Promise<boolean> {
  while (watch.navigations === navigations) {
    if (performance.now() >= limitMs || watch.quietMs >= idleMs) return false;
    await sleep(POLL_EVERY_MS, undefined, { signal });
  }
  return true;
}
