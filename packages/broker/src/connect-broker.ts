import {
  type AppError,
  type BroadcastBody,
  type BroadcastName,
  type JobEvent,
  QUEUES,
  type QueueName,
  type RequestBody,
  type RequestName,
  type RequestReply,
  type WorkBody,
  type WorkName,
} from '@gleaner/contracts';
import type { BrokerOptions } from './connection/broker-options.ts';
import type {
  BroadcastHandler,
  ConsumeOptions,
  Forwarded,
  RequestHandler,
  WorkHandler,
} from './consuming/incoming.ts';
import type { Subscription } from './consuming/subscription.ts';
import { Definitions } from './messages/definitions.ts';
import type { RequestOptions } from './publishing/requester.ts';
import { Transport } from './transport.ts';

const CONNECT_TIMEOUT_MS = 5000;
const CLOSE_TIMEOUT_MS = 10_000;

/** Names of the requests whose workers give the same kind of reply. */
type SameReply<Name extends RequestName> = {
  [Other in RequestName]: RequestReply<Other> extends RequestReply<Name> ? Other : never;
}[RequestName];

/** Forwards to a queue by its name in the message table. */
type ForwardByName<Name extends RequestName> = <Other extends SameReply<Name>>(
  name: Other,
  body: RequestBody<Other>,
) => Promise<Forwarded>;

/** The broker, typed by the message table of the contracts. It reconnects for as long as the process lives, and resumes. */
export interface Broker {
  /** True when everything in use is connected, declared and consumed right now. */
  readonly isReady: boolean;
  /** Waits until `isReady`, at most this long, and returns it. */
  whenReady(timeoutMs: number): Promise<boolean>;
  /**
   * Sends a request and returns its reply. Rejects with the worker's error; TIMEOUT after the deadline (an error of the
   * worker that names its stage is accepted up to 200 ms longer); SERVICE_UNAVAILABLE within 5 s when the broker, the
   * queue or room in it is missing; PAYLOAD_TOO_LARGE; or the signal's reason.
   */
  request<Name extends RequestName>(
    name: Name,
    body: RequestBody<Name>,
    options: RequestOptions,
  ): Promise<RequestReply<Name>>;
  /** Works on requests until it is stopped; an error of the handler rejects the request at its sender. */
  respond<Name extends RequestName>(
    name: Name,
    handler: RequestHandler<RequestBody<Name>, RequestReply<Name>, ForwardByName<Name>>,
    options: ConsumeOptions,
  ): Subscription;
  /** Sends to every process that listens at this moment; SERVICE_UNAVAILABLE when the broker does not take it. */
  broadcast<Name extends BroadcastName>(name: Name, body: BroadcastBody<Name>): Promise<void>;
  /** Listens to a broadcast from now on; messages sent while the connection is away are missed. */
  onBroadcast<Name extends BroadcastName>(
    name: Name,
    handler: BroadcastHandler<BroadcastBody<Name>>,
  ): Subscription;
  /**
   * Queues work that survives restarts. Returns the error of each body, in order, or `undefined` where it is safe; after
   * a lost confirm it may be queued all the same. Rejects only with the signal's reason.
   */
  publishWork<Name extends WorkName>(
    name: Name,
    bodies: readonly WorkBody<Name>[],
    signal?: AbortSignal,
  ): Promise<(AppError | undefined)[]>;
  /**
   * Postpones work: it is delivered after the longest delay that its queue has within `delayMs`, or the shortest, so it
   * may have to be postponed again. SERVICE_UNAVAILABLE when the broker may not have it.
   */
  postponeWork<Name extends WorkName>(name: Name, body: WorkBody<Name>, delayMs: number): Promise<void>;
  /**
   * Works on the messages of a queue until it is stopped. A message is acknowledged when the handler returns, held while
   * the handler fails with SERVICE_UNAVAILABLE, delivered again a little later after another retryable error, and moved
   * to the dead letters after any other.
   */
  consumeWork<Name extends WorkName>(
    name: Name,
    handler: WorkHandler<WorkBody<Name>>,
    options: ConsumeOptions,
  ): Subscription;
  /**
   * Publishes events, with their types as routing keys, to every queue that is bound to them. Returns the error of each,
   * as `publishWork` does; an event that no queue is bound to is dropped and counts as published.
   */
  publishEvents(events: readonly JobEvent[]): Promise<(AppError | undefined)[]>;
  /** Returns the number of consumers of a queue, as of at most 1 s ago; SERVICE_UNAVAILABLE without an answer. */
  consumerCount(name: QueueName): Promise<number>;
  /** Returns the number of messages that wait in a queue, postponed ones included; otherwise as `consumerCount`. */
  messageCount(name: QueueName): Promise<number>;
  /** Lets running handlers finish within the timeout (10 s by default), requeues the rest, and disconnects. */
  close(timeoutMs?: number): Promise<void>;
}

/**
 * Connects to the broker. Returns once connected, or after `connectTimeoutMs` without a connection: it goes on trying
 * for as long as the process lives, and never ends it. Throws only when the URL is not an AMQP URL.
 */
export async function connectBroker(options: BrokerOptions): Promise<Broker> {
  const transport = new Transport(options);
  const definitions = new Definitions();
  await transport.whenReady(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  return {
    get isReady() {
      return transport.isReady;
    },
    whenReady: (timeoutMs) => transport.whenReady(timeoutMs),
    request: (name, body, requestOptions) =>
      transport.request(definitions.request(name), body, requestOptions),
    respond: (name, handler, consumeOptions) =>
      transport.respond(
        definitions.request(name),
        (request) =>
          handler({ ...request, forward: (to, body) => request.forward(definitions.request(to), body) }),
        consumeOptions,
      ),
    broadcast: (name, body) => transport.broadcast(definitions.broadcast(name), body),
    onBroadcast: (name, handler) => transport.onBroadcast(definitions.broadcast(name), handler),
    publishWork: (name, bodies, signal) => transport.publishWork(definitions.work(name), bodies, signal),
    postponeWork: (name, body, delayMs) => transport.postponeWork(definitions.work(name), body, delayMs),
    consumeWork: (name, handler, consumeOptions) =>
      transport.consumeWork(definitions.work(name), handler, consumeOptions),
    publishEvents: (events) => transport.publishEvents(events),
    consumerCount: (name) => transport.consumerCount(QUEUES[name]),
    messageCount: (name) => transport.messageCount(QUEUES[name]),
    close: (timeoutMs = CLOSE_TIMEOUT_MS) => transport.close(timeoutMs),
  };
}
