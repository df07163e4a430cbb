import { commandError } from '../errors/command-error.ts';

/** A request that comes in beside a long piece of work waits for no more than this. */
const TURN_MS = 3;
const TICKS_BETWEEN_LOOKS = 32;

/** Keeps a long piece of work from holding the event loop, and ends it at its deadline or when it is cancelled. */
export class Pacer {
  #deadline: number;
  #suspendedAt: number | undefined;
  readonly #signal: AbortSignal | undefined;
  #turnEnd = performance.now() + TURN_MS;
  #ticks = 0;

  /** `maxTimeMs` 0 is no deadline. */
  constructor(maxTimeMs: number, signal?: AbortSignal) {
    this.#deadline = maxTimeMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + maxTimeMs;
    this.#signal = signal;
  }

  /** Called for each small step: a promise to await when it is others' turn. Throws MaxTimeMSExpired. */
  tick(): Promise<void> | undefined {
    this.#ticks++;
    if (this.#ticks % TICKS_BETWEEN_LOOKS !== 0) return undefined;
    this.check();
    return this.isTurnOver ? this.nextTurn() : undefined;
  }

  /** Whether others have waited long enough. */
  get isTurnOver(): boolean {
    return performance.now() >= this.#turnEnd;
  }

  /** Lets others have their turn. */
  async nextTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#turnEnd = performance.now() + TURN_MS;
  }

  /** Throws when the deadline has passed or the work was cancelled. */
  check(now = performance.now()): void {
    if (this.#signal?.aborted) throw commandError('InterruptedAtShutdown', 'the server is shutting down');
    if (now > this.#deadline) throw commandError('MaxTimeMSExpired', 'operation exceeded time limit');
  }

  /** Stops the clock of the deadline: a client that thinks between two batches uses up none of its time. */
  suspend(): void {
    this.#suspendedAt ??= performance.now();
  }

  /** Lets the clock go on. */
  resume(): void {
    if (this.#suspendedAt === undefined) return;
    this.#deadline += performance.now() - this.#suspendedAt;
    this.#suspendedAt = undefined;
  }
}
