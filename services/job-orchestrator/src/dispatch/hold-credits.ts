import { AppError, type Failure, isTerminal, toFailure } from '@gleaner/contracts';
import type { PageEnd, StartBounds, Stores } from '@gleaner/storage';
import type { JobTermsCache } from '../collect/job-terms-cache.ts';
import { filterOf } from '../crawl/crawl-terms.ts';
import { operationOf } from '../finish/charge-pages.ts';
import type { Finisher, SpentJob } from '../finish/finisher.ts';
import { type ClaimedPage, isInTime, type PickedPage } from './picked-page.ts';

/** Collaborators of holding credits. */
export interface HoldDeps {
  readonly stores: Stores;
  readonly finisher: Pick<Finisher, 'add'>;
  readonly terms: Pick<JobTermsCache, 'hasBalance'>;
}

/** A hold on credits outlives any attempt; it is released with the page, or with the job at the latest. */
const HOLD_MS = 7 * 24 * 3600 * 1000;
/** Holds the highest price of each page; if the account has too few credits, the rest of the job fails with that error. */
export async function holdCredits(picks: readonly ClaimedPage[], deps: HoldDeps): Promise<ClaimedPage[]> {
  const byAccount = Map.groupBy(picks, ({ job }) => job.accountId);
  const paidFor: ClaimedPage[] = [];
  for (const [accountId, group] of byAccount) {
    if (!(await deps.terms.hasBalance({ accountId }))) paidFor.push(...group);
    else
      for (const pick of group) if (isInTime(pick, deps) && (await holdFor(pick, deps))) paidFor.push(pick);
  }
  return paidFor;
}

async function holdFor(pick: ClaimedPage, deps: HoldDeps): Promise<boolean> {
  const { job, page } = pick;
  if (page.crawled?.purpose) return true;
  const { operationId, accountId, credits } = operationOf(job.terms, page.id);
  const now = deps.stores.clock.now();
  const expiresAt = new Date(now.getTime() + HOLD_MS);
  // Any number but null, which is unlimited: the reservation itself checks the balance.
  const account = { id: accountId, balance: 0 };
  try {
    await deps.stores.credits.reserve({ account, operationId, credits, now, expiresAt });
    if (!isInTime(pick, deps)) await returnLateHold(pick, deps);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_CREDITS') throw error;
    const failure = toFailure(outOfCredits(error));
    const end: PageEnd = { id: page.id, attempt: page.attempt + 1, state: 'failed', failure };
    await deps.stores.pages.end([end], now);
    if (job.crawl) await deps.stores.jobs.stopCrawl(job.id, 'credits');
    else await deps.stores.jobs.failRest(job.id, failure);
    job.waiting = [];
    deps.finisher.add(job);
    return false;
  }
}

/**
 * Releases credits that were held for a page after its claim had expired, if its job is finished: then all is charged,
 * and nothing else would release them. Otherwise they pay for the page's next attempt, or are released with the job.
 */
async function returnLateHold({ job, page }: ClaimedPage, { stores }: HoldDeps): Promise<void> {
  const [stored] = await stores.jobs.findJobs([job.id]);
  if (stored && !isTerminal(stored.status)) return;
  const { accountId } = job;
  await stores.credits.endReservations({ accountId, operationPrefix: page.id, at: stores.clock.now() });
}

function outOfCredits(cause: AppError): AppError {
  return new AppError('INSUFFICIENT_CREDITS', {
    message: `The account ran out of credits before this page was scraped. ${cause.message}`,
    suggestion:
      'Add credits with: npm run keys -- credit <account> <amount>; then create a job for the pages that failed.',
    cause,
  });
}

/** Reserves the start of pages of bounded jobs that have never been sent, within the bounds of each; leaves out the others. */
export async function reserveStarts(
  picks: readonly PickedPage[],
  { stores }: { readonly stores: Pick<Stores, 'jobs'> },
): Promise<{ readonly reserved: readonly PickedPage[]; readonly spent: readonly SpentJob[] }> {
  const spent: SpentJob[] = [];
  const left = new Set<PickedPage>();
  const starting = picks.filter(
    ({ job, page }) => job.bounds && page.attempt === 0 && !page.crawled?.purpose,
  );
  for (const [job, group] of Map.groupBy(starting, (pick) => pick.job)) {
    const { bounds, crawl } = job;
    if (!bounds) continue;
    const { granted, refusedBecause, pages } = await stores.jobs.reserveStarts(job.id, group.length, bounds);
    for (const pick of group.slice(granted)) left.add(pick);
    if (refusedBecause && pages) {
      const rest = crawl ? { reason: refusedBecause } : { failure: budgetSpent(bounds) };
      spent.push({ jobId: job.id, pages, bounds, ...rest });
    }
    if (crawl && pages?.places) crawl.filter = filterOf(crawl.terms, pages.places);
  }
  return { reserved: picks.filter((pick) => !left.has(pick)), spent };
}

function budgetSpent({ maxCredits, creditsPerPage }: StartBounds): Failure {
  return toFailure(
    new AppError('INSUFFICIENT_CREDITS', {
      message: `The page was not fetched: it may cost ${creditsPerPage}, and less is left of the job's maxCredits of ${maxCredits}.`,
      suggestion: 'Create a job for the pages that failed, or one with a higher maxCredits.',
    }),
  );
}
