import { type AppError, compileSchema, EXCHANGES, FailureSchema, fromFailure } from '@gleaner/contracts';
import type { ConfirmChannel, Message } from 'amqplib';
import type { BrokerChannel } from '../connection/broker-channel.ts';
import type { BrokerConnection } from '../connection/broker-connection.ts';
import { confirmError, unavailable, unconfirmed } from '../connection/broker-errors.ts';
import type { MessageTracing, Observe } from '../connection/broker-options.ts';
import { declareExchange, type NameOnBroker } from '../messages/declare-queues.ts';
import type { RequestDefinition } from '../messages/definitions.ts';
import {
  DEADLINE_HEADER,
  decodeJson,
  encodeJson,
  FAILURE_TYPE,
  oversize,
  traceHeader,
} from '../messages/json-message.ts';
import { PendingRequest } from './pending-request.ts';

/** https://www.rabbitmq.com/docs/direct-reply-to */
const REPLY_QUEUE = 'amq.rabbitmq.reply-to';
const DEFAULT_GRACE_MS = 200;

/** Time limit of a request: a budget from now, or a moment in milliseconds since 1970. */
export type RequestOptions = ({ readonly timeoutMs: number } | { readonly deadlineMs: number }) & {
  /** Aborted when the caller no longer waits; the request then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Time after the deadline to still accept a reply, so that a worker out of time can report the stage.
   * Default 200.
   */
  readonly graceMs?: number;
};

/** Bounds of one request. */
interface Bounds {
  readonly deadlineMs: number;
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
}

interface RequesterDeps {
  readonly connection: BrokerConnection;
  readonly nameOnBroker: NameOnBroker;
  readonly observe: Observe;
  readonly tracing: MessageTracing | undefined;
}

/** Sends requests and matches the replies to them, over one channel. */
export class Requester {
  readonly #deps: RequesterDeps;
  readonly #channel: BrokerChannel<ConfirmChannel>;
  readonly #pending = new Map<string, PendingRequest>();
  readonly #checkFailure = compileSchema(FailureSchema, 'open');
  #lastId = 0;

  constructor(deps: RequesterDeps) {
    this.#deps = deps;
    this.#channel = deps.connection.addChannel({
      name: 'requests',
      open: (connection) => connection.createConfirmChannel(),
      prepare: (channel) => this.#prepare(channel),
      onLost: () => this.close(unavailable('The connection to the broker was lost before the reply came.')),
    });
  }

  /**
   * Sends a request and returns its reply. Rejects with the worker's error, TIMEOUT after the deadline,
   * SERVICE_UNAVAILABLE when the broker, the queue or room in it is missing, PAYLOAD_TOO_LARGE, or the signal's reason.
   */
  async request<Body, Reply>(
    definition: RequestDefinition<Body, Reply>,
    body: Body,
    options: RequestOptions,
  ): Promise<Reply> {
    const { signal, graceMs = DEFAULT_GRACE_MS } = options;
    const { name } = definition.queue;
    signal?.throwIfAborted();
    const deadlineMs = 'deadlineMs' in options ? options.deadlineMs : Date.now() + options.timeoutMs;
    const content = encodeJson(body);
    const error = oversize(content, name);
    if (error) throw error;
    const channel = this.#channel.readyChannel ?? (await this.#channel.whenReady(signal));
    const message = await this.#send(channel, definition, content, { deadlineMs, graceMs, signal });
    const what = `A reply from ${name}`;
    if (message.properties.type !== FAILURE_TYPE)
      return await decodeJson(message.content, definition.checkReply, what);
    throw fromFailure(await decodeJson(message.content, this.#checkFailure, what));
  }

  /** Rejects every request that still waits for its reply. */
  close(reason: AppError): void {
    for (const pending of [...this.#pending.values()]) pending.reject(unconfirmed(reason));
  }

  async #prepare(channel: ConfirmChannel): Promise<void> {
    await declareExchange(channel, EXCHANGES.commands, this.#deps.nameOnBroker);
    channel.on('return', (message) => this.#onReturn(message));
    await channel.consume(REPLY_QUEUE, (message) => this.#onReply(message), { noAck: true });
  }

  #send<Body, Reply>(
    channel: ConfirmChannel,
    { queue }: RequestDefinition<Body, Reply>,
    content: Buffer,
    { deadlineMs, graceMs, signal }: Bounds,
  ): Promise<Message> {
    const timeoutMs = Math.max(1, deadlineMs - Date.now());
    const id = String(++this.#lastId);
    const pending = new PendingRequest({
      queueName: queue.name,
      timeoutMs,
      graceMs,
      signal,
      onSettled: () => this.#pending.delete(id),
    });
    this.#pending.set(id, pending);
    const properties = {
      correlationId: id,
      replyTo: REPLY_QUEUE,
      contentType: 'application/json',
      expiration: timeoutMs,
      mandatory: true,
      timestamp: Math.floor(Date.now() / 1000),
      headers: { [DEADLINE_HEADER]: deadlineMs, ...traceHeader(this.#deps.tracing) },
    };
    const exchange = this.#deps.nameOnBroker(EXCHANGES[queue.exchange].name);
    try {
      const hasRoom = channel.publish(exchange, queue.routingKey, content, properties, (nack) => {
        if (nack) pending.reject(confirmError(nack, queue.name, this.#deps.observe));
        else pending.confirm();
      });
      this.#channel.noteWrite(hasRoom);
      this.#deps.observe('published', queue.name);
    } catch (cause) {
      pending.reject(unavailable('The connection to the broker was lost.', { cause }));
    }
    return pending.reply;
  }

  #onReply(message: Message | null): void {
    if (!message) return;
    const pending = this.#pending.get(message.properties.correlationId);
    if (pending) pending.resolve(message);
    else this.#deps.observe('late-reply', message.fields.routingKey);
  }

  #onReturn(message: Message): void {
    const { routingKey } = message.fields;
    this.#deps.observe('returned', routingKey);
    const reason = unavailable(`No worker of ${routingKey} has started yet: its queue does not exist.`);
    this.#pending.get(message.properties.correlationId)?.reject(reason);
  }
}
