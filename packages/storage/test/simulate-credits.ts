import { AppError, createId, totalCredits } from '@gleaner/contracts';
import type { Random } from '@gleaner/test-kit';
import type { CreditSteps } from '../src/credits/credit-steps.ts';
import { CreditStore } from '../src/credits/credit-store.ts';
import type { Account, Outcome } from '../src/index.ts';
import { type Death, type SteppedProcess, startStepped } from './stepped-process.ts';

/** Collaborators and observer of a simulation. */
export interface SimulationDeps {
  readonly account: Account;
  readonly steps: CreditSteps;
  readonly random: Random;
  afterEachStep(): Promise<unknown>;
}

/** Outcome that a process received. */
export interface ReportedOutcome extends Outcome {
  readonly operationId: string;
}

const OPERATIONS = 6;
const TURNS = 100;
const PROCESSES = 4;
// Far in the future, so that stored documents do not expire by the server's clock.
const START_MS = Date.parse('2099-06-01T12:00:00.000Z');
const LIFETIME_MS = 1000;
/** Worst-case price of each operation. */
const WORST = 5;
const BREAKDOWNS = [{ base: 1 }, { base: 1, screenshot: 1 }, { base: 1, render: 4 }] as const;
const DEATHS: readonly Death[] = ['before', 'after', 'never', 'never', 'never', 'never', 'never', 'never'];

/**
 * Lets several processes reserve, settle, release and sweep the same few operations, one step at a time in a random
 * order, killing some before and some after a step; at the end one process sweeps expired reservations.
 */
export async function simulateScrapes(deps: SimulationDeps): Promise<ReportedOutcome[]> {
  const operationIds = Array.from({ length: OPERATIONS }, () => createId('req'));
  const reported: ReportedOutcome[] = [];
  const nowMs = await simulate(deps, (run) => {
    const operationId = deps.random.pick(operationIds);
    return deps.random.below(5) === 0 ? sweep(run) : operate(operationId, run, reported);
  });
  await new CreditStore(deps.steps).sweepReservations({ now: new Date(nowMs + LIFETIME_MS) });
  return reported;
}

/**
 * Lets several processes hold, charge and release the same few pages, as orchestrators do: one process holds credits for
 * a page and another charges it, and a hold may come after the charge or release. At the end the job is closed.
 */
export async function simulatePages(deps: SimulationDeps): Promise<ReportedOutcome[]> {
  const pages = Array.from({ length: OPERATIONS }, () => newPage(deps.random));
  const reported: ReportedOutcome[] = [];
  const nowMs = await simulate(deps, (run) => {
    const page = deps.random.pick(pages);
    return deps.random.below(2) === 0 ? hold(page, run) : end(page, run, reported);
  });
  const run = { ...deps, now: new Date(nowMs) };
  for (const page of pages) await end(page, run, reported);
  for (const { operationId } of pages) await endReservations(operationId, run);
  return reported;
}

/** Environment of one process. */
interface Run extends Pick<SimulationDeps, 'account' | 'steps' | 'random'> {
  readonly now: Date;
}

/** Advances processes that `begin` their work; returns the time at the end, in milliseconds since 1970. */
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

/** Runs one operation as a gateway does, for the first time or again. */
async function operate(
  operationId: string,
  { steps, account, random, now }: Run,
  reported: ReportedOutcome[],
): Promise<void> {
  const credits = new CreditStore(steps);
  const breakdown = random.pick(BREAKDOWNS);
  const isSuccess = random.below(3) > 0;
  const expiresAt = new Date(now.getTime() + random.below(LIFETIME_MS));
  await ignoreInsufficientCredits(async () => {
    const reservation = await credits.reserve({ account, operationId, credits: WORST, now, expiresAt });
    const outcome = isSuccess
      ? await credits.settle(reservation, { keyId: 'key_1', operation: 'page', breakdown, at: now })
      : await credits.release(reservation, now);
    reported.push({ operationId, ...outcome });
  });
}

async function sweep({ steps, now }: Run): Promise<void> {
  await new CreditStore(steps).sweepReservations({ now });
}

/** Page with its planned outcome, which takes effect only once the page is dispatched. */
interface SimulatedPage {
  readonly operationId: string;
  readonly isSuccess: boolean;
  readonly breakdown: (typeof BREAKDOWNS)[number];
  isDispatched: boolean;
}

function newPage(random: Random): SimulatedPage {
  const isSuccess = random.below(3) > 0;
  return { operationId: createId('req'), isSuccess, breakdown: random.pick(BREAKDOWNS), isDispatched: false };
}

/** Holds credits for a page as a dispatcher does. */
async function hold(page: SimulatedPage, { steps, account, now }: Run): Promise<void> {
  const { operationId } = page;
  const expiresAt = new Date(now.getTime() + 1000 * LIFETIME_MS);
  await ignoreInsufficientCredits(async () => {
    await new CreditStore(steps).reserve({ account, operationId, credits: WORST, now, expiresAt });
    page.isDispatched = true;
  });
}

/** Ends a page as a collector does. */
async function end(page: SimulatedPage, run: Run, reported: ReportedOutcome[]): Promise<void> {
  const { operationId, isSuccess, breakdown, isDispatched } = page;
  if (!isDispatched) return;
  if (!isSuccess) {
    await endReservations(operationId, run);
    reported.push({ operationId, outcome: 'released', credits: 0 });
    return;
  }
  const { steps, account, now } = run;
  const settlement = { keyId: 'key_1', operation: 'page', breakdown, at: now } as const;
  await new CreditStore(steps).settleAll([
    { operationId, accountId: account.id, credits: WORST, settlement },
  ]);
  reported.push({ operationId, outcome: 'charged', credits: totalCredits(breakdown) });
}

async function endReservations(operationPrefix: string, { steps, account, now }: Run): Promise<void> {
  await new CreditStore(steps).endReservations({ accountId: account.id, operationPrefix, at: now });
}

async function ignoreInsufficientCredits(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_CREDITS') throw error;
  }
}
