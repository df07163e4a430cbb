import type { Broker } from '@gleaner/broker';
import { AppError, type Engine, isTerminal, type PageCommand, toFailure } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { PageEnd, StoredJob, Stores } from '@gleaner/storage';
import type { JobTermsCache } from '../collect/job-terms-cache.ts';
import { changeState } from '../finish/change-state.ts';
import { operationOf } from '../finish/charge-pages.ts';
import { type FinishDeps, finishJob } from '../finish/finish-job.ts';
import { sendEvents } from '../finish/send-events.ts';
import type { ActiveJob, WaitingPage } from './active-jobs.ts';

/** Collaborators of sending pages. */
export interface SendDeps extends FinishDeps {
  readonly stores: Stores;
  readonly broker: Broker;
  readonly logger: Logger;
  readonly queuePatienceMs: number;
  readonly terms: Pick<JobTermsCache, 'hasBalance'>;
}

/** A page to send. */
export interface PickedPage {
  readonly job: ActiveJob;
  readonly page: WaitingPage;
}

/** A page that is claimed for this attempt until its deadline. */
interface ClaimedPage extends PickedPage {
  readonly deadlineAt: Date;
}

/** A hold on credits outlives any attempt; it is released with the page, or with the job at the latest. */
const HOLD_MS = 7 * 24 * 3600 * 1000;
const UNSENT_DELAY_MS = 1000;

/**
 * Sends pages to the scrapers: job running → page claimed → credits held → message published. The events of jobs that
 * start are sent at the same time. A crash between two steps leaves a claim that becomes overdue. Returns the pages sent.
 */
export async function sendPages(
  picks: readonly PickedPage[],
  engine: Engine,
  deps: SendDeps,
): Promise<PickedPage[]> {
  const { startable, started } = await startJobs(picks, deps);
  const announcing = announceStart(started, deps);
  try {
    return await claimAndPublish(startable, engine, deps);
  } finally {
    await announcing;
  }
}

async function claimAndPublish(
  picks: readonly PickedPage[],
  engine: Engine,
  deps: SendDeps,
): Promise<PickedPage[]> {
  const claimed = await claimPages(picks, deps);
  const paidFor = (await holdCredits(claimed, deps)).filter(isInTime);
  if (paidFor.length === 0) return [];
  const errors = await deps.broker.publishWork(
    `pages.${engine}`,
    paidFor.map((pick) => toCommand(pick, deps)),
  );
  const unsent = paidFor.filter((_, index) => errors[index] !== undefined);
  const err = errors.find((error) => error !== undefined);
  if (err) {
    deps.logger.warn(
      { err, pages: unsent.length },
      'Pages were not sent to scrapers; they are sent again in a moment.',
    );
    await deps.stores.pages.end(unsent.map(toUnsent), new Date());
  }
  return paidFor.filter((_, index) => errors[index] === undefined);
}

/** Pages of running jobs, and the jobs among these that this call started. */
interface Startable {
  readonly startable: readonly PickedPage[];
  readonly started: readonly StoredJob[];
}

/** Starts pending jobs; leaves out the pages of jobs that have finished. */
async function startJobs(picks: readonly PickedPage[], deps: SendDeps): Promise<Startable> {
  const pending = new Set(picks.filter(({ job }) => job.isPending).map(({ job }) => job));
  const started = await Promise.all([...pending].map((job) => startJob(job, deps)));
  return {
    startable: picks.filter(({ job }) => !job.isPending),
    started: started.filter((job) => job !== null),
  };
}

/** Starts a pending job; returns null if another process has started or finished it. */
async function startJob(job: ActiveJob, deps: SendDeps): Promise<StoredJob | null> {
  const started = await changeState(job.id, 'page-dispatched', { startedAt: new Date() }, deps);
  const [current] = started ? [started] : await deps.stores.jobs.findJobs([job.id]);
  if (current?.status === 'running') job.isPending = false;
  return started;
}

/** Sends the events of jobs that started. Never throws: pages are sent regardless. */
async function announceStart(jobs: readonly StoredJob[], deps: SendDeps): Promise<void> {
  await Promise.all(
    jobs.map((job) =>
      sendEvents(job, deps).catch((err: unknown) => {
        deps.logger.warn(
          { err, jobId: job.id },
          'The event of a job was not sent; the reconciler sends it again.',
        );
      }),
    ),
  );
}

/** Claims each page for its next attempt; leaves out pages that another process has changed. */
async function claimPages(picks: readonly PickedPage[], deps: SendDeps): Promise<ClaimedPage[]> {
  const byLease = Map.groupBy(picks, ({ job }) => job.timeoutMs + deps.queuePatienceMs);
  const claimed: ClaimedPage[] = [];
  for (const [leaseMs, group] of byLease) {
    const ids = group.map(({ page }) => page.id);
    const deadlineAt = new Date(Date.now() + leaseMs);
    const count = await deps.stores.pages.claim(ids, deadlineAt);
    const claimedHere = count === ids.length ? group : await findClaimed(group, deadlineAt, deps);
    claimed.push(...claimedHere.map((pick) => ({ ...pick, deadlineAt })));
  }
  return claimed;
}

async function findClaimed(
  group: readonly PickedPage[],
  deadlineAt: Date,
  { stores }: SendDeps,
): Promise<PickedPage[]> {
  const pages = await stores.pages.findPages(group.map(({ page }) => page.id));
  const claimedHere = new Set(
    pages
      .filter((page) => page.state === 'running' && page.deadlineAt?.getTime() === deadlineAt.getTime())
      .map(({ id, attempt }) => `${id} ${attempt}`),
  );
  return group.filter(({ page }) => claimedHere.has(`${page.id} ${page.attempt + 1}`));
}

/** Returns whether the claim still holds: after a pause of this process, another one may have the page. */
function isInTime({ deadlineAt }: ClaimedPage): boolean {
  return Date.now() < deadlineAt.getTime();
}

/** Holds the highest price of each page; if the account has too few credits, the rest of the job fails with that error. */
async function holdCredits(picks: readonly ClaimedPage[], deps: SendDeps): Promise<ClaimedPage[]> {
  const byAccount = Map.groupBy(picks, ({ job }) => job.accountId);
  const paidFor: ClaimedPage[] = [];
  for (const [accountId, group] of byAccount) {
    if (!(await deps.terms.hasBalance({ accountId }))) paidFor.push(...group);
    else for (const pick of group) if (isInTime(pick) && (await holdFor(pick, deps))) paidFor.push(pick);
  }
  return paidFor;
}

async function holdFor(pick: ClaimedPage, deps: SendDeps): Promise<boolean> {
  const { job, page } = pick;
  const { operationId, accountId, credits } = operationOf(job.terms, page.id);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + HOLD_MS);
  // Any number but null, which is unlimited: the reservation itself checks the balance.
  const account = { id: accountId, balance: 0 };
  try {
    await deps.stores.credits.reserve({ account, operationId, credits, now, expiresAt });
    if (!isInTime(pick)) await returnLateHold(pick, deps);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_CREDITS') throw error;
    const failure = toFailure(outOfCredits(error));
    const end: PageEnd = { id: page.id, attempt: page.attempt + 1, state: 'failed', failure };
    await deps.stores.pages.end([end], now);
    await deps.stores.pages.failWaiting(job.id, failure, now);
    job.waiting = [];
    const [stored] = await deps.stores.jobs.findJobs([job.id]);
    if (stored) await finishJob(stored, deps);
    return false;
  }
}

/**
 * Releases credits that were held for a page after its claim had expired, if its job is finished: then all is charged,
 * and nothing else would release them. Otherwise they pay for the page's next attempt, or are released with the job.
 */
async function returnLateHold({ job, page }: ClaimedPage, { stores }: SendDeps): Promise<void> {
  const [stored] = await stores.jobs.findJobs([job.id]);
  if (stored && !isTerminal(stored.status)) return;
  const { accountId } = job;
  await stores.credits.endReservations({ accountId, operationPrefix: page.id, at: new Date() });
}

function outOfCredits(cause: AppError): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    message: `The account ran out of credits before this page was scraped. ${cause.message}`,
    suggestion:
      'Add credits with: npm run keys -- credit <account> <amount>; then create a job for the pages that failed.',
    cause,
  });
}

function toCommand({ job, page }: PickedPage, { queuePatienceMs }: SendDeps): PageCommand {
  return {
    jobId: job.id,
    pageId: page.id,
    attempt: page.attempt + 1,
    accountId: job.accountId,
    timeoutMs: job.timeoutMs,
    startBeforeMs: Date.now() + queuePatienceMs,
    request: { ...job.options, url: page.url },
  };
}

function toUnsent({ page }: PickedPage): PageEnd {
  const notBefore = new Date(Date.now() + UNSENT_DELAY_MS);
  return { id: page.id, attempt: page.attempt + 1, state: 'waiting', notBefore, because: 'unsent' };
}
