import { isNativeError } from 'node:util/types';
import { AppError, type AppErrorOptions } from '@gleaner/contracts';
import type { Observe } from './broker-options.ts';

const RETRY_AFTER_SECONDS = 2;

/** Creates a SERVICE_UNAVAILABLE with a Retry-After: the broker, the queue or the worker is away for now. */
export function unavailable(message: string, options: Omit<AppErrorOptions, 'message'> = {}): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...options,
    message,
  });
}

/** An error after which the broker may have the message all the same. */
class Unconfirmed extends AppError {}

/** Returns the error of a message, or of a request, that may have arrived. */
export function unconfirmed(error: AppError): AppError {
  const { message, suggestion, source, retryAfterSeconds, cause } = error;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new Unconfirmed(error.code, { message, suggestion, source, cause, ...wait });
}

/** Returns whether a message, or a request, may have arrived although it was reported as failed. */
export function isUnconfirmed(error: unknown): boolean {
  return error instanceof Unconfirmed;
}

/** amqplib's message for basic.nack; a confirm that can no longer arrive has another. */
const NACKED = 'message nacked';

/** Translates a failed confirm for the publisher to this queue or exchange. */
export function confirmError(cause: Error, to: string, observe: Observe): AppError {
  if (cause.message !== NACKED) {
    return unconfirmed(
      unavailable(`The connection to the broker was lost while it took a message for ${to}.`, { cause }),
    );
  }
  observe('nacked', to);
  return unavailable(`The queue ${to} is full.`, { cause });
}

/** Advice for an operator, by AMQP reply code (0-9-1, section 1.2) or system error. */
const REMEDIES: Readonly<Record<string, string>> = {
  320: 'The broker closed the connection on purpose (a restart, or an operator); it will be reopened.',
  403: 'Check user name and password in AMQP_URL, and that the user may configure, write and read on this vhost (rabbitmqctl set_permissions).',
  404: 'A queue or exchange was deleted; it is declared again at the next attempt.',
  405: 'Another connection holds it exclusively; close that one.',
  406: 'It exists with other settings than this version declares. Stop the services that use it, let it drain, delete it (rabbitmqctl delete_queue <name>; an exchange in the management interface), or set another name prefix. It is declared again at the next attempt.',
  540: 'The broker does not support this feature: use RabbitMQ 3.10 or later, or the embedded server of this version.',
  'no vhost':
    'The broker rejected the vhost at the end of AMQP_URL: create it (rabbitmqctl add_vhost, set_permissions), or correct it. Without a path the vhost is "/".',
  ECONNREFUSED: 'No process listens there: start the broker, or correct host and port in AMQP_URL.',
  ENOTFOUND: 'The host name in AMQP_URL does not resolve: correct it, or check the DNS.',
  ETIMEDOUT: 'No response: check the address in AMQP_URL and the firewalls on the way.',
};

/** Describes a broker error in one sentence, followed by advice where there is any. */
export function explainError(error: unknown): string {
  const message = isNativeError(error) ? error.message || error.name : String(error);
  const remedy = REMEDIES[errorCode(error) ?? codeInMessage(message)];
  return remedy ? `${message.replace(/\.?$/, '.')} ${remedy}` : message;
}

/** Returns the AMQP reply code or the system's error code of an error. */
export function errorCode(error: unknown): string | undefined {
  const hasCode = isNativeError(error) && 'code' in error && error.code !== undefined;
  return hasCode ? String(error.code) : undefined;
}

/** During the handshake amqplib puts the reply code into its message only, or not even there. */
function codeInMessage(message: string): string {
  if (message.startsWith('Expected ConnectionOpenOk')) return 'no vhost';
  return /\b(\d{3}) \([A-Z-]+\)/.exec(message)?.[1] ?? '';
}
