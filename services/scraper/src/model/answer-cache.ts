import { createHash } from 'node:crypto';
import type { Broker } from '@gleaner/broker';
import type { AnswerCommand } from '@gleaner/contracts';

/** Time to wait for a known answer: the model is asked again otherwise. */
const FIND_MS = 2000;
const KEEP_MS = 10_000;

/** The answers to earlier questions of an account, which orchestrators keep. */
export class AnswerCache {
  readonly #broker: Pick<Broker, 'request'>;

  constructor(broker: Pick<Broker, 'request'>) {
    this.#broker = broker;
  }

  /** Returns the known answer; undefined without one, or when no orchestrator replies in time. */
  async find(question: Question, signal: AbortSignal): Promise<string | undefined> {
    try {
      const options = { timeoutMs: FIND_MS, signal };
      return (await this.#broker.request('answers.commands', question, options)).answer;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Keeps an answer, if an orchestrator takes it. Never throws. */
  keep(question: Question, answer: string): void {
    this.#broker.request('answers.commands', { ...question, answer }, { timeoutMs: KEEP_MS }).catch(() => {});
  }
}

type Question = Omit<AnswerCommand, 'answer'>;

/** Returns the key of a question by everything that decides its answer. */
export function questionKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
