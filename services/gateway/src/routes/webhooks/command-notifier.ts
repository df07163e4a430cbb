import type { Broker } from '@gleaner/broker';
import { AppError, type WebhookCommand, type WebhookReply } from '@gleaner/contracts';

/** Collaborators of whoever commands the webhook-notifier. */
export interface NotifierCommander {
  readonly broker: Pick<Broker, 'request' | 'consumerCount'>;
}

/** A test event takes as long as an endpoint may take to answer. */
const TIMEOUT_MS = 25_000;

/** What came of the command. Throws DELIVERY_NOT_FOUND, and SERVICE_UNAVAILABLE when no notifier listens or answers. */
export async function commandNotifier(
  command: WebhookCommand,
  { broker }: NotifierCommander,
  signal: AbortSignal,
): Promise<WebhookReply> {
  if ((await broker.consumerCount('webhooks.commands')) === 0) {
    throw unavailable('Nobody takes care of webhooks at the moment.');
  }
  try {
    return await broker.request('webhooks.commands', command, { timeoutMs: TIMEOUT_MS, signal });
  } catch (fault) {
    if (!(fault instanceof AppError) || fault.code !== 'TIMEOUT') throw fault;
    throw unavailable('Webhooks are answered too slowly at the moment.', fault);
  }
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message,
    suggestion: 'Try again in a moment. If this service is yours, start a webhook-notifier.',
    retryAfterSeconds: 5,
    cause,
  });
}
