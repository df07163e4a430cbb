import { AppError } from '@gleaner/contracts';

/** Bounds of the large bodies that an account may have in memory. */
export interface BodyBudgetOptions {
  /** Total of one account, at this gateway. At least the largest body that a route takes. */
  readonly maxBytesPerAccount: number;
  /** Longest time that a body waits for others of its account. Default 10 s. */
  readonly maxWaitMs?: number;
}

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

interface AccountBodies {
  bytes: number;
  /** In order of arrival. */
  readonly waiting: Waiting[];
}

const MAX_WAIT_MS = 10_000;

/**
 * Bounds the memory that bodies of one account take: a parsed body takes several times its bytes, and stays until its
 * response is sent. Bodies over the bound wait unread, in order of arrival.
 */
export class BodyBudget {
  readonly #options: BodyBudgetOptions;
  readonly #accounts = new Map<string, AccountBodies>();

  constructor(options: BodyBudgetOptions) {
    this.#options = options;
  }

  /** Waits for room and returns a function that gives it back. Throws RATE_LIMITED after the longest wait, and the reason of the signal. */
  async reserve(accountId: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const bodies = this.#accounts.get(accountId) ?? { bytes: 0, waiting: [] };
    this.#accounts.set(accountId, bodies);
    if (bodies.waiting.length > 0 || !this.#hasRoom(bodies, bytes)) await this.#wait(bodies, bytes, signal);
    else bodies.bytes += bytes;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      bodies.bytes -= bytes;
      this.#startWaiting(bodies);
      if (bodies.bytes === 0 && bodies.waiting.length === 0) this.#accounts.delete(accountId);
    };
  }

  #hasRoom({ bytes: taken }: AccountBodies, bytes: number): boolean {
    return taken + bytes <= this.#options.maxBytesPerAccount;
  }

  async #wait(bodies: AccountBodies, bytes: number, signal: AbortSignal): Promise<void> {
    const { maxBytesPerAccount, maxWaitMs = MAX_WAIT_MS } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { bytes, start: resolve };
    bodies.waiting.push(waiting);
    const leave = (reason: unknown) => {
      const index = bodies.waiting.indexOf(waiting);
      if (index === -1) return;
      bodies.waiting.splice(index, 1);
      reject(reason);
      this.#startWaiting(bodies);
    };
    const onAbort = () => leave(signal.reason);
    const timer = setTimeout(() => leave(tooManyBodies(maxBytesPerAccount)), maxWaitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #startWaiting(bodies: AccountBodies): void {
    for (let [next] = bodies.waiting; next && this.#hasRoom(bodies, next.bytes); [next] = bodies.waiting) {
      bodies.waiting.shift();
      bodies.bytes += next.bytes;
      next.start();
    }
  }
}

function tooManyBodies(maxBytes: number): AppError {
  return new AppError('RATE_LIMITED', {
    message: `The account has as many large request bodies in progress as it may (${maxBytes} bytes), and this one was not read in time.`,
    suggestion: 'Send large requests one after the other, or split them into smaller ones.',
    retryAfterSeconds: 5,
  });
}
