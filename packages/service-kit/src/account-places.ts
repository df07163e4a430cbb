/** Places that one account holds and waits for. */
interface Share {
  held: number;
  /** Callbacks of waiting requests, in order. */
  readonly waiting: Set<() => void>;
}

/** Extra places for other accounts, as a fraction of the places one account may hold. */
const KEPT_FOR_OTHERS = 1 / 3;

/**
 * Places for work, shared by accounts. An account with stalled pages fills only its own part, so other
 * accounts always find a place. A free place goes to the waiting account with the fewest places.
 */
export class AccountPlaces {
  /** Number of places. */
  readonly total: number;
  readonly #perAccount: number;
  readonly #shares = new Map<string, Share>();
  #free: number;

  constructor({ perAccount }: { readonly perAccount: number }) {
    this.#perAccount = perAccount;
    this.total = perAccount + Math.ceil(perAccount * KEPT_FOR_OTHERS);
    this.#free = this.total;
  }

  /** Number of places that are taken. */
  get held(): number {
    return this.total - this.#free;
  }

  /** Waits for a place, which is released when it is disposed of. Rejects with the signal's reason if that aborts first. */
  async take(accountId: string, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const share = this.#shareOf(accountId);
    if (this.#free > 0 && share.held < this.#perAccount) this.#grant(share);
    else await this.#queue(accountId, share, signal);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(accountId, share);
        isHeld = false;
      },
    };
  }

  #shareOf(accountId: string): Share {
    const known = this.#shares.get(accountId);
    if (known) return known;
    const share = { held: 0, waiting: new Set<() => void>() };
    this.#shares.set(accountId, share);
    return share;
  }

  #grant(share: Share): void {
    this.#free -= 1;
    share.held += 1;
  }

  async #queue(accountId: string, share: Share, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      share.waiting.delete(resolve);
      this.#forgetIfIdle(accountId, share);
      reject(signal.reason);
    };
    share.waiting.add(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #release(accountId: string, share: Share): void {
    this.#free += 1;
    share.held -= 1;
    const next = this.#neediest();
    this.#forgetIfIdle(accountId, share);
    if (!next) return;
    const [first] = next.waiting;
    if (!first) return;
    next.waiting.delete(first);
    this.#grant(next);
    first();
  }

  /** Returns the account with the fewest places among the waiting ones below their share. */
  #neediest(): Share | undefined {
    return [...this.#shares.values()]
      .filter(({ held, waiting }) => waiting.size > 0 && held < this.#perAccount)
      .reduce<Share | undefined>(
        (fewest, share) => (fewest && fewest.held <= share.held ? fewest : share),
        undefined,
      );
  }

  #forgetIfIdle(accountId: string, { held, waiting }: Share): void {
    if (held === 0 && waiting.size === 0) this.#shares.delete(accountId);
  }
}
