import type { Stores } from '@gleaner/storage';

/** A role that this process wants, and how it gets it. */
export interface LeaseHolderDeps {
  readonly leases: Stores['leases'];
  readonly role: string;
  readonly owner: string;
  readonly leaseMs: number;
}

/** Keeps a role for this process as long as it renews in time; a paused process knows that its time has run out. */
export class LeaseHolder {
  readonly #deps: LeaseHolderDeps;
  /** On the monotonic clock, counted from before the database was asked. */
  #heldUntilMs = 0;
  #askAgainAtMs = 0;

  constructor(deps: LeaseHolderDeps) {
    this.#deps = deps;
  }

  /** Whether the role is this process's at this moment. */
  get isHeld(): boolean {
    return performance.now() < this.#heldUntilMs;
  }

  /** Takes or renews the role when it is time to; says whether it is held. */
  async renew(): Promise<boolean> {
    const askedAtMs = performance.now();
    if (askedAtMs < this.#askAgainAtMs) return this.isHeld;
    const { leases, role, owner, leaseMs } = this.#deps;
    const now = new Date();
    const isOurs = await leases.acquire({ role, owner, now, until: new Date(now.getTime() + leaseMs) });
    this.#heldUntilMs = isOurs ? askedAtMs + leaseMs : 0;
    this.#askAgainAtMs = askedAtMs + leaseMs / 3;
    return this.isHeld;
  }

  /** Lets the role go, so that another process need not wait. */
  async release(): Promise<void> {
    const wasHeld = this.isHeld;
    this.#heldUntilMs = 0;
    if (wasHeld) await this.#deps.leases.release(this.#deps.role, this.#deps.owner);
  }
}
