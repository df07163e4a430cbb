import type { Broker } from '@gleaner/broker';
import type { AppError, PageOutcome } from '@gleaner/contracts';
import type { AccountPlaces } from '@gleaner/service-kit';

/** Longest time that an outcome waits for others, in milliseconds. */
const GATHER_MS = 50;

/** Collaborators of an `OutcomeSender`. */
export interface OutcomeSenderDeps {
  readonly broker: Pick<Broker, 'publishWork'>;
  /** Places of the lanes at work; a lane keeps its place until all outcomes of it are published. */
  readonly places: Pick<AccountPlaces, 'held'>;
}

interface Waiting {
  readonly outcome: PageOutcome;
  readonly done: PromiseWithResolvers<AppError | undefined>;
}

/**
 * Publishes outcomes of pages together, with one write to the broker, one confirm from it and one acknowledgement of their
 * messages, each of which costs more than the outcome itself. Outcomes wait until as many lanes have finished as are still
 * at work, but only for a moment: so the last outcome of a lone lane waits for nothing, and a slow page does not hold up its
 * neighbors.
 */
export class OutcomeSender {
  readonly #deps: OutcomeSenderDeps;
  #waiting: Waiting[] = [];
  /** Numbers of lanes with their last outcome waiting, and being sent. */
  #endedLanes = 0;
  #sendingLanes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: OutcomeSenderDeps) {
    this.#deps = deps;
  }

  /**
   * Publishes an outcome, which may be the last of its lane. Resolves once the broker has it, or with the error because of
   * which it may not have it.
   */
  publish(outcome: PageOutcome, { isLast = true } = {}): Promise<AppError | undefined> {
    const done = Promise.withResolvers<AppError | undefined>();
    this.#waiting.push({ outcome, done });
    if (isLast) this.#endedLanes += 1;
    if (isLast && this.#endedLanes >= this.#atWorkCount) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), GATHER_MS);
    return done.promise;
  }

  /** Number of lanes that have not finished yet. */
  get #atWorkCount(): number {
    return this.#deps.places.held - this.#endedLanes - this.#sendingLanes;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#waiting;
    const lanes = this.#endedLanes;
    this.#waiting = [];
    this.#endedLanes = 0;
    this.#sendingLanes += lanes;
    const outcomes = group.map(({ outcome }) => outcome);
    const publishing = this.#deps.broker.publishWork('pages.results', outcomes).finally(() => {
      this.#sendingLanes -= lanes;
    });
    publishing.then(
      (errors) => {
        for (const [index, { done }] of group.entries()) done.resolve(errors[index]);
      },
      (error: unknown) => {
        for (const { done } of group) done.reject(error);
      },
    );
  }
}
