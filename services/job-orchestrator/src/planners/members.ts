import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import { LeaseHolder } from '../dispatch/lease-holder.ts';

/** Collaborators and settings of the members. */
export interface MembersDeps {
  readonly leases: Stores['leases'];
  readonly logger: Logger;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly planners: number;
  readonly leaseMs: number;
  /** Prepares the database for several planners; repeated until it succeeds. */
  readonly prepare: () => Promise<void>;
}

/** Role of the one dispatcher, or of all orchestrators that share this number of planners. */
export const DISPATCH_ROLE = 'dispatch';
const MEMBER_ROLES = 'dispatch-member:';
const RETRY_MS = 1000;

/** Returns the role of a planner. */
export function roleOf(planner: number, planners: number): string {
  return planners === 1 ? DISPATCH_ROLE : `${DISPATCH_ROLE}:${planner}`;
}

/**
 * The orchestrators that share planners. They know each other by their leases, and hold the role of the one dispatcher
 * together, in the name of the number of planners: those with another number wait until all of them are over.
 */
export class Members {
  readonly #deps: MembersDeps;
  readonly #together: LeaseHolder;
  readonly #own: LeaseHolder;
  readonly #stopping = new AbortController();
  #owners: readonly string[] = [];
  #loop: Promise<void> | undefined;

  constructor(deps: MembersDeps) {
    this.#deps = deps;
    const { leases, owner, planners, leaseMs } = deps;
    const name = `${planners} planners`;
    this.#together = new LeaseHolder({ leases, role: DISPATCH_ROLE, owner: name, leaseMs });
    this.#own = new LeaseHolder({ leases, role: `${MEMBER_ROLES}${owner}`, owner, leaseMs });
  }

  /** Returns the lease of a planner: only the member that the planner is for takes it. */
  leaseOf(planner: number): Pick<LeaseHolder, 'isHeld' | 'renew' | 'release'> {
    const { leases, owner, planners, leaseMs } = this.#deps;
    const lease = new LeaseHolder({ leases, role: roleOf(planner, planners), owner, leaseMs });
    const isFor = () => this.#together.isHeld && this.#owners[planner % this.#owners.length] === owner;
    return {
      get isHeld() {
        return isFor() && lease.isHeld;
      },
      renew: async () => {
        if (isFor()) return (await lease.renew()) && isFor();
        await lease.release();
        return false;
      },
      release: () => lease.release(),
    };
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Leaves the members; the role that they hold together stays theirs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#own.release().catch((err: unknown) => {
      this.#deps.logger.warn(
        { err },
        'The lease of this orchestrator was not released; it expires by itself.',
      );
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { logger, planners, leaseMs, prepare } = this.#deps;
    let isPrepared = false;
    let hasWarned = false;
    while (!signal.aborted) {
      try {
        if (!isPrepared) await this.#prepare(prepare);
        isPrepared = true;
        const isTogether = await this.#renew();
        if (!isTogether && !hasWarned)
          logger.warn({ planners }, 'Orchestrators with another DISPATCH_PLANNERS dispatch; this one waits.');
        hasWarned = !isTogether;
      } catch (err) {
        logger.warn({ err }, 'The leases of the planners were not renewed; that is repeated in a moment.');
      }
      const delayMs = isPrepared ? leaseMs / 3 : RETRY_MS;
      await sleep(delayMs, undefined, { signal }).catch(() => {});
    }
  }

  async #prepare(prepare: () => Promise<void>): Promise<void> {
    // It may take long, and is as good as undone if it is not waited for.
    await Promise.race([prepare(), once(this.#stopping.signal, 'abort')]);
    await this.#deps.leases.deleteExpired(MEMBER_ROLES);
  }

  /** Renews the leases, and reads who the members are; returns whether they may dispatch. */
  async #renew(): Promise<boolean> {
    const isTogether = await this.#together.renew();
    await this.#own.renew();
    this.#owners = await this.#deps.leases.findOwners(MEMBER_ROLES);
    return isTogether;
  }
}
