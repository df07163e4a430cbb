import { setTimeout as sleep } from 'node:timers/promises';

/** Runs one step of an operation that has many, once it is its turn; rejects when the process stops before that. */
export type InSteps = <Result>(step: () => Promise<Result>) => Promise<Result>;

/** Runs steps at once, for operations on a few pages. */
export const atOnce: InSteps = (step) => step();

interface WaitingStep {
  run(): Promise<void>;
  reject(error: unknown): void;
}

/** Number of steps at once, and the rest after each. */
export interface StepRules {
  readonly atOnce: number;
  /** Length of the rest, as a multiple of the time that the step took; it leaves the database to others. */
  readonly rest: number;
  /** Notes a step for the metric of long turns, when it begins and when it ends. */
  readonly noteStep?: () => void;
}

const MAX_REST_MS = 500;

/**
 * Runs steps of long operations beside the work that callers wait for: few at a time, accounts in turns, with a rest after
 * each. However large an operation is, it delays others by no more than a step.
 */
export class Steps {
  readonly #rules: StepRules;
  /** Steps of each account; accounts are in the order of their turns. */
  readonly #waiting = new Map<string, WaitingStep[]>();
  readonly #workers = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(rules: StepRules) {
    this.#rules = rules;
  }

  /** Returns the function that runs steps in the turns of an account. */
  of(accountId: string): InSteps {
    return (step) => this.#add(accountId, step);
  }

  /** Rejects the waiting steps, and resolves when the running ones have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const step of [...this.#waiting.values()].flat()) step.reject(this.#stopping.signal.reason);
    this.#waiting.clear();
    await Promise.all(this.#workers);
  }

  #add<Result>(accountId: string, step: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#stopping.signal.aborted) reject(this.#stopping.signal.reason);
    else {
      const steps = this.#waiting.get(accountId) ?? [];
      steps.push({ run: () => step().then(resolve, reject), reject });
      this.#waiting.set(accountId, steps);
      if (this.#workers.size < this.#rules.atOnce) this.#startWorker();
    }
    return promise;
  }

  #startWorker(): void {
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    const { noteStep = () => {} } = this.#rules;
    for (let step = this.#next(); step; step = this.#next()) {
      const startedAtMs = performance.now();
      noteStep();
      await step.run();
      noteStep();
      const restMs = Math.min(MAX_REST_MS, (performance.now() - startedAtMs) * this.#rules.rest);
      if (restMs > 0) await sleep(restMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Takes the next step of the account whose turn it is. */
  #next(): WaitingStep | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [accountId, steps] = first;
    const step = steps.shift();
    this.#waiting.delete(accountId);
    if (steps.length > 0) this.#waiting.set(accountId, steps);
    return step;
  }
}
