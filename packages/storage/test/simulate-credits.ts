import { AppError, createId, totalCredits } from '@gleaner/contracts';
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
/** What each operation may cost at most. */
const WORST = 5;
const BREAKDOWNS = [{ base: 1 }, { base: 1, screenshot: 1 }, { base: 1, render: 4 }] as const;
const DEATHS: readonly Death[] = ['before', 'after', 'never', 'never', 'never', 'never', 'never', 'never'];

/**
 * Lets several processes reserve, settle, release and sweep the same few operations, one step at a time in a random
 * order, killing some before and some after a step; in the end a healthy one sweeps what has expired.
 */
export async function simulateScrapes(deps: SimulationDeps): Promise<Told[]> {
  const operationIds = Array.from({ length: OPERATIONS }, () => createId('req'));
  const told: Told[] = [];
  const nowMs = await simulate(deps, (run) => {
    const operationId = deps.random.pick(operationIds);
    return deps.random.below(5) === 0 ? sweep(run) : operate(operationId, run, told);
  });
  await createCreditStore(deps.steps).sweepReservations({ now: new Date(nowMs + LIFETIME_MS) });
  return told;
}

/**
 * Lets several processes hold, charge and release the same few pages, as orchestrators do: who charges a page is not who
 * has held for it, and who holds may come late, when it is charged or released already. In the end the job is closed.
 */
export async function simulatePages(deps: SimulationDeps): Promise<Told[]> {
  const pages = Array.from({ length: OPERATIONS }, () => newPage(deps.random));
  const told: Told[] = [];
  const nowMs = await simulate(deps, (run) => {
    const page = deps.random.pick(pages);
    return deps.random.below(2) === 0 ? hold(page, run) : end(page, run, told);
  });
  const run = { ...deps, now: new Date(nowMs) };
  for (const page of pages) await end(page, run, told);
  for (const { operationId } of pages) await endReservations(operationId, run);
  return told;
}

/** What one process has to do with. */
interface Run extends Pick<SimulationDeps, 'account' | 'steps' | 'random'> {
  readonly now: Date;
}

/** Advances processes that `begin` their work; the time in the end, in milliseconds since 1970. */
async function simulate(
  { account, steps, random, afterEachStep }: SimulationDeps,
  begin: (run: Run) => Promise<void>,
): Promise<number> {
  const alive = new Set<SteppedProcess>();
  let nowMs = START_MS;
  for (let turn = 0; turn < TURNS; turn += 1) {
    nowMs += random.below(100);
    const now = new Date(nowMs);
    if (alive.size < PROCESSES) {
      alive.add(startStepped(steps, (stepped) => begin({ account, steps: stepped, random, now })));
    }
    const process = random.pick([...alive]);
    if (!(await process.advance(random.pick(DEATHS)))) alive.delete(process);
    await afterEachStep();
  }
  return nowMs;
}

/** What a gateway does with one operation, for the first time or again. */
async function operate(
  operationId: string,
  { steps, account, random, now }: Run,
  told: Told[],
): Promise<void> {
  const credits = createCreditStore(steps);
  const breakdown = random.pick(BREAKDOWNS);
  const isSuccess = random.below(3) > 0;
  const expiresAt = new Date(now.getTime() + random.below(LIFETIME_MS));
  await unlessPoor(async () => {
    const reservation = await credits.reserve({ account, operationId, credits: WORST, now, expiresAt });
    const outcome = isSuccess
      ? await credits.settle(reservation, { keyId: 'key_1', operation: 'page', breakdown, at: now })
      : await credits.release(reservation, now);
    told.push({ operationId, ...outcome });
  });
}

async function sweep({ steps, now }: Run): Promise<void> {
  await createCreditStore(steps).sweepReservations({ now });
}

/** A page, what will come of it, and whether it has gone out: only then something can. */
interface SimulatedPage {
  readonly operationId: string;
  readonly isSuccess: boolean;
  readonly breakdown: (typeof BREAKDOWNS)[number];
  isOut: boolean;
}

function newPage(random: Random): SimulatedPage {
  const isSuccess = random.below(3) > 0;
  return { operationId: createId('req'), isSuccess, breakdown: random.pick(BREAKDOWNS), isOut: false };
}

/** What a dispatcher does. */
async function hold(page: SimulatedPage, { steps, account, now }: Run): Promise<void> {
  const { operationId } = page;
  const expiresAt = new Date(now.getTime() + 1000 * LIFETIME_MS);
  await unlessPoor(async () => {
    await createCreditStore(steps).reserve({ account, operationId, credits: WORST, now, expiresAt });
    page.isOut = true;
  });
}

/** What a collector does. */
async function end(page: SimulatedPage, run: Run, told: Told[]): Promise<void> {
  const { operationId, isSuccess, breakdown, isOut } = page;
  if (!isOut) return;
  if (!isSuccess) {
    await endReservations(operationId, run);
    told.push({ operationId, outcome: 'released', credits: 0 });
    return;
  }
  const { steps, account, now } = run;
  const settlement = { keyId: 'key_1', operation: 'page', breakdown, at: now } as const;
  await createCreditStore(steps).settleAll([
    { operationId, accountId: account.id, credits: WORST, settlement },
  ]);
  told.push({ operationId, outcome: 'charged', credits: totalCredits(breakdown) });
}

async function endReservations(operationPrefix: string, { steps, account, now }: Run): Promise<void> {
  await createCreditStore(steps).endReservations({ accountId: account.id, operationPrefix, at: now });
}

async function unlessPoor(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_CREDITS') throw error;
  }
}
