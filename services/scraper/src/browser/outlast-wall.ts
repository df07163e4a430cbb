import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';
import { classifyRendered } from '../classify/classify-rendered.ts';
import type { Tab } from './open-tab.ts';
import type { PageWatch } from './page-watch.ts';
import { settle } from './settle.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** Checks of browsers take a few seconds; what takes longer wants somebody to solve it. */
const PATIENCE_MS = 10_000;
/** A check that has stopped asking and telling has come to its end. */
const IDLE_MS = 4_000;
const LOOK_EVERY_MS = 50;

/** A page without any of these stays as it is. */
const CAN_CHANGE = /<script\b|http-equiv=["']?refresh/i;

/**
 * Waits while a site's check of the browser stands in the page's place, as anybody in front of it would, and may still give
 * way to the page. Throws BLOCKED when it does not.
 */
export async function outlastWall(tab: Tab, watch: PageWatch, signal: AbortSignal): Promise<void> {
  const limitMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const { navigations } = watch;
    // A document that is replaced while it is looked at has no answer; the next one will.
    const snapshot = await watch.whileItStays(() => takeSnapshot(tab, 'html'));
    const refusal = snapshot && findRefusal(watch, snapshot);
    if (snapshot && !refusal) return;
    const canChange = !snapshot || CAN_CHANGE.test(snapshot.source);
    const hasMovedOn = canChange && (await untilNavigated(watch, { navigations, limitMs }, signal));
    if (hasMovedOn) await settle(tab, watch, signal);
    else if (refusal) throw refusal;
    else return;
  }
}

function findRefusal(watch: PageWatch, { url, source }: Snapshot): AppError | undefined {
  try {
    classifyRendered(watch.response, { url, html: source });
    return undefined;
  } catch (verdict) {
    return verdict instanceof AppError && verdict.code === 'BLOCKED' ? verdict : undefined;
  }
}

async function untilNavigated(
  watch: PageWatch,
  { navigations, limitMs }: { readonly navigations: number; readonly limitMs: number },
  signal: AbortSignal,
): Promise<boolean> {
  while (watch.navigations === navigations) {
    if (performance.now() >= limitMs || watch.quietMs >= IDLE_MS) return false;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return true;
}
