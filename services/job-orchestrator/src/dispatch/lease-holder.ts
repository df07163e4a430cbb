import type { Stores } from '@gleaner/storage';

/** Collaborators of a lease holder, and the role that it holds. */
export interface LeaseHolderDeps {
  readonly leases: Stores['leases'];
  readonly role: string;
  readonly owner: string;
  readonly leaseMs: number;
}

/** Keeps a role for this process while it renews in time; after a pause it sees that its lease has expired. */
export class LeaseHolder {
  readonly #deps: LeaseHolderDeps;
  /** On the monotonic clock, measured from before the request to the database. */
  #heldUntilMs = 0;
  #askAgainAtMs = 0;

  constructor(deps: LeaseHolderDeps) {
    this.#deps = deps;
  }

  /** True while this process holds the role. */
  get isHeld(): boolean {
    return performance.now() < this.#heldUntilMs;
  }

  /** Acquires or renews the role when it is due; returns whether it is held. */
  async renew(): Promise<boolean> {
    const askedAtMs = performance.now();
    if (askedAtMs < this.#askAgainAtMs) return this.isHeld;
    const { leases, role, owner, leaseMs } = this.#deps;
    const isAcquired = await leases.acquire({ role, owner, leaseMs });
    this.#heldUntilMs = isAcquired ? askedAtMs + leaseMs : 0;
    this.#askAgainAtMs = askedAtMs + leaseMs / 3;
    return this.isHeld;
  }

  /** Releases the role, so that another process need not wait for its expiry. */
  async release(): Promise<void> {
    const wasHeld = this.isHeld;
    this.#heldUntilMs = 0;
    if (wasHeld) await this.#deps.leases.release(this.#deps.role, this.#deps.owner);
  }
}
