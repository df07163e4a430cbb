import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gleaner/service-kit';
import { createTask, type ScheduledTask } from 'node-cron';

/** What is to be done at every tick. */
export interface TickingOptions {
  /** Not called again before it has settled; aborted when the ticking stops. */
  readonly tick: (signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

const EVERY_SECOND = '* * * * * *';
const SECOND_MS = 1000;

/**
 * Ticks at the beginning of every second. Returns what ends it, and waits for a tick under way.
 *
 * node-cron does the work, but it is not left to wait for it: a task of its own stands still for as long as the clock is
 * set back, goes through every second that a clock or a sleeping machine leaps over, which are 86,400 a day, and takes
 * tens of milliseconds to find the next one.
 */
export function startTicking({ tick, logger }: TickingOptions): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: Promise<void> | undefined;
  const task = createTask(
    EVERY_SECOND,
    () => {
      current ??= tick(signal)
        .catch((err: unknown) => {
          if (!signal.aborted) logger.warn({ err }, 'A tick failed; the next one makes it good.');
        })
        .finally(() => {
          current = undefined;
        });
    },
    { name: 'tick' },
  );
  const beating = beat(task, signal);
  return async () => {
    stopping.abort(new Error('The scheduler stops.'));
    await beating;
    await task.destroy();
    await current;
  };
}

async function beat(task: ScheduledTask, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(untilNextMs(), undefined, { signal }).catch(() => {});
    if (!signal.aborted) await task.execute();
  }
}

/** Never more than a second, whatever the clock shows by now. */
function untilNextMs(): number {
  return SECOND_MS - (Date.now() % SECOND_MS);
}
