import { inBackground, type Logger } from '@gleaner/service-kit';
import { type Logger as CronLogger, schedule } from 'node-cron';

/** Options of `startTicking`. */
export interface TickingOptions {
  /** Never called again before it has settled; its signal aborts when the ticking stops. */
  readonly tick: (signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

const EVERY_SECOND = '* * * * * *';

/**
 * Ticks at the beginning of every second. Returns a function that stops it and waits for the tick under way.
 *
 * A tick is only a hint: it asks the database what is due, so the next one makes up for any that node-cron leaves out
 * because the process was busy or the previous tick is still running.
 */
export function startTicking({ tick, logger }: TickingOptions): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: Promise<void> | undefined;

  async function runOnce(): Promise<void> {
    // node-cron forgets the tick under way when its task is restarted.
    if (current) return;
    current = tick(signal).catch((err: unknown) => {
      if (!signal.aborted) logger.warn({ err }, 'A tick failed; the next one makes up for it.');
    });
    await current;
    current = undefined;
  }

  const task = schedule(EVERY_SECOND, runOnce, { name: 'tick', noOverlap: true, logger: cronLogger(logger) });
  async function restart(): Promise<void> {
    await task.stop();
    await task.start();
  }
  const stopWatching = watchClock(() => {
    logger.info('The clock was changed, or the machine was asleep; the tick timer is restarted.');
    inBackground(restart(), logger, 'The tick timer could not be restarted.');
  });
  return async () => {
    stopping.abort(new Error('The scheduler is stopping.'));
    stopWatching();
    await task.destroy();
    await current;
  };
}

/** Logs what node-cron reports. Skipped ticks are normal while one takes long, so they are for debugging only. */
function cronLogger(logger: Logger): CronLogger {
  return {
    info: (message) => logger.debug(message),
    warn: (message) => logger.debug(message),
    error: (error) => logger.error({ err: error }, 'node-cron failed.'),
    debug: (message) => logger.debug({ message }, 'node-cron'),
  };
}

const SECOND_MS = 1000;
/** Less than a second, so that a jump is noticed before node-cron skips a tick. */
const JUMP_MS = 500;
/** The clock is checked this long before the next second, so that a jump is noticed before node-cron's timer fires. */
const LEAD_MS = 20;

/**
 * Calls back when the clock was changed, or the machine was asleep. node-cron's task would stand still for as long as the
 * clock is set back, and would walk through every second that it leaps over, at some 100 µs each: minutes of a blocked
 * process after a weekend. Its own timers are monotonic, so a restart in time avoids both.
 */
function watchClock(onJump: () => void): () => void {
  let driftMs = Date.now() - performance.now();
  let timer: NodeJS.Timeout;
  const arm = () => {
    const sinceCheckMs = (Date.now() + LEAD_MS) % SECOND_MS;
    timer = setTimeout(check, SECOND_MS - sinceCheckMs);
  };
  const check = () => {
    const nowMs = Date.now() - performance.now();
    const hasJumped = Math.abs(nowMs - driftMs) > JUMP_MS;
    driftMs = nowMs;
    arm();
    if (hasJumped) onJump();
  };
  arm();
  return () => clearTimeout(timer);
}
