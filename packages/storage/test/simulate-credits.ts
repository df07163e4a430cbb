import { AppError, createId } from '@gleaner/contracts';
import type { CreditSteps } from '../src/credits/credit-steps.ts';
import { createCreditStore } from '../src/credits/credit-store.ts';
import type { Account, Outcome } from '../src/index.ts';
import type { Random } from './create-random.ts';
import { type Death, type SteppedProcess, startStepped } from './stepped-process.ts';

/** What the simulation runs on, and what it is watched by. */
export interface SimulationDeps {
  readonly account: Account;
  readonly steps: CreditSteps;
  readonly random: Random;
  afterEachStep(): Promise<unknown>;
}

/** An outcome that a process was told. */
export interface Told extends Outcome {
  readonly operationId: string;
}

const OPERATIONS = 6;
const TURNS = 100;
const PROCESSES = 4;
// Long after now: what is kept for a while must not expire by the server's own clock.
const START_MS = Date.parse('2099-06-01T12:00:00.000Z');
const LIFETIME_MS = 1000;
const BREAKDOWNS = [{ base: 1 }, { base: 1, screenshot: 1 }, { base: 1, render: 4 }] as const;
const DEATHS: readonly Death[] = ['before', 'after', 'never', 'never', 'never', 'never', 'never', 'never'];

/**
 * Lets several processes reserve, settle, release and sweep the same few operations, one step at a time in a random
 * order, killing some before and some after a step; in the end a healthy one sweeps what has expired.
 */
export async function simulateCredits({
  account,
  steps,
  random,
  afterEachStep,
}: SimulationDeps): Promise<Told[]> {
  const operationIds = Array.from({ length: OPERATIONS }, () => createId('req'));
  const told: Told[] = [];
  const alive = new Set<SteppedProcess>();
  let nowMs = START_MS;

  for (let turn = 0; turn < TURNS; turn += 1) {
    nowMs += random.below(100);
    const now = new Date(nowMs);
    if (alive.size < PROCESSES) {
      const operationId = random.pick(operationIds);
      const program = random.below(5) === 0 ? sweep : operate;
      alive.add(
        startStepped(steps, (stepped) =>
          program({ steps: stepped, account, operationId, random, now, told }),
        ),
      );
    }
    const process = random.pick([...alive]);
    if (!(await process.advance(random.pick(DEATHS)))) alive.delete(process);
    await afterEachStep();
  }
  await createCreditStore(steps).sweepReservations({ now: new Date(nowMs + LIFETIME_MS) });
  return told;
}

interface ProgramDeps {
  readonly steps: CreditSteps;
  readonly account: Account;
  readonly operationId: string;
  readonly random: Random;
  readonly now: Date;
  readonly told: Told[];
}

/** What a gateway or an orchestrator does with one operation, for the first time or again. */
async function operate({ steps, account, operationId, random, now, told }: ProgramDeps): Promise<void> {
  const credits = createCreditStore(steps);
  const breakdown = random.pick(BREAKDOWNS);
  const isSuccess = random.below(3) > 0;
  const expiresAt = new Date(now.getTime() + random.below(LIFETIME_MS));
  try {
    const reservation = await credits.reserve({ account, operationId, credits: 5, now, expiresAt });
    const outcome = isSuccess
      ? await credits.settle(reservation, { keyId: 'key_1', operation: 'page', breakdown, at: now })
      : await credits.release(reservation, now);
    told.push({ operationId, ...outcome });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_CREDITS') throw error;
  }
}

async function sweep({ steps, now }: ProgramDeps): Promise<void> {
  await createCreditStore(steps).sweepReservations({ now });
}
