import { randomUUID } from 'node:crypto';
import { type AppError, type ExchangeDefinition, type QueueDefinition, toAppError } from '@gleaner/contracts';
import type { ConfirmChannel, Options } from 'amqplib';
import type { Observe } from './broker-options.ts';
import { confirmFault } from './confirm-fault.ts';
import { declareExchange, declareQueue, type NameOnBroker } from './declare-topology.ts';
import { oversize } from './json-message.ts';
import type { Lane } from './lane.ts';
import type { Link } from './link.ts';
import { unavailable } from './unavailable.ts';

/** How long the broker may take to confirm what it was given. */
const CONFIRM_TIMEOUT_MS = 10_000;

/** One message on its way out. */
export interface Outgoing {
  /** The queue or exchange that it is for, as the contracts name it. */
  readonly to: string;
  /** The exchange's name on the broker; '' is the default exchange. */
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly properties: Options.Publish;
}

interface PublisherDeps {
  readonly link: Link;
  readonly nameOnBroker: NameOnBroker;
  readonly observe: Observe;
  /** Declared before anything is sent: publishing to an exchange that is missing closes the channel. */
  readonly exchanges: readonly ExchangeDefinition[];
  /** Declared as well: an exchange drops what no queue is there for. */
  readonly queues: readonly QueueDefinition[];
}

/** Publishes with confirms over one channel: what is not reported as failed is safe with the broker. */
export class Publisher {
  readonly #deps: PublisherDeps;
  readonly #lane: Lane<ConfirmChannel>;
  readonly #returned = new Set<string>();
  readonly #idPrefix = randomUUID();
  #lastId = 0;

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
    this.#lane = deps.link.addLane({
      name: 'publishing',
      open: (connection) => connection.createConfirmChannel(),
      prepare: (channel) => this.#prepare(channel),
      onLost: () => this.#returned.clear(),
    });
  }

  /** Resolves once the broker has the message; SERVICE_UNAVAILABLE when it may not have it. */
  async publish(outgoing: Outgoing, signal?: AbortSignal): Promise<void> {
    const [fault] = await this.publishAll([outgoing], signal);
    if (fault) throw fault;
  }

  /**
   * Sends all, waits for the confirms together, and returns what went wrong with each message, in order:
   * `undefined` where the broker has it. After a lost connection or a time-out it may have it all the same.
   */
  async publishAll(outgoings: readonly Outgoing[], signal?: AbortSignal): Promise<(AppError | undefined)[]> {
    const confirms: Promise<AppError | undefined>[] = [];
    for (const outgoing of outgoings) {
      try {
        const channel = this.#lane.readyChannel ?? (await this.#lane.whenReady(signal));
        confirms.push(this.#send(channel, outgoing));
      } catch (fault) {
        signal?.throwIfAborted();
        const unsent = new Array<AppError>(outgoings.length - confirms.length).fill(toAppError(fault));
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

  #send(channel: ConfirmChannel, outgoing: Outgoing): Promise<AppError | undefined> {
    const { to, exchange, routingKey, content, properties } = outgoing;
    const fault = oversize(content, to);
    if (fault) return Promise.resolve(fault);
    const messageId = `${this.#idPrefix}-${++this.#lastId}`;
    return new Promise((resolve) => {
      const onConfirm = (fault: Error | null) => resolve(this.#verdict(fault, to, messageId));
      try {
        this.#lane.wrote(
          channel.publish(exchange, routingKey, content, { ...properties, messageId }, onConfirm),
        );
        this.#deps.observe('published', to);
      } catch (cause) {
        resolve(unavailable('The connection to the broker was lost.', { cause }));
      }
    });
  }

  #verdict(fault: Error | null, to: string, messageId: string): AppError | undefined {
    // A message that nobody takes is returned first, and confirmed all the same.
    const wasReturned = this.#returned.delete(messageId);
    if (fault) return confirmFault(fault, to, this.#deps.observe);
    if (!wasReturned) return undefined;
    this.#deps.observe('returned', to);
    return unavailable(`The queue ${to} does not exist: the service that works on it has not come up yet.`);
  }
}

async function inTime(confirms: readonly Promise<AppError | undefined>[]): Promise<(AppError | undefined)[]> {
  const late = Promise.withResolvers<AppError>();
  const message = `The broker has not confirmed a message within ${CONFIRM_TIMEOUT_MS} ms.`;
  const timer = setTimeout(() => late.resolve(unavailable(message)), CONFIRM_TIMEOUT_MS);
  try {
    return await Promise.all(confirms.map((confirm) => Promise.race([confirm, late.promise])));
  } finally {
    clearTimeout(timer);
  }
}
