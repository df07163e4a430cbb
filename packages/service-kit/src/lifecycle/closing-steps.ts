import type { Logger } from '../logger/create-logger.ts';
import { until } from './until.ts';

/** One thing to end: its name in log lines, and how long it may take, 3 s by default. */
export interface ClosingStep {
  readonly name: string;
  readonly close: (signal: AbortSignal) => unknown;
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 3000;

/** What must be closed at the end, the last opened first. */
export class ClosingSteps {
  readonly #steps: ClosingStep[] = [];
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Adds what was just opened. */
  add(step: ClosingStep): void {
    this.#steps.push(step);
  }

  /** Runs every step, also after one that fails or takes too long; whether all of them went well. */
  async run(): Promise<boolean> {
    let isClean = true;
    for (const step of this.#steps.splice(0).reverse()) isClean = (await this.#close(step)) && isClean;
    return isClean;
  }

  async #close({ name, close, timeoutMs = DEFAULT_TIMEOUT_MS }: ClosingStep): Promise<boolean> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await until(signal, (async () => close(signal))());
      return true;
    } catch (err) {
      const what = signal.aborted ? `did not end within ${timeoutMs} ms and is abandoned` : 'failed to end';
      this.#logger.error({ err }, `Stopping: ${name} ${what}.`);
      return false;
    }
  }
}
