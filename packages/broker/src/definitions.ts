import {
  BROADCASTS,
  type BroadcastBody,
  type BroadcastName,
  type Check,
  compileSchema,
  EXCHANGES,
  type ExchangeDefinition,
  QUEUES,
  type QueueDefinition,
  REQUESTS,
  type RequestBody,
  type RequestName,
  type RequestReply,
  WORK,
  type WorkBody,
  type WorkName,
} from '@gleaner/contracts';

/** A command that is answered: the queue that takes it, and the checks of what crosses the wire. */
export interface RequestDefinition<Body, Reply> {
  readonly queue: QueueDefinition;
  readonly checkBody: Check<Body>;
  readonly checkReply: Check<Reply>;
  /** Whether it may be what kills the workers that are lost over it. */
  readonly isPerilous: boolean;
}

/** An announcement: the exchange that spreads it, and the check of its body. */
export interface BroadcastDefinition<Body> {
  readonly exchange: ExchangeDefinition;
  readonly checkBody: Check<Body>;
}

/** Work that must be done: the queue that keeps it, and the check of its body. */
export interface WorkDefinition<Body> {
  readonly queue: QueueDefinition;
  readonly checkBody: Check<Body>;
}

/** The message table of the contracts with its schemas compiled, each at its first use. */
export class Definitions {
  readonly #known = new Map<string, unknown>();

  request<Name extends RequestName>(name: Name): RequestDefinition<RequestBody<Name>, RequestReply<Name>> {
    return this.#once(`request ${name}`, () => ({
      queue: QUEUES[name],
      checkBody: compileSchema(REQUESTS[name].body) as Check<RequestBody<Name>>,
      checkReply: compileSchema(REQUESTS[name].reply) as Check<RequestReply<Name>>,
      isPerilous: REQUESTS[name].isPerilous,
    }));
  }

  work<Name extends WorkName>(name: Name): WorkDefinition<WorkBody<Name>> {
    return this.#once(`work ${name}`, () => ({
      queue: QUEUES[name],
      checkBody: compileSchema(WORK[name].body) as Check<WorkBody<Name>>,
    }));
  }

  broadcast<Name extends BroadcastName>(name: Name): BroadcastDefinition<BroadcastBody<Name>> {
    return this.#once(`broadcast ${name}`, () => ({
      exchange: EXCHANGES[name],
      checkBody: compileSchema(BROADCASTS[name].body) as Check<BroadcastBody<Name>>,
    }));
  }

  /** What is kept under a name is of the type that the name was first asked with. */
  #once<Definition>(name: string, make: () => Definition): Definition {
    const known = this.#known.get(name) ?? make();
    this.#known.set(name, known);
    return known as Definition;
  }
}
