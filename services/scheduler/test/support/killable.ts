import type { SchedulerParts } from './test-bed.ts';

/** Point at which a scheduler can die: before or after each step with an effect. */
export type DeathPoint = `${'before' | 'after'} ${string}`;

/** Scheduler that can be killed: from then on its steps have no effect and never return. */
export interface KillableScheduler {
  readonly parts: SchedulerParts;
  readonly isDead: boolean;
  /** Resolves when it dies. */
  readonly death: Promise<void>;
}

/** The steps of a tick that change something in the database. */
const STEPS = ['claim', 'takeOver', 'recordEnds', 'postpone', 'recordStates'] as const;

/** Wraps the parts of a scheduler; it dies at the first point for which `diesAt` returns true. */
export function killable(parts: SchedulerParts, diesAt: (point: DeathPoint) => boolean): KillableScheduler {
  const death = Promise.withResolvers<void>();
  let isDead = false;

  async function pass(point: DeathPoint): Promise<void> {
    if (!isDead && diesAt(point)) {
      isDead = true;
      death.resolve();
    }
    if (isDead) await new Promise<never>(() => {});
  }

  function around<Parameters extends unknown[], Result>(
    name: string,
    step: (...parameters: Parameters) => Promise<Result>,
  ) {
    return async (...parameters: Parameters): Promise<Result> => {
      await pass(`before ${name}`);
      const result = await step(...parameters);
      await pass(`after ${name}`);
      return result;
    };
  }

  const runs = { ...parts.runs };
  for (const step of STEPS) Object.assign(runs, { [step]: around(step, parts.runs[step] as never) });
  return {
    parts: { ...parts, runs, createJobs: around('createJobs', parts.createJobs) },
    get isDead() {
      return isDead;
    },
    death: death.promise,
  };
}
