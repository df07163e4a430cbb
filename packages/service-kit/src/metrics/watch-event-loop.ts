import type { Logger } from '../logger/create-logger.ts';
import type { Metrics } from './create-metrics.ts';
import { onTick } from './ticks.ts';

/** Collaborators of the watch, and the delay from which it reports. */
interface EventLoopWatchDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly thresholdMs?: number;
}

const DEFAULT_THRESHOLD_MS = 1000;

/**
 * Counts and logs each block of the event loop over the threshold, 1 s by default. Heartbeats, health checks and all requests
 * wait for its end. Returns a function that stops the watch.
 */
export function watchEventLoop({
  logger,
  metrics,
  thresholdMs = DEFAULT_THRESHOLD_MS,
}: EventLoopWatchDeps): () => void {
  const stalls = metrics.counter({
    name: 'event_loop_stalls_total',
    help: `Times that the event loop was blocked for more than ${thresholdMs} ms.`,
  });
  return onTick((delayMs) => {
    if (delayMs <= thresholdMs) return;
    stalls.inc();
    logger.warn(
      { blockedMs: delayMs },
      'The event loop was blocked: some code computed too long without a pause.',
    );
  });
}
