import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@gleaner/test-kit';
import type { Fault } from './faults.ts';
import type { ClientJob } from './job-client.ts';
import type { ProgressWatch } from './watch-progress.ts';
import type { ChaosRun } from './workload.ts';

/** Faults to inject, and how. */
export interface FaultPlan {
  readonly count: number;
  readonly faults: Readonly<Record<string, Fault>>;
  readonly order: 'in turn' | 'at random';
  /** Weights of a choice at random; 1 by default. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Jobs whose pages the faults may hit. */
  readonly jobs: readonly ClientJob[];
  /** Called before each fault with its number, from 0. */
  readonly before?: (number: number) => void;
  /** Ends the injection early. */
  readonly isOver?: () => boolean;
}

const MEAN_PAUSE_MS = 900;
const MAX_TRIES = 2;

/** Injects faults with pauses between them, and counts them in the run. Returns the number of those whose moment came. */
export async function injectFaults(plan: FaultPlan, run: ChaosRun, watch?: ProgressWatch): Promise<number> {
  const { count, before, isOver } = plan;
  const { random, injected, print } = run;
  let happened = 0;
  for (let number = 0; number < count && !isOver?.(); number++) {
    before?.(number);
    const name = await injectOne(plan, number, run, watch);
    print(`  ${number + 1}/${count} ${name ?? 'none: no moment came'}`);
    if (name === undefined) continue;
    happened += 1;
    injected[name] = (injected[name] ?? 0) + 1;
    await sleep(random.between(MEAN_PAUSE_MS / 3, (MEAN_PAUSE_MS * 5) / 3));
  }
  return happened;
}

/** Injects the next fault, or a later one when its moment does not come. Returns its name, or undefined. */
async function injectOne(
  { jobs, ...plan }: FaultPlan,
  number: number,
  { stack, random, origin, print }: ChaosRun,
  watch: ProgressWatch | undefined,
): Promise<string | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const name = pickFault(plan, number + tries, random);
    const inject = async () => await plan.faults[name]?.({ stack, jobs, random, origin });
    if (await (watch ? watch.duringHarm(inject) : inject())) return name;
    print(`  (no moment came for: ${name})`);
  }
  return undefined;
}

function pickFault(
  { faults, order, weights = {} }: Pick<FaultPlan, 'faults' | 'order' | 'weights'>,
  number: number,
  random: Random,
): string {
  const names = Object.keys(faults);
  if (order === 'in turn') return names[number % names.length] ?? '';
  return random.pick(names.flatMap((name) => Array<string>(weights[name] ?? 1).fill(name)));
}
