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

/** What sending takes. */
export interface SendDeps extends FinishDeps {
  readonly stores: Stores;
  readonly broker: Broker;
  readonly logger: Logger;
  readonly queuePatienceMs: number;
  readonly terms: Pick<JobTermsCache, 'hasBalance'>;
}

/** A page that goes out. */
export interface PickedPage {
  readonly job: ActiveJob;
  readonly page: WaitingPage;
}

/** A page that goes out, until it counts as lost. */
interface ClaimedPage extends PickedPage {
  readonly deadlineAt: Date;
}

/** The hold on credits outlives any try; it ends with the page, and with the job at the latest. */
const HOLD_MS = 7 * 24 * 3600 * 1000;
const UNSENT_DELAY_MS = 1000;

/**
 * Sends pages to the scrapers: job running → page claimed → credits held → message published; meanwhile it is announced
 * which jobs have started. Dying between any two leaves a claim that becomes overdue. Returns the pages that are out.
 */
export async function sendPages(
  picks: readonly PickedPage[],
  engine: Engine,
  deps: SendDeps,
): Promise<PickedPage[]> {
  const { startable, started } = await startJobs(picks, deps);
  const announcing = announce(started, deps);
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
  const paidFor = (await holdCredits(claimed, deps)).filter(isOurs);
  if (paidFor.length === 0) return [];
  const faults = await deps.broker.publishWork(
    `pages.${engine}`,
    paidFor.map((pick) => toCommand(pick, deps)),
  );
  const unsent = paidFor.filter((_, index) => faults[index] !== undefined);
  const err = faults.find((fault) => fault !== undefined);
  if (err) {
    deps.logger.warn({ err, pages: unsent.length }, 'Pages were not sent to scrapers; they are sent again.');
    await deps.stores.pages.end(unsent.map(toUnsent), new Date());
  }
  return paidFor.filter((_, index) => faults[index] === undefined);
}

/** The pages of jobs that can be dispatched, and which of these jobs have just been started. */
interface Startable {
  readonly startable: readonly PickedPage[];
  readonly started: readonly StoredJob[];
}

/** Sets jobs running at their first page; without those that have ended meanwhile. */
async function startJobs(picks: readonly PickedPage[], deps: SendDeps): Promise<Startable> {
  const pending = new Set(picks.filter(({ job }) => job.isPending).map(({ job }) => job));
  const started = await Promise.all([...pending].map((job) => startJob(job, deps)));
  return {
    startable: picks.filter(({ job }) => !job.isPending),
    started: started.filter((job) => job !== null),
  };
}

/** The job, unless somebody else has started or ended it; it is not pending any more when it runs. */
async function startJob(job: ActiveJob, deps: SendDeps): Promise<StoredJob | null> {
  const started = await changeState(job.id, 'page-dispatched', { startedAt: new Date() }, deps);
  const [current] = started ? [started] : await deps.stores.jobs.findJobs([job.id]);
  if (current?.status === 'running') job.isPending = false;
  return started;
}

/** Announces that jobs have started. Never throws: pages go out all the same. */
async function announce(jobs: readonly StoredJob[], deps: SendDeps): Promise<void> {
  await Promise.all(
    jobs.map((job) =>
      sendEvents(job, deps).catch((err: unknown) => {
        deps.logger.warn({ err, jobId: job.id }, 'A job was not announced; it is announced again later.');
      }),
    ),
  );
}

/** Begins another try at each page; without those that somebody else has changed meanwhile. */
async function claimPages(picks: readonly PickedPage[], deps: SendDeps): Promise<ClaimedPage[]> {
  const byLease = Map.groupBy(picks, ({ job }) => job.timeoutMs + deps.queuePatienceMs);
  const claimed: ClaimedPage[] = [];
  for (const [leaseMs, group] of byLease) {
    const ids = group.map(({ page }) => page.id);
    const deadlineAt = new Date(Date.now() + leaseMs);
    const count = await deps.stores.pages.claim(ids, deadlineAt);
    const ours = count === ids.length ? group : await findClaimed(group, deadlineAt, deps);
    claimed.push(...ours.map((pick) => ({ ...pick, deadlineAt })));
  }
  return claimed;
}

async function findClaimed(
  group: readonly PickedPage[],
  deadlineAt: Date,
  { stores }: SendDeps,
): Promise<PickedPage[]> {
  const pages = await stores.pages.findPages(group.map(({ page }) => page.id));
  const ours = new Set(
    pages
      .filter((page) => page.state === 'running' && page.deadlineAt?.getTime() === deadlineAt.getTime())
      .map(({ id, attempt }) => `${id} ${attempt}`),
  );
  return group.filter(({ page }) => ours.has(`${page.id} ${page.attempt + 1}`));
}

/** Whether the page still counts as this try's: a process that was held up may find that others have it by now. */
function isOurs({ deadlineAt }: ClaimedPage): boolean {
  return Date.now() < deadlineAt.getTime();
}

/** Holds what each page may cost; where an account has run dry, the rest of the job fails and says so. */
async function holdCredits(picks: readonly ClaimedPage[], deps: SendDeps): Promise<ClaimedPage[]> {
  const byAccount = Map.groupBy(picks, ({ job }) => job.accountId);
  const paidFor: ClaimedPage[] = [];
  for (const [accountId, group] of byAccount) {
    if (!(await deps.terms.hasBalance({ accountId }))) paidFor.push(...group);
    else for (const pick of group) if (isOurs(pick) && (await holdFor(pick, deps))) paidFor.push(pick);
  }
  return paidFor;
}

async function holdFor(pick: ClaimedPage, deps: SendDeps): Promise<boolean> {
  const { job, page } = pick;
  const { operationId, accountId, credits } = operationOf(job.terms, page.id);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + HOLD_MS);
  // Anything but unlimited: how much is left is looked at when it is held.
  const account = { id: accountId, balance: 0 };
  try {
    await deps.stores.credits.reserve({ account, operationId, credits, now, expiresAt });
    if (!isOurs(pick)) await returnLateHold(pick, deps);
    return true;
  } catch (fault) {
    if (!(fault instanceof AppError) || fault.code !== 'INSUFFICIENT_CREDITS') throw fault;
    const failure = toFailure(outOfCredits(fault));
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
 * What was held for a page that others have by now pays for their try, or is given back when the job rests. Where its job has
 * ended, all is charged, and nobody would give it back.
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
    suggestion: 'Add credits to the account and create a job for the pages that failed.',
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
