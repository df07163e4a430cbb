import type { RequestDefinition } from './definitions.ts';

/** A message as its handler sees it. */
export interface Incoming<Body> {
  readonly body: Body;
  /**
   * Aborted at the deadline, at shutdown, and when the connection that brought the message is lost: then it
   * goes to another worker, and whatever the handler still returns is dropped.
   */
  readonly signal: AbortSignal;
  /** Whether another worker may have begun the same work before. */
  readonly redelivered: boolean;
  /** How many times the message was handed out, this time included. */
  readonly deliveryCount: number;
}

/** Says that the request is with another queue, whose worker answers it. */
export const FORWARDED = Symbol('forwarded');
export type Forwarded = typeof FORWARDED;

/** A request as its handler sees it. */
export interface IncomingRequest<Body, Forward> extends Incoming<Body> {
  /**
   * Passes the request on, with another body, to a queue whose workers give the same kind of reply, within the same
   * deadline. The handler returns what this resolves with. SERVICE_UNAVAILABLE when the queue, or room in it, is missing.
   */
  readonly forward: Forward;
}

/** Does the work; what it returns is the reply, what it throws is the requester's error. */
export type RequestHandler<Body, Reply, Forward = ForwardTo<Reply>> = (
  request: IncomingRequest<Body, Forward>,
) => Promise<Reply | Forwarded>;

/** Forwards by the definition of a queue's requests. */
export type ForwardTo<Reply> = <Body>(
  definition: RequestDefinition<Body, Reply>,
  body: Body,
) => Promise<Forwarded>;

/** Takes note of an announcement. */
export type BroadcastHandler<Body> = (body: Body) => void | Promise<void>;

/** Does the work; the message is done with when it returns. */
export type WorkHandler<Body> = (work: Incoming<Body>) => Promise<void>;

export interface ConsumeOptions {
  /** How many messages are worked on at once. */
  readonly concurrency: number;
}
