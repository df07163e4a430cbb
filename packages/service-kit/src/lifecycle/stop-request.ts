import { EXIT_CODES } from '@gleaner/config';
import type { Logger } from '../logger/create-logger.ts';

/** Reason of a request to stop. */
export type StopReason = 'SIGTERM' | 'SIGINT' | 'parent gone';

/** Request to stop, which a process receives once. */
export interface StopRequest {
  /** Aborted with the reason when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** Resolves at the same time. */
  readonly received: Promise<StopReason>;
}

/** One Ctrl-C arrives more than once: the terminal signals the whole group, and npm passes it on as well. */
const SAME_REQUEST_MS = 250;

/**
 * Listens for SIGTERM, SIGINT and, under a parent with an IPC channel, for that parent's end. A second signal
 * ends the process at once with code 130.
 */
export function listenForStop(logger: Logger): StopRequest {
  const stop = new AbortController();
  const { promise: received, resolve } = Promise.withResolvers<StopReason>();
  let requestedAtMs: number | undefined;
  const onRequest = (reason: StopReason) => {
    const nowMs = performance.now();
    if (requestedAtMs === undefined) {
      requestedAtMs = nowMs;
      logger.info(
        { reason },
        'Asked to stop: finishing the work in progress; a second signal ends the process at once.',
      );
      stop.abort(new Error(`The process was asked to stop (${reason}).`));
      resolve(reason);
    } else if (reason !== 'parent gone' && nowMs - requestedAtMs > SAME_REQUEST_MS) {
      logger.warn({ reason }, 'Asked to stop a second time: ending without finishing the work in progress.');
      process.exit(EXIT_CODES.interrupted);
    }
  };
  process.on('SIGTERM', onRequest);
  process.on('SIGINT', onRequest);
  if (process.channel) process.on('disconnect', () => onRequest('parent gone'));
  return { signal: stop.signal, received };
}
