import { type Broker, isUnconfirmed } from '@gleaner/broker';
import {
  AppError,
  type Engine,
  engineFor,
  fromFailure,
  mayRepeat,
  type ScrapeCommand,
  type ScrapeResult,
  toAppError,
} from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';

/** Collaborators of the functions that talk to workers. */
export interface WorkerDeps {
  readonly broker: Broker;
  readonly logger: Logger;
}

/** Advice for the operator where no worker runs an engine. */
const REMEDIES: Readonly<Record<Engine, string>> = {
  http: 'start a scraper with http in ENGINES.',
  browser:
    'start a scraper with browser in ENGINES; if one is running, its log says what its browser lacks and how to install it.',
};

/** Time after the deadline for a busy worker to report where the time went. */
export const GRACE_MS = 2000;

/** Throws SERVICE_UNAVAILABLE when no worker runs the engine. */
export async function requireWorker(engine: Engine, { broker }: WorkerDeps): Promise<void> {
  if ((await broker.consumerCount(`scrape.${engine}`)) > 0) return;
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: `No ${engine} worker is running.`,
    suggestion: `Try again in a moment. If you operate this installation, ${REMEDIES[engine]}`,
    retryAfterSeconds: 5,
  });
}

/**
 * Sends a scrape to the workers and returns the page. Throws the worker's error with its attempts, TIMEOUT at the deadline,
 * SERVICE_UNAVAILABLE, OUTCOME_UNKNOWN where a worker may have sent a request that must not be sent twice, or the reason of the signal, after a cancellation was broadcast to the workers.
 */
export async function askWorker(
  command: ScrapeCommand,
  signal: AbortSignal,
  { broker, logger }: WorkerDeps,
): Promise<ScrapeResult> {
  const { requestId, deadlineMs, request } = command;
  using _cancellation = broadcastCancellation(requestId, signal, { broker, logger });
  const options = { deadlineMs, graceMs: GRACE_MS, signal };
  const reply = await broker
    .request(`scrape.${engineFor(request)}`, command, options)
    .catch((error: unknown) => {
      throw isUnconfirmed(error) && !mayRepeat(request) ? outcomeUnknown(error) : error;
    });
  signal.throwIfAborted();
  if (!reply.ok) throw fromFailure({ ...reply.failure, attempts: reply.attempts });
  return reply.result;
}

/** Tells the workers to stop with a request when the signal aborts, until it is disposed of. */
export function broadcastCancellation(
  requestId: string,
  signal: AbortSignal,
  { broker, logger }: WorkerDeps,
): Disposable {
  const cancel = () => {
    broker.broadcast('cancellations', { requestId }).catch((err: unknown) => {
      logger.warn(
        { err, callId: requestId },
        'A cancellation was not sent; the worker stops at the deadline.',
      );
    });
  };
  signal.addEventListener('abort', cancel, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', cancel) };
}

function outcomeUnknown(cause: unknown): AppError {
  const { message } = toAppError(cause);
  return new AppError('OUTCOME_UNKNOWN', {
    message: `It is not known whether a worker has sent the request. ${message}`,
    cause,
  });
}
