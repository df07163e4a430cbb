import type { Broker } from '@gleaner/broker';
import { AppError, type RequestBody, type RequestName, type RequestReply } from '@gleaner/contracts';

/** Collaborators of `sendCommand`. */
export interface CommandDeps {
  readonly broker: Pick<Broker, 'consumerCount' | 'request'>;
}

/** Options of `sendCommand`. */
export interface CommandOptions {
  /** Name of the service that carries the command out. */
  readonly service: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Advice for a client whose command timed out, and may have been carried out all the same. */
  readonly timeoutSuggestion: string;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Sends a command to the service that works on the queue and returns its reply. Rejects with the error of that service,
 * and with SERVICE_UNAVAILABLE when no process of it is running or none replies in time: the command may have been
 * carried out then.
 */
export async function sendCommand<Name extends RequestName>(
  { broker }: CommandDeps,
  name: Name,
  body: RequestBody<Name>,
  { service, timeoutMs, signal, timeoutSuggestion }: CommandOptions,
): Promise<RequestReply<Name>> {
  if ((await broker.consumerCount(name)) === 0) throw notRunning(service);
  try {
    return await broker.request(name, body, { timeoutMs, signal });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'TIMEOUT' || error.source !== 'api') throw error;
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: `The ${service} did not reply in time. The request may have been carried out all the same.`,
      suggestion: timeoutSuggestion,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
}

function notRunning(service: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: `No ${service} is running.`,
    suggestion: `Try again in a moment. If you operate this installation, start a ${service}.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
