import { AppError } from '@gleaner/contracts';

/** About a second of one core: a step is one element tested, one node walked or 64 characters read. */
const DEFAULT_MAX_STEPS = 50_000_000;

/** Messages and stored documents end at 16 MiB; the rest is for their envelope. */
const DEFAULT_MAX_OUTPUT_BYTES = 12 * 1024 * 1024;

/** How much one extraction may do and give. */
export interface BudgetLimits {
  /** Steps of work; 50 million (about a second) unless told otherwise. */
  readonly maxSteps?: number;
  /** Bytes of values and names in UTF-8; 12 MiB unless told otherwise. */
  readonly maxOutputBytes?: number;
}

/** Counts the work of one extraction and stops it with an AppError once it is over its limits. */
export class Budget {
  #steps: number;
  #outputBytes: number;
  readonly #limits: Required<BudgetLimits>;

  constructor({
    maxSteps = DEFAULT_MAX_STEPS,
    maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES,
  }: BudgetLimits = {}) {
    this.#limits = { maxSteps, maxOutputBytes };
    this.#steps = maxSteps;
    this.#outputBytes = maxOutputBytes;
  }

  /** Whether the work was stopped for its steps, so that a larger budget may finish it. */
  get isSpent(): boolean {
    return this.#steps < 0;
  }

  /** Takes steps; throws UNSUPPORTED_CONTENT when none are left: a page that is fetched again would need as many. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw overWorked();
  }

  /** Takes a step for each 64 characters that are read. */
  spendReading(chars: number): void {
    this.spend(1 + (chars >> 6));
  }

  /** Takes a text of the output; throws UNSUPPORTED_CONTENT when the values grow too large. */
  spendOutput(text: string): void {
    this.#outputBytes -= Buffer.byteLength(text);
    if (this.#outputBytes < 0) throw overSized(this.#limits.maxOutputBytes);
  }
}

function overWorked(): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message:
      'The extraction needs more work than one request may take: the page is too large for what is asked of it.',
    suggestion:
      'Ask for fewer fields, or use simpler selectors, such as an id or a class in place of :has() and nested ::all.',
  });
}

function overSized(maxBytes: number): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The extracted values are over ${maxBytes} bytes.`,
    suggestion:
      'Narrow the selectors: take the text of the innermost elements, or leave ::all or ::html out.',
  });
}
