import { AppError } from '@gleaner/contracts';

/** About a second of one core. A step is one element tested, one node visited or 8 characters read. */
const DEFAULT_MAX_STEPS = 50_000_000;

/** Messages and stored documents are limited to 16 MiB; the difference is left for their envelope. */
const DEFAULT_MAX_OUTPUT_BYTES = 12 * 1024 * 1024;

/** Limits on the work and the output of one extraction. */
export interface BudgetLimits {
  /** Steps of work; 50 million (about a second) by default. */
  readonly maxSteps?: number;
  /** Bytes of values and names in UTF-8; 12 MiB by default. */
  readonly maxOutputBytes?: number;
  /** Called again and again during the work; it may throw to stop it, or wait. */
  readonly checkpoint?: () => void;
}

/** Steps between two checkpoints: some milliseconds. */
const STEPS_PER_TURN = 250_000;

/** Counts the work of one extraction and throws an AppError once it exceeds its limits. */
export class Budget {
  #steps: number;
  #outputBytes: number;
  /** Number of steps left at which there is something to do. */
  #pauseAt: number;
  readonly #maxOutputBytes: number;
  readonly #checkpoint: (() => void) | undefined;

  constructor({
    maxSteps = DEFAULT_MAX_STEPS,
    maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES,
    checkpoint,
  }: BudgetLimits = {}) {
    this.#steps = maxSteps;
    this.#outputBytes = maxOutputBytes;
    this.#maxOutputBytes = maxOutputBytes;
    this.#checkpoint = checkpoint;
    this.#pauseAt = checkpoint ? Math.max(0, maxSteps - STEPS_PER_TURN) : 0;
  }

  /** True if the work ran out of steps, so that a larger budget may finish it. */
  get isSpent(): boolean {
    return this.#steps < 0;
  }

  /** Spends steps. Throws UNSUPPORTED_CONTENT when none are left: fetching the page again would need as many. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < this.#pauseAt) this.#pause();
  }

  #pause(): void {
    if (this.#steps < 0) throw stepsExceeded();
    this.#pauseAt = Math.max(0, this.#steps - STEPS_PER_TURN);
    this.#checkpoint?.();
  }

  /** Spends a step for each 8 characters read. */
  spendReading(chars: number): void {
    this.spend(1 + (chars >> 3));
  }

  /** Counts a text as output, and some bytes around it. Throws UNSUPPORTED_CONTENT when the values grow too large. */
  spendOutput(text: string, extraBytes = 0): void {
    this.#outputBytes -= Buffer.byteLength(text) + extraBytes;
    if (this.#outputBytes < 0) throw outputExceeded(this.#maxOutputBytes);
  }
}

function stepsExceeded(): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message:
      'The extraction needs more work than one request is allowed: the page is too large for the requested data.',
    suggestion:
      'Ask for fewer fields, or use simpler selectors, such as an id or a class instead of :has() and nested ::all.',
  });
}

function outputExceeded(maxBytes: number): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The extracted values exceed ${maxBytes} bytes.`,
    suggestion:
      'Narrow the selectors: take the text of the innermost elements, or leave out ::all or ::html.',
  });
}
