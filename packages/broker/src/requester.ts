import { type AppError, compileSchema, EXCHANGES, FailureSchema, fromFailure } from '@gleaner/contracts';
import type { ConfirmChannel, Message } from 'amqplib';
import type { Observe } from './broker-options.ts';
import { confirmFault } from './confirm-fault.ts';
import { declareExchange, type NameOnBroker } from './declare-topology.ts';
import type { RequestDefinition } from './definitions.ts';
import { decodeJson, encodeJson, oversize } from './json-message.ts';
import type { Lane } from './lane.ts';
import type { Link } from './link.ts';
import { DEADLINE_HEADER, FAILURE_TYPE } from './message-headers.ts';
import { PendingRequest } from './pending-request.ts';
import { unavailable } from './unavailable.ts';

/** https://www.rabbitmq.com/docs/direct-reply-to */
const REPLY_QUEUE = 'amq.rabbitmq.reply-to';
const DEFAULT_GRACE_MS = 200;

/** How long the answer is wanted: a budget from now, or a moment in milliseconds since 1970. */
export type RequestOptions = ({ readonly timeoutMs: number } | { readonly deadlineMs: number }) & {
  /** Aborted when nobody waits any more; the request then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** A worker that runs out of time says in which stage: how long after the deadline it is heard. Default 200. */
  readonly graceMs?: number;
};

/** How long one request waits. */
interface Patience {
  readonly deadlineMs: number;
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
}

interface RequesterDeps {
  readonly link: Link;
  readonly nameOnBroker: NameOnBroker;
  readonly observe: Observe;
}

/** Sends requests and matches the replies to them, over one channel. */
export class Requester {
  readonly #deps: RequesterDeps;
  readonly #lane: Lane<ConfirmChannel>;
  readonly #pending = new Map<string, PendingRequest>();
  readonly #checkFailure = compileSchema(FailureSchema);
  #lastId = 0;

  constructor(deps: RequesterDeps) {
    this.#deps = deps;
    this.#lane = deps.link.addLane({
      name: 'requests',
      open: (connection) => connection.createConfirmChannel(),
      prepare: (channel) => this.#prepare(channel),
      onLost: () => this.close(unavailable('The connection to the broker was lost before the reply came.')),
    });
  }

  /**
   * The reply. Rejects with what the worker failed with, TIMEOUT after the deadline, SERVICE_UNAVAILABLE when
   * the broker, the queue or room in it is missing, PAYLOAD_TOO_LARGE, or the signal's reason.
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
    const fault = oversize(content, name);
    if (fault) throw fault;
    const channel = this.#lane.readyChannel ?? (await this.#lane.whenReady(signal));
    const message = await this.#send(channel, definition, content, { deadlineMs, graceMs, signal });
    const what = `A reply from ${name}`;
    if (message.properties.type !== FAILURE_TYPE)
      return decodeJson(message.content, definition.checkReply, what);
    throw fromFailure(decodeJson(message.content, this.#checkFailure, what));
  }

  /** Gives up on every reply that is still awaited. */
  close(reason: AppError): void {
    for (const pending of [...this.#pending.values()]) pending.reject(reason);
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
    { deadlineMs, graceMs, signal }: Patience,
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
      headers: { [DEADLINE_HEADER]: deadlineMs },
    };
    const exchange = this.#deps.nameOnBroker(EXCHANGES[queue.exchange].name);
    try {
      const hasRoom = channel.publish(exchange, queue.routingKey, content, properties, (fault) => {
        if (fault) pending.reject(confirmFault(fault, queue.name, this.#deps.observe));
        else pending.confirm();
      });
      this.#lane.wrote(hasRoom);
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
    const reason = unavailable(`No worker has come up for ${routingKey}: its queue does not exist.`);
    this.#pending.get(message.properties.correlationId)?.reject(reason);
  }
}
