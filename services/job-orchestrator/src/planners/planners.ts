import type { DispatchHint } from '@gleaner/contracts';
import { Dispatcher, type DispatcherDeps, type DispatchState } from '../dispatch/dispatcher.ts';
import { LeaseHolder } from '../dispatch/lease-holder.ts';
import { Members, roleOf } from './members.ts';

/** Collaborators and settings of planners. */
export interface PlannersDeps extends Omit<DispatcherDeps, 'lease' | 'place'> {
  /** Name of this process in leases. */
  readonly owner: string;
  /** Number of planners of all orchestrators together. */
  readonly planners: number;
  /** Prepares the database for several planners. */
  readonly prepare: () => Promise<void>;
}

/** A planner of this process, with its role. */
export interface RunningPlanner {
  readonly role: string;
  readonly dispatcher: Dispatcher;
}

/** The planners of all orchestrators, which divide the hosts; each process runs the ones of its leases. */
export class Planners {
  readonly #all: readonly RunningPlanner[];
  /** Only with several planners. */
  readonly #members: Members | undefined;

  constructor(deps: PlannersDeps) {
    const { owner, planners, leaseMs, logger, prepare } = deps;
    const { leases } = deps.stores;
    const members =
      planners > 1 ? new Members({ leases, logger, owner, planners, leaseMs, prepare }) : undefined;
    this.#members = members;
    this.#all = Array.from({ length: planners }, (_, planner) => {
      const role = roleOf(planner, planners);
      const lease = members?.leaseOf(planner) ?? new LeaseHolder({ leases, role, owner, leaseMs });
      const place = members && { planner, planners };
      return { role, dispatcher: new Dispatcher({ ...deps, lease, place }) };
    });
  }

  /** The planners that dispatch in this process. */
  get running(): readonly RunningPlanner[] {
    return this.#all.filter(({ dispatcher }) => dispatcher.isDispatching);
  }

  /** The roles of all planners. */
  get roles(): readonly string[] {
    return this.#all.map(({ role }) => role);
  }

  /** The values of the gauges. */
  get state(): DispatchState {
    const states = this.#all.map(({ dispatcher }) => dispatcher.state);
    const sumOf = (value: (state: DispatchState) => number) =>
      states.reduce((sum, state) => sum + value(state), 0);
    return {
      planners: sumOf(({ planners }) => planners) / states.length,
      activeJobs: Math.max(...states.map(({ activeJobs }) => activeJobs)),
      runningPages: sumOf(({ runningPages }) => runningPages),
      pausedHosts: sumOf(({ pausedHosts }) => pausedHosts),
    };
  }

  /** True if no other process dispatches. */
  get isWhole(): boolean {
    return this.running.length === this.#all.length;
  }

  /** True if this process dispatches, and knows of no job to dispatch. */
  get isIdle(): boolean {
    const [first] = this.running;
    return first?.dispatcher.load.jobs.length === 0;
  }

  /** The paused hosts with the ends of their pauses, the longest first; none while only other processes dispatch. */
  get pauses(): readonly { readonly host: string; readonly untilMs: number }[] {
    return this.running
      .flatMap(({ dispatcher }) => dispatcher.pauses)
      .sort((one, other) => other.untilMs - one.untilMs);
  }

  /** Returns whether the pages that this process has sent of a job have ended, and it knows of no others to send. */
  isDrained(jobId: string): boolean {
    const knowing = this.#all.filter(({ dispatcher }) => dispatcher.knows(jobId));
    return knowing.length > 0 && knowing.every(({ dispatcher }) => dispatcher.isDrained(jobId));
  }

  /** Notes changes of pages and hosts; hints may be lost, doubled or late. */
  hint(hint: Partial<DispatchHint>): void {
    for (const { dispatcher } of this.#all) dispatcher.hint(hint);
  }

  start(): void {
    this.#members?.start();
    for (const { dispatcher } of this.#all) dispatcher.start();
  }

  /** Stops dispatching, and lets other orchestrators take over. */
  async stop(): Promise<void> {
    await Promise.all(this.#all.map(({ dispatcher }) => dispatcher.stop()));
    await this.#members?.stop();
  }
}
