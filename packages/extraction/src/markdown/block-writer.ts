import { Budget } from '../budget.ts';

/** Quotes and list items inside one another; deeper ones are written as their content, so that lines stay short. */
const MAX_CONTAINERS = 24;

interface ContainerState {
  readonly prefix: string;
  readonly lead: string;
  readonly gapPrefix: string;
  readonly lines: number;
}

/** Writes blocks as lines, inside the quotes and list items that are open. */
export class BlockWriter {
  readonly #budget: Budget;
  /** Counts what is built, by the limit of the values of a page. */
  readonly #size = new Budget({ maxSteps: Number.POSITIVE_INFINITY });
  readonly #lines: string[] = [];
  readonly #containers: ContainerState[] = [];
  /** Start of each line, and of the next line, which may begin items. */
  #prefix = '';
  #lead = '';
  /** Start of an empty line before the next block. */
  #gapPrefix = '';
  /** True if the next block follows without an empty line. */
  isGapless = false;
  #isAtItemStart = false;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** True if the next block is the first of a quote or a list item. */
  get isAtContainerStart(): boolean {
    return this.#lead !== this.#prefix;
  }

  /** True if the next block is the first of a list item. */
  get isAtItemStart(): boolean {
    return this.#isAtItemStart;
  }

  /** Number of lines so far. */
  get lineCount(): number {
    return this.#lines.length;
  }

  /** Writes a block of at least one line. */
  write(lines: readonly string[]): void {
    if (this.#lines.length > 0 && !this.isGapless) this.#push(this.#gapPrefix.trimEnd());
    this.isGapless = false;
    this.#isAtItemStart = false;
    for (const line of lines) {
      this.#push(line === '' ? this.#lead.trimEnd() : this.#lead + line);
      this.#lead = this.#prefix;
    }
    this.#gapPrefix = this.#prefix;
  }

  /** Starts a quote or a list item: `first` starts its first line, `rest` the others. Returns false when too deep. */
  open(first: string, rest: string): boolean {
    if (this.#containers.length >= MAX_CONTAINERS) return false;
    this.#containers.push({
      prefix: this.#prefix,
      lead: this.#lead,
      gapPrefix: this.#gapPrefix,
      lines: this.#lines.length,
    });
    this.#prefix += rest;
    this.#lead += first;
    this.#isAtItemStart = !rest.startsWith('>');
    return true;
  }

  /** Ends the container that was opened last; one without content leaves no trace. */
  close(): void {
    const state = this.#containers.pop();
    if (!state) return;
    this.#isAtItemStart = false;
    const isEmpty = state.lines === this.#lines.length;
    this.#prefix = state.prefix;
    this.#lead = isEmpty ? state.lead : state.prefix;
    this.#gapPrefix = isEmpty ? state.gapPrefix : state.prefix;
    if (isEmpty) this.isGapless = false;
  }

  /** Returns all lines. */
  toString(): string {
    return this.#lines.join('\n');
  }

  #push(line: string): void {
    this.#budget.spendReading(line.length);
    this.#size.spendOutput(line);
    this.#lines.push(line);
  }
}
