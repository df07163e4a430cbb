import { commandError } from '../command-error.ts';

/** The longest that a request waits for a long piece of work to yield. */
const TURN_MS = 3;
const TICKS_BETWEEN_LOOKS = 32;

/** Keeps a long piece of work from holding the event loop, and ends it at its deadline or when it is cancelled. */
export class Pacer {
  #deadline: number;
  #suspendedAt: number | undefined;
  readonly #signal: AbortSignal | undefined;
  #turnEnd = performance.now() + TURN_MS;
  #ticks = 0;

  /** `maxTimeMs` 0 means no deadline. */
  constructor(maxTimeMs: number, signal?: AbortSignal) {
    this.#deadline = maxTimeMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + maxTimeMs;
    this.#signal = signal;
  }

  /** Called for each small step; returns a promise to await when other work is due. Throws MaxTimeMSExpired. */
  tick(): Promise<void> | undefined {
    this.#ticks++;
    if (this.#ticks % TICKS_BETWEEN_LOOKS !== 0) return undefined;
    this.check();
    return this.isTurnOver ? this.nextTurn() : undefined;
  }

  /** True when other work has waited long enough. */
  get isTurnOver(): boolean {
    return performance.now() >= this.#turnEnd;
  }

  /** Yields to other work. */
  async nextTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#turnEnd = performance.now() + TURN_MS;
  }

  /** Throws when the deadline has passed or the work was cancelled. */
  check(now = performance.now()): void {
    if (this.#signal?.aborted) throw commandError('InterruptedAtShutdown', 'the server is shutting down');
    if (now > this.#deadline) throw commandError('MaxTimeMSExpired', 'operation exceeded time limit');
  }

  /** Pauses the deadline, so that the time between two requests of a client does not count. */
  suspend(): void {
    this.#suspendedAt ??= performance.now();
  }

  /** Resumes the deadline. */
  resume(): void {
    if (this.#suspendedAt === undefined) return;
    this.#deadline += performance.now() - this.#suspendedAt;
    this.#suspendedAt = undefined;
  }
}
