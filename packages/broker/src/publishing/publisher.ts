import { randomUUID } from 'node:crypto';
import {
  type AppError,
  afterSilence,
  type ExchangeDefinition,
  type QueueDefinition,
  toAppError,
} from '@gleaner/contracts';
import type { ConfirmChannel, Options } from 'amqplib';
import type { BrokerChannel } from '../connection/broker-channel.ts';
import type { BrokerConnection } from '../connection/broker-connection.ts';
import { confirmError, unavailable, unconfirmed } from '../connection/broker-errors.ts';
import type { Observe } from '../connection/broker-options.ts';
import { declareExchange, declareQueue, type NameOnBroker } from '../messages/declare-queues.ts';
import { oversize } from '../messages/json-message.ts';

/** Time for the broker to confirm a message. */
const CONFIRM_TIMEOUT_MS = 10_000;

/** One message to publish. */
export interface OutgoingMessage {
  /** The queue or exchange that it is for, as the contracts name it. */
  readonly to: string;
  /** The exchange's name on the broker; '' is the default exchange. */
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly properties: Options.Publish;
}

interface PublisherDeps {
  readonly connection: BrokerConnection;
  readonly nameOnBroker: NameOnBroker;
  readonly observe: Observe;
  /** Declared before anything is sent: publishing to an exchange that is missing closes the channel. */
  readonly exchanges: readonly ExchangeDefinition[];
  /** Declared as well: an exchange drops messages that no queue is bound to. */
  readonly queues: readonly QueueDefinition[];
}

/** Publishes with confirms over one channel: a message that is not reported as failed is safe with the broker. */
export class Publisher {
  readonly #deps: PublisherDeps;
  readonly #channel: BrokerChannel<ConfirmChannel>;
  readonly #returned = new Set<string>();
  readonly #idPrefix = randomUUID();
  #lastId = 0;

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
    this.#channel = deps.connection.addChannel({
      name: 'publishing',
      open: (connection) => connection.createConfirmChannel(),
      prepare: (channel) => this.#prepare(channel),
      onLost: () => this.#returned.clear(),
    });
  }

  /** Resolves once the broker has the message; rejects with SERVICE_UNAVAILABLE when it may not have it. */
  async publish(message: OutgoingMessage, signal?: AbortSignal): Promise<void> {
    const [error] = await this.publishAll([message], signal);
    if (error) throw error;
  }

  /**
   * Sends all messages, waits for the confirms together, and returns the error of each message, in order, or
   * `undefined` where the broker has it. After a lost connection or a timeout it may have it all the same.
   */
  async publishAll(
    messages: readonly OutgoingMessage[],
    signal?: AbortSignal,
  ): Promise<(AppError | undefined)[]> {
    const confirms: Promise<AppError | undefined>[] = [];
    for (const message of messages) {
      try {
        const channel = this.#channel.readyChannel ?? (await this.#channel.whenReady(signal));
        confirms.push(this.#send(channel, message));
      } catch (error) {
        signal?.throwIfAborted();
        const unsent = new Array<AppError>(messages.length - confirms.length).fill(toAppError(error));
        return [...(await inTime(confirms)), ...unsent];
      }
    }
    return inTime(confirms);
  }

  async #prepare(channel: ConfirmChannel): Promise<void> {
    for (const exchange of this.#deps.exchanges) {
      await declareExchange(channel, exchange, this.#deps.nameOnBroker);
    }
    for (const queue of this.#deps.queues) await declareQueue(channel, queue, this.#deps.nameOnBroker);
    channel.on('return', ({ properties }) => this.#returned.add(properties.messageId));
  }

  #send(channel: ConfirmChannel, message: OutgoingMessage): Promise<AppError | undefined> {
    const { to, exchange, routingKey, content, properties } = message;
    const error = oversize(content, to);
    if (error) return Promise.resolve(error);
    const messageId = `${this.#idPrefix}-${++this.#lastId}`;
    return new Promise((resolve) => {
      const onConfirm = (nack: Error | null) => resolve(this.#outcome(nack, to, messageId));
      try {
        this.#channel.noteWrite(
          channel.publish(exchange, routingKey, content, { ...properties, messageId }, onConfirm),
        );
        this.#deps.observe('published', to);
      } catch (cause) {
        resolve(unavailable('The connection to the broker was lost.', { cause }));
      }
    });
  }

  #outcome(nack: Error | null, to: string, messageId: string): AppError | undefined {
    // The broker returns an unroutable message first, and confirms it all the same.
    const wasReturned = this.#returned.delete(messageId);
    if (nack) return confirmError(nack, to, this.#deps.observe);
    if (!wasReturned) return undefined;
    this.#deps.observe('returned', to);
    return unavailable(`The queue ${to} does not exist: the service that works on it has not started yet.`);
  }
}

async function inTime(confirms: readonly Promise<AppError | undefined>[]): Promise<(AppError | undefined)[]> {
  const late = Promise.withResolvers<AppError>();
  const message = `The broker has not confirmed a message within ${CONFIRM_TIMEOUT_MS} ms.`;
  const stopWaiting = afterSilence(CONFIRM_TIMEOUT_MS, () => late.resolve(unconfirmed(unavailable(message))));
  try {
    return await Promise.all(confirms.map((confirm) => Promise.race([confirm, late.promise])));
  } finally {
    stopWaiting();
  }
}
