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

/** A kind of request: its queue, and the checks of its body and reply. */
export interface RequestDefinition<Body, Reply> {
  readonly queue: QueueDefinition;
  readonly checkBody: Check<Body>;
  readonly checkReply: Check<Reply>;
  /** True when the request itself may crash the workers that are lost while they have it. */
  readonly isPerilous: boolean;
}

/** A kind of broadcast: the exchange that distributes it, and the check of its body. */
export interface BroadcastDefinition<Body> {
  readonly exchange: ExchangeDefinition;
  readonly checkBody: Check<Body>;
}

/** A kind of work: the queue that stores it, and the check of its body. */
export interface WorkDefinition<Body> {
  readonly queue: QueueDefinition;
  readonly checkBody: Check<Body>;
}

/** Message table of the contracts with its schemas compiled, each at its first use. */
export class Definitions {
  readonly #compiled = new Map<string, unknown>();

  request<Name extends RequestName>(name: Name): RequestDefinition<RequestBody<Name>, RequestReply<Name>> {
    return this.#once(`request ${name}`, () => ({
      queue: QUEUES[name],
      checkBody: compileSchema(REQUESTS[name].body, 'open') as Check<RequestBody<Name>>,
      checkReply: compileSchema(REQUESTS[name].reply, 'open') as Check<RequestReply<Name>>,
      isPerilous: REQUESTS[name].isPerilous,
    }));
  }

  work<Name extends WorkName>(name: Name): WorkDefinition<WorkBody<Name>> {
    return this.#once(`work ${name}`, () => ({
      queue: QUEUES[name],
      checkBody: compileSchema(WORK[name].body, 'open') as Check<WorkBody<Name>>,
    }));
  }

  broadcast<Name extends BroadcastName>(name: Name): BroadcastDefinition<BroadcastBody<Name>> {
    return this.#once(`broadcast ${name}`, () => ({
      exchange: EXCHANGES[name],
      checkBody: compileSchema(BROADCASTS[name].body, 'open') as Check<BroadcastBody<Name>>,
    }));
  }

  /** The cast is safe because a key is always used with the same type of definition. */
  #once<Definition>(key: string, compile: () => Definition): Definition {
    const definition = this.#compiled.get(key) ?? compile();
    this.#compiled.set(key, definition);
    return definition as Definition;
  }
}
