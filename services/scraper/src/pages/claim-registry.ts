import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@gleaner/broker';
import type { PageClaims } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';

/** Longer than the longest wait between two attempts to reconnect to the broker (5 s). */
const ANSWER_WITHIN_MS = 7000;
const ASK_EVERY_MS = 1000;
/** Time after the start in which pages of jobs cancelled before it may arrive. */
const MAY_HAVE_MISSED_MS = 120_000;
/** Time that orchestrators have to say whether a job goes on; a page of it is worked on without an answer. */
const JOB_ANSWER_WITHIN_MS = 500;
const MAX_JOBS_ASKED = 1000;
/** Enough for every message whose acknowledgement can be lost with a connection. */
const MAX_FINISHED = 5000;

/** Collaborators of a `ClaimRegistry`. */
export interface ClaimRegistryDeps {
  readonly broker: Pick<Broker, 'broadcast'>;
  readonly logger: Logger;
  /** Time that other scrapers have for an answer. */
  readonly answerWithinMs?: number;
}

/**
 * Knows which page messages this process works on or has finished, and finds out whether another live process does.
 * The broker delivers a message again when a connection breaks as well as when a process dies. A process that is alive
 * answers for its messages once it has reconnected; if none does, the process that had the message is dead.
 */
export class ClaimRegistry {
  readonly #deps: ClaimRegistryDeps;
  readonly #running = new Map<string, Promise<void>>();
  /** Oldest first. */
  readonly #finished = new Set<string>();
  /** Resolved when another process says that it holds the claim. */
  readonly #questions = new Map<string, PromiseWithResolvers<void>>();
  /** Answers to whether a job is over, for the jobs of the first minutes. */
  readonly #jobs = new Map<string, PromiseWithResolvers<boolean>>();
  readonly #startedAtMs = performance.now();
  #toAsk: string[] = [];
  #jobsToAsk: string[] = [];

  constructor(deps: ClaimRegistryDeps) {
    this.#deps = deps;
  }

  /** Resolves when this process has finished the claim; undefined if it never had it. */
  find(claim: string): Promise<void> | undefined {
    return this.#running.get(claim) ?? (this.#finished.has(claim) ? Promise.resolve() : undefined);
  }

  /** Does the work under a claim, and remembers that it is done unless it throws. */
  async run(claim: string, work: () => Promise<void>): Promise<void> {
    const running = work();
    this.#running.set(claim, running);
    try {
      await running;
      this.finish(claim);
    } finally {
      if (this.#running.get(claim) === running) this.#running.delete(claim);
    }
  }

  /** Remembers that nothing is left to do for a claim. */
  finish(claim: string): void {
    this.#finished.add(claim);
    const [oldest] = this.#finished;
    if (this.#finished.size > MAX_FINISHED && oldest !== undefined) this.#finished.delete(oldest);
  }

  /** Returns whether another live process holds the claim; rejects with the signal's reason. */
  async isHeldElsewhere(claim: string, signal: AbortSignal): Promise<boolean> {
    const question = this.#questions.get(claim) ?? Promise.withResolvers<void>();
    this.#questions.set(claim, question);
    const answered = question.promise.then(() => true);
    try {
      const giveUpAtMs = performance.now() + (this.#deps.answerWithinMs ?? ANSWER_WITHIN_MS);
      for (;;) {
        const leftMs = giveUpAtMs - performance.now();
        if (leftMs <= 0) return false;
        this.#ask(claim);
        const pause = sleep(Math.min(ASK_EVERY_MS, leftMs), false, { signal });
        if (await Promise.race([answered, pause])) return true;
      }
    } finally {
      if (this.#questions.get(claim) === question) this.#questions.delete(claim);
    }
  }

  /**
   * Returns whether a job was over before this process could hear of it: asks orchestrators once about each job of the first
   * minutes. False when none answers in time.
   */
  async isJobOver(jobId: string): Promise<boolean> {
    if (performance.now() - this.#startedAtMs > MAY_HAVE_MISSED_MS) this.#jobs.clear();
    else if (!this.#jobs.has(jobId) && this.#jobs.size < MAX_JOBS_ASKED) {
      this.#jobs.set(jobId, Promise.withResolvers());
      this.#askAboutJob(jobId);
    }
    const question = this.#jobs.get(jobId);
    return question ? await Promise.race([question.promise, sleep(JOB_ANSWER_WITHIN_MS, false)]) : false;
  }

  /** Answers what other scrapers ask, and takes the answers of others. */
  receive({ asked, held, going = [], over = [] }: PageClaims): void {
    for (const jobId of going) this.#jobs.get(jobId)?.resolve(false);
    for (const jobId of over) this.#jobs.get(jobId)?.resolve(true);
    for (const claim of held) this.#questions.get(claim)?.resolve();
    const ours = asked.filter((claim) => this.find(claim) !== undefined);
    if (ours.length > 0) this.#send({ asked: [], held: ours });
  }

  /** Asks for all claims of this turn of the event loop in one message. */
  #ask(claim: string): void {
    this.#toAsk.push(claim);
    if (this.#toAsk.length > 1) return;
    setImmediate(() => {
      const asked = this.#toAsk;
      this.#toAsk = [];
      this.#send({ asked, held: [] });
    });
  }

  #askAboutJob(jobId: string): void {
    this.#jobsToAsk.push(jobId);
    if (this.#jobsToAsk.length > 1) return;
    setImmediate(() => {
      const jobs = this.#jobsToAsk;
      this.#jobsToAsk = [];
      this.#send({ asked: [], held: [], jobs });
    });
  }

  #send(claims: PageClaims): void {
    this.#deps.broker.broadcast('pageClaims', claims).catch((err: unknown) => {
      this.#deps.logger.debug({ err }, 'A message about page claims was not sent; the question is repeated.');
    });
  }
}
