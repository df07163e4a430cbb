import type { SchedulerParts } from './test-bed.ts';

/** Where a scheduler can die: before or after each thing that it does to the world. */
export type DeathPoint = `${'before' | 'after'} ${string}`;

/** A scheduler that dies where it is told to: from then on it does nothing more, and says nothing. */
export interface Mortal {
  readonly parts: SchedulerParts;
  readonly isDead: boolean;
  /** Resolves when it dies. */
  readonly death: Promise<void>;
}

/** The steps of a tick that change something, which are those that it matters to die around. */
const STEPS = ['claim', 'takeOver', 'recordEnds', 'postpone', 'recordStates'] as const;

/** Wraps the parts of a scheduler; `decide` says at each point whether it dies there. */
export function mortal(parts: SchedulerParts, decide: (point: DeathPoint) => boolean): Mortal {
  const death = Promise.withResolvers<void>();
  let isDead = false;

  async function pass(point: DeathPoint): Promise<void> {
    if (!isDead && decide(point)) {
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
