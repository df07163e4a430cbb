import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger/create-logger.ts';

/** Options of `repeatAtIntervals`. */
export interface RepeatOptions {
  /** Time from the end of one round to the start of the next; up to a quarter more or less, so that replicas drift apart. */
  readonly intervalMs: number;
  /** The same after a round without anything to do; the usual one unless given. */
  readonly idleIntervalMs?: number;
  readonly logger: Logger;
  /** Log message for a round that failed. */
  readonly onFailure: string;
  /** Notes the work for the metric of long turns, when a round begins and when it ends. */
  readonly noteRound?: (() => void) | undefined;
}

/** Work of a round; it may tell that there was nothing to do. */
type Round = (signal: AbortSignal) => Promise<void> | Promise<'idle' | undefined>;

/**
 * Repeats the work, starting now, one round at a time, also after a failed one. Returns a function that stops it and waits
 * for a round in progress.
 */
export function repeatAtIntervals(
  work: Round,
  { intervalMs, idleIntervalMs = intervalMs, logger, onFailure, noteRound = () => {} }: RepeatOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      noteRound();
      const outcome = await work(signal).catch((err: unknown) => {
        if (!signal.aborted) logger.warn({ err }, onFailure);
      });
      noteRound();
      const delayMs = (outcome === 'idle' ? idleIntervalMs : intervalMs) * (0.75 + Math.random() / 2);
      await sleep(delayMs, undefined, { signal }).catch(() => {});
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
