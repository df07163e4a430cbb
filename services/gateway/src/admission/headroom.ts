import QuickLRU from 'quick-lru';

/** Result of the last count of a key's calls. */
export interface Allowance {
  /** Calls that are left in the window. */
  readonly remaining: number;
  /** Scrapes in flight, on all replicas. */
  readonly inFlight: number;
}

interface HeadroomOptions {
  /** Scrapes of a key that may be in flight at once. */
  readonly maxInFlight: number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

interface Known extends Allowance {
  readonly countedMs: number;
}

/** An older count means nothing: other replicas count, too. */
const FRESH_MS = 5000;
/** Remaining calls that one call needs to begin before it is counted: even ten replicas together will hardly exceed the limit. */
const REMAINING_PER_EARLY_CALL = 10;
const MAX_KEYS = 10_000;

/**
 * Lets a call of a key far below its limit begin before the count is back. This only saves waiting: the count decides
 * in the end.
 */
export class Headroom {
  readonly #options: HeadroomOptions;
  readonly #known = new QuickLRU<string, Known>({ maxSize: MAX_KEYS });
  /** Calls of each key that are being counted. */
  readonly #counting = new Map<string, number>();

  constructor(options: HeadroomOptions) {
    this.#options = options;
  }

  /** Returns true when one more call of the key may begin before it is counted. */
  isAmple(keyId: string): boolean {
    const { remaining = 0 } = this.#fresh(keyId) ?? {};
    const counting = this.#counting.get(keyId) ?? 0;
    return remaining >= (counting + 1) * REMAINING_PER_EARLY_CALL && this.hasPlaces(keyId);
  }

  /** Returns true when fewer than half of the slots are taken, so that no call waits for one. */
  hasPlaces(keyId: string): boolean {
    const { maxInFlight } = this.#options;
    const { inFlight = maxInFlight } = this.#fresh(keyId) ?? {};
    const counting = this.#counting.get(keyId) ?? 0;
    return (inFlight + counting) * 2 < maxInFlight;
  }

  /** Tracks a call that is being counted, and remembers the result of the count. */
  async watch<Count extends Allowance>(keyId: string, counting: Promise<Count>): Promise<Count> {
    this.#counting.set(keyId, (this.#counting.get(keyId) ?? 0) + 1);
    try {
      const count = await counting;
      this.#remember(keyId, count);
      return count;
    } finally {
      const others = (this.#counting.get(keyId) ?? 1) - 1;
      if (others > 0) this.#counting.set(keyId, others);
      else this.#counting.delete(keyId);
    }
  }

  #fresh(keyId: string): Allowance | undefined {
    const known = this.#known.get(keyId);
    return known && this.#options.now() - known.countedMs <= FRESH_MS ? known : undefined;
  }

  #remember(keyId: string, { remaining, inFlight }: Allowance): void {
    this.#known.set(keyId, { remaining, inFlight, countedMs: this.#options.now() });
  }
}
