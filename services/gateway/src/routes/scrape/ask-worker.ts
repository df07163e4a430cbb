import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type Engine,
  engineFor,
  fromFailure,
  type ScrapeCommand,
  type ScrapeResult,
} from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';

/** Collaborators of whoever sends commands to workers. */
export interface WorkerDeps {
  readonly broker: Broker;
  readonly logger: Logger;
}

/** What whoever runs the service can do where nobody takes an engine's work. */
const REMEDIES: Readonly<Record<Engine, string>> = {
  http: 'start a scraper whose ENGINES include http.',
  browser:
    'start a scraper whose ENGINES include browser; where there is one, its log says what its browser lacks and how to get it.',
};

/** Throws SERVICE_UNAVAILABLE when no worker listens that could do the work. */
export async function requireWorker(engine: Engine, { broker }: WorkerDeps): Promise<void> {
  if ((await broker.consumerCount(`scrape.${engine}`)) > 0) return;
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: `No ${engine} worker is running.`,
    suggestion: `Try again in a moment. If this service is yours, ${REMEDIES[engine]}`,
    retryAfterSeconds: 5,
  });
}

/**
 * The page, from whichever worker takes the command. Throws what the worker failed with, TIMEOUT at the deadline,
 * SERVICE_UNAVAILABLE, or the signal's reason, after telling the workers that nobody waits any more.
 */
export async function askWorker(
  command: ScrapeCommand,
  signal: AbortSignal,
  { broker, logger }: WorkerDeps,
): Promise<ScrapeResult> {
  const { requestId, deadlineMs, request } = command;
  const cancel = () => {
    broker.broadcast('cancellations', { requestId }).catch((err: unknown) => {
      logger.warn(
        { err, callId: requestId },
        'A cancellation was not sent; the worker stops at the deadline.',
      );
    });
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const reply = await broker.request(`scrape.${engineFor(request)}`, command, { deadlineMs, signal });
    signal.throwIfAborted();
    if (!reply.ok) throw fromFailure(reply.failure);
    return reply.result;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
