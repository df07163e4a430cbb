import type { Broker } from '@gleaner/broker';
import type { AppError, PageOutcome } from '@gleaner/contracts';
import type { AccountPlaces } from '@gleaner/service-kit';

/** Longest time that an outcome waits for others, in milliseconds. */
const GATHER_MS = 50;

/** Collaborators of an `OutcomeSender`. */
export interface OutcomeSenderDeps {
  readonly broker: Pick<Broker, 'publishWork'>;
  /** Places of the pages at work; a page keeps its place until its outcome is published. */
  readonly places: Pick<AccountPlaces, 'held'>;
}

interface Waiting {
  readonly outcome: PageOutcome;
  readonly done: PromiseWithResolvers<AppError | undefined>;
}

/**
 * Publishes outcomes of pages together, with one write to the broker, one confirm from it and one acknowledgement of their
 * messages, each of which costs more than the outcome itself. Outcomes wait until as many pages have finished as are still
 * at work, but only for a moment: so the outcome of a lone or last page waits for nothing, and a slow page does not hold
 * up its neighbors.
 */
export class OutcomeSender {
  readonly #deps: OutcomeSenderDeps;
  #waiting: Waiting[] = [];
  #sendingCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: OutcomeSenderDeps) {
    this.#deps = deps;
  }

  /** Resolves once the broker has the outcome, or with the error because of which it may not have it. */
  publish(outcome: PageOutcome): Promise<AppError | undefined> {
    const done = Promise.withResolvers<AppError | undefined>();
    this.#waiting.push({ outcome, done });
    if (this.#waiting.length >= this.#atWorkCount) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), GATHER_MS);
    return done.promise;
  }

  /** Number of pages that have no outcome yet. */
  get #atWorkCount(): number {
    return this.#deps.places.held - this.#waiting.length - this.#sendingCount;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const group = this.#waiting;
    this.#waiting = [];
    this.#sendingCount += group.length;
    const outcomes = group.map(({ outcome }) => outcome);
    const publishing = this.#deps.broker.publishWork('pages.results', outcomes).finally(() => {
      this.#sendingCount -= group.length;
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
