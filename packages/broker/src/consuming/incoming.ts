import type { RequestDefinition } from '../messages/definitions.ts';

/** A message as its handler receives it. */
export interface Incoming<Body> {
  readonly body: Body;
  /**
   * Aborted at the deadline, at shutdown, and when the connection that brought the message is lost. In the last case
   * the message goes to another worker, and the handler's result is dropped.
   */
  readonly signal: AbortSignal;
  /** True when another worker may have started the same work before. */
  readonly redelivered: boolean;
  /** Number of times that the message was delivered, this time included. */
  readonly deliveryCount: number;
}

/** Result of a handler that has forwarded its request to another queue for its worker to reply. */
export const FORWARDED = Symbol('forwarded');
export type Forwarded = typeof FORWARDED;

/** A request as its handler receives it. */
export interface IncomingRequest<Body, Forward> extends Incoming<Body> {
  /**
   * Forwards the request, with another body, to a queue whose workers give the same kind of reply, within the same
   * deadline. The handler returns the result of this call. SERVICE_UNAVAILABLE when the queue, or room in it, is missing.
   */
  readonly forward: Forward;
}

/** Works on a request: its result becomes the reply, its error the requester's error. */
export type RequestHandler<Body, Reply, Forward = ForwardTo<Reply>> = (
  request: IncomingRequest<Body, Forward>,
) => Promise<Reply | Forwarded>;

/** Forwards by the definition of a queue's requests. */
export type ForwardTo<Reply> = <Body>(
  definition: RequestDefinition<Body, Reply>,
  body: Body,
) => Promise<Forwarded>;

/** Handles a broadcast. */
export type BroadcastHandler<Body> = (body: Body) => void | Promise<void>;

/** Works on a message, which is acknowledged when this resolves. */
export type WorkHandler<Body> = (work: Incoming<Body>) => Promise<void>;

export interface ConsumeOptions {
  /** Largest number of messages that are worked on at once. */
  readonly concurrency: number;
}
