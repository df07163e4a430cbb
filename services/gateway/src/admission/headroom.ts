/** What is known of a key's allowance since its last call was counted. */
export interface Allowance {
  /** Calls of the window that are left. */
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
  readonly heardMs: number;
}

/** What is known for longer says nothing: other replicas count, too. */
const FRESH_MS = 5000;
/** One call may run ahead for so many that are left: ten replicas at once would hardly do a call's work in vain. */
const LEFT_PER_CALL_AHEAD = 10;
const MAX_KEYS = 10_000;

/**
 * Tells calls that may begin while they are being counted from those that have to wait for it: a key that has used little
 * of its allowance will not be refused. It only saves waiting; the count decides in the end.
 */
export class Headroom {
  readonly #options: HeadroomOptions;
  /** The key that was heard of longest ago comes first. */
  readonly #known = new Map<string, Known>();
  readonly #ahead = new Map<string, number>();

  constructor(options: HeadroomOptions) {
    this.#options = options;
  }

  /** Whether one more call of the key may begin before it is counted. */
  isAmple(keyId: string): boolean {
    const { remaining = 0 } = this.#fresh(keyId) ?? {};
    const ahead = this.#ahead.get(keyId) ?? 0;
    return remaining >= (ahead + 1) * LEFT_PER_CALL_AHEAD && this.hasPlaces(keyId);
  }

  /** Whether fewer than half of the places in flight are taken, so that nobody waits for one to come free. */
  hasPlaces(keyId: string): boolean {
    const { maxInFlight } = this.#options;
    const { inFlight = maxInFlight } = this.#fresh(keyId) ?? {};
    const ahead = this.#ahead.get(keyId) ?? 0;
    return (inFlight + ahead) * 2 < maxInFlight;
  }

  /** Notes that a call of the key is being counted, and what the count says. */
  async watch<Count extends Allowance>(keyId: string, counting: Promise<Count>): Promise<Count> {
    this.#ahead.set(keyId, (this.#ahead.get(keyId) ?? 0) + 1);
    try {
      const count = await counting;
      this.#learn(keyId, count);
      return count;
    } finally {
      const others = (this.#ahead.get(keyId) ?? 1) - 1;
      if (others > 0) this.#ahead.set(keyId, others);
      else this.#ahead.delete(keyId);
    }
  }

  #fresh(keyId: string): Allowance | undefined {
    const known = this.#known.get(keyId);
    return known && this.#options.now() - known.heardMs <= FRESH_MS ? known : undefined;
  }

  #learn(keyId: string, { remaining, inFlight }: Allowance): void {
    this.#known.delete(keyId);
    this.#known.set(keyId, { remaining, inFlight, heardMs: this.#options.now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEYS && oldest !== undefined) this.#known.delete(oldest);
  }
}
