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
import type { BrokerOptions } from './broker-options.ts';
import { Definitions } from './definitions.ts';
import type { BroadcastHandler, ConsumeOptions, Forwarded, RequestHandler, WorkHandler } from './incoming.ts';
import type { RequestOptions } from './requester.ts';
import type { Subscription } from './subscription.ts';
import { Transport } from './transport.ts';

const CONNECT_TIMEOUT_MS = 5000;
const CLOSE_TIMEOUT_MS = 10_000;

/** The requests whose workers give the same kind of reply. */
type SameReply<Name extends RequestName> = {
  [Other in RequestName]: RequestReply<Other> extends RequestReply<Name> ? Other : never;
}[RequestName];

/** Forwards to a queue by its name in the message table. */
type ForwardByName<Name extends RequestName> = <Other extends SameReply<Name>>(
  name: Other,
  body: RequestBody<Other>,
) => Promise<Forwarded>;

/** The broker, typed by the message table of the contracts. It reconnects for ever and resumes what it did. */
export interface Broker {
  /** Whether everything that was asked for is connected, declared and consumed right now. */
  readonly isReady: boolean;
  /** Waits until `isReady`, at most this long; says whether it is. */
  whenReady(timeoutMs: number): Promise<boolean>;
  /**
   * The reply to a command. Rejects with what the worker failed with; TIMEOUT after the deadline (a worker that
   * names its stage in time is heard up to 200 ms longer); SERVICE_UNAVAILABLE within 5 s when the broker, the
   * queue or room in it is missing; PAYLOAD_TOO_LARGE; or the signal's reason.
   */
  request<Name extends RequestName>(
    name: Name,
    body: RequestBody<Name>,
    options: RequestOptions,
  ): Promise<RequestReply<Name>>;
  /** Works on commands until it is stopped; what the handler throws is what the requester gets. */
  respond<Name extends RequestName>(
    name: Name,
    handler: RequestHandler<RequestBody<Name>, RequestReply<Name>, ForwardByName<Name>>,
    options: ConsumeOptions,
  ): Subscription;
  /** Tells every process that listens at this moment; SERVICE_UNAVAILABLE when the broker does not take it. */
  broadcast<Name extends BroadcastName>(name: Name, body: BroadcastBody<Name>): Promise<void>;
  /** Hears what is broadcast from now on; what is said while the connection is away is missed. */
  onBroadcast<Name extends BroadcastName>(
    name: Name,
    handler: BroadcastHandler<BroadcastBody<Name>>,
  ): Subscription;
  /**
   * Queues work to survive restarts. Returns what went wrong with each body, in order: `undefined` where it is safe;
   * after a lost confirm it may be queued all the same. Rejects with the signal's reason alone.
   */
  publishWork<Name extends WorkName>(
    name: Name,
    bodies: readonly WorkBody<Name>[],
    signal?: AbortSignal,
  ): Promise<(AppError | undefined)[]>;
  /**
   * Puts work off: it comes back after the longest delay that its queue has within `delayMs`, or the shortest, so it
   * may have to be put off again. SERVICE_UNAVAILABLE when the broker may not have it.
   */
  postponeWork<Name extends WorkName>(name: Name, body: WorkBody<Name>, delayMs: number): Promise<void>;
  /**
   * Works on what a queue holds until it is stopped: done when the handler returns, held in hand while the handler
   * says SERVICE_UNAVAILABLE, again a little later after another error that may pass, to the dead letters after any other.
   */
  consumeWork<Name extends WorkName>(
    name: Name,
    handler: WorkHandler<WorkBody<Name>>,
    options: ConsumeOptions,
  ): Subscription;
  /**
   * Announces events, under their types as routing keys, to every queue that is bound to them. Returns what went wrong
   * with each, as `publishWork` does; an event that no queue wants is dropped and counts as announced.
   */
  publishEvents(events: readonly JobEvent[]): Promise<(AppError | undefined)[]>;
  /** How many workers listen to a queue, as of at most 1 s ago; SERVICE_UNAVAILABLE when it cannot be known. */
  consumerCount(name: QueueName): Promise<number>;
  /** How many messages wait in a queue, put off or not, as of at most 1 s ago; SERVICE_UNAVAILABLE when it cannot be known. */
  messageCount(name: QueueName): Promise<number>;
  /** Lets what is under way finish within the bound (10 s by default), hands the rest back, and disconnects. */
  close(timeoutMs?: number): Promise<void>;
}

/**
 * Connects to the broker. Returns once connected, or after `connectTimeoutMs` without: it goes on trying for
 * ever, and never brings the process down. Throws only when the URL is not an AMQP URL.
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
