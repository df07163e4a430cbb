import { signalAfterSilence, untilAborted } from '@gleaner/contracts';
import type { Logger } from '../logger/create-logger.ts';

/** One resource to close: its name in log lines, and its time limit, 3 s by default. */
export interface ClosingStep {
  readonly name: string;
  readonly close: (signal: AbortSignal) => unknown;
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 3000;

/** Closes the resources of a process, the last opened first. */
export class ClosingSteps {
  readonly #steps: ClosingStep[] = [];
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Adds a resource that was just opened. */
  add(step: ClosingStep): void {
    this.#steps.push(step);
  }

  /** Runs every step, even after one that fails or takes too long; returns true if all of them succeeded. */
  async run(): Promise<boolean> {
    let isClean = true;
    for (const step of this.#steps.splice(0).reverse()) isClean = (await this.#close(step)) && isClean;
    return isClean;
  }

  async #close({ name, close, timeoutMs = DEFAULT_TIMEOUT_MS }: ClosingStep): Promise<boolean> {
    const signal = signalAfterSilence(timeoutMs);
    try {
      await untilAborted((async () => close(signal))(), signal);
      return true;
    } catch (err) {
      const what = signal.aborted
        ? `did not close within ${timeoutMs} ms and is abandoned`
        : 'failed to close';
      this.#logger.error({ err }, `Stopping: ${name} ${what}.`);
      return false;
    }
  }
}
