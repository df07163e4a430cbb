import { type Broker, isUnconfirmed } from '@gleaner/broker';
import {
  type AppError,
  defined,
  type Engine,
  LANE_MS,
  mayRepeat,
  type PageCommand,
  profileOf,
  type ScrapeOptions,
  type ScrapeRequest,
  secretsIn,
  withoutCredentials,
} from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import {
  type CacheKeeper,
  type PageEnd,
  pageIndexOf,
  profileUseOf,
  type StoredJob,
  type StoredProfile,
} from '@gleaner/storage';
import { isStartUrl, optionsOf, pageCrawlOf } from '../crawl/crawl-terms.ts';
import { changeState, sendEvents } from '../finish/change-state.ts';
import type { SpentJob } from '../finish/finisher.ts';
import type { ActiveJob } from './active-job.ts';
import { type Facts, findFacts } from './find-facts.ts';
import { type HoldDeps, holdCredits, reserveStarts } from './hold-credits.ts';
import type { PaceRules } from './host-pace.ts';
import { type ClaimedPage, isInTime, type PickedPage } from './picked-page.ts';

/** Collaborators of sending pages. */
export interface SendDeps extends HoldDeps {
  readonly broker: Broker;
  readonly logger: Logger;
  readonly queuePatienceMs: number;
  readonly cache: Pick<CacheKeeper, 'find'>;
  readonly pace: Pick<PaceRules, 'hostDelayMs'>;
}

const UNSENT_DELAY_MS = 1000;

/**
 * Sends pages to the scrapers: job running → page claimed → credits held → message published. The events of jobs that
 * start are sent at the same time. A crash between two steps leaves a claim that becomes overdue. Returns the pages sent.
 */
export async function sendPages(
  picks: readonly PickedPage[],
  engine: Engine,
  deps: SendDeps,
): Promise<SentPages> {
  const profiles = await findProfiles(picks, deps);
  const ready = picks.filter(({ job: { profileId } }) => profileId === undefined || profiles.has(profileId));
  const { startable, started } = await startJobs(ready, deps);
  const announcing = announceStart(started, deps);
  try {
    const { reserved, spent } = await reserveStarts(startable, deps);
    return { sent: await claimAndPublish(reserved, { engine, profiles }, deps), spent };
  } finally {
    await announcing;
  }
}

/** Sent pages, and the jobs that may start no further page. */
export interface SentPages {
  readonly sent: readonly PickedPage[];
  readonly spent: readonly SpentJob[];
}

async function claimAndPublish(
  picks: readonly PickedPage[],
  { engine, profiles }: Pick<Finds, 'profiles'> & { readonly engine: Engine },
  deps: SendDeps,
): Promise<PickedPage[]> {
  const claimed = await claimPages(picks, deps);
  const paidFor = await leaveOutCancelled(await holdCredits(claimed, deps), deps);
  if (paidFor.length === 0) return [];
  const requestOf = (pick: PickedPage) => requestOfPage(pick, profiles);
  const facts = await findFacts(paidFor, engine, { ...deps, requestOf, isEvidence });
  const errors = await publishAll(paidFor, { engine, profiles, ...facts }, deps);
  const unsent = paidFor.filter((_, index) => errors[index] !== undefined);
  // Where a scraper may have the page all the same, another one must not get it: its claim becomes overdue.
  const isUnsent = (pick: ClaimedPage, index: number) =>
    !isUnconfirmed(errors[index]) || mayRepeat({ ...pick.job.options, ...pick.page.request });
  const free = paidFor.filter((pick, index) => errors[index] !== undefined && isUnsent(pick, index));
  const err = errors.find((error) => error !== undefined);
  if (err) {
    deps.logger.warn(
      { err, pages: unsent.length },
      'Pages were not sent to scrapers; they are sent again in a moment.',
    );
    const now = deps.stores.clock.now();
    await deps.stores.pages.end(
      free.map((pick) => toUnsent(pick, now)),
      now,
    );
  }
  return paidFor.filter((_, index) => errors[index] === undefined);
}

/** Leaves out late pages, and pages of jobs cancelled since the pick: none of them may start. */
async function leaveOutCancelled(claimed: readonly ClaimedPage[], deps: SendDeps): Promise<ClaimedPage[]> {
  if (claimed.length === 0) return [];
  const sendable = await deps.stores.jobs.findSendable([...new Set(claimed.map(({ job }) => job.id))]);
  return claimed.filter((pick) => sendable.has(pick.job.id) && isInTime(pick, deps));
}

/** Publishes the commands of lanes; returns the error of each page that was not published. */
async function publishAll(
  picks: readonly ClaimedPage[],
  { engine, ...finds }: Finds & { readonly engine: Engine },
  deps: SendDeps,
): Promise<(AppError | undefined)[]> {
  const errors = new Map<ClaimedPage, AppError | undefined>();
  // robots.txt and sitemaps need no browser.
  const queueOf = ({ page }: PickedPage) =>
    page.crawled?.purpose ? 'pages.http' : (`pages.${engine}` as const);
  // A page that comes with its message goes alone.
  const laneOf = (pick: ClaimedPage) => (finds.kept.has(pick.page.id) ? pick : pick.lane);
  for (const [queue, group] of Map.groupBy(picks, queueOf)) {
    const lanes = [...Map.groupBy(group, laneOf).values()];
    const results = await deps.broker.publishWork(
      queue,
      lanes.flatMap((lane) => toCommand(lane, finds, deps) ?? []),
    );
    for (const [place, lane] of lanes.entries()) for (const pick of lane) errors.set(pick, results[place]);
  }
  return picks.map((pick) => errors.get(pick));
}

/** Facts that commands are made of, and the sessions of profiles. */
interface Finds extends Facts {
  readonly profiles: Profiles;
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
  const started = await changeState(job.id, 'page-dispatched', { startedAt: deps.stores.clock.now() }, deps);
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
  const byLease = Map.groupBy(picks, ({ job }) => deps.queuePatienceMs + LANE_MS + job.timeoutMs);
  const claimed: ClaimedPage[] = [];
  for (const [leaseMs, group] of byLease) {
    const ids = group.map(({ page }) => page.id);
    const deadlineAt = new Date(deps.stores.clock.nowMs() + leaseMs);
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

/** Returns the command of a lane; undefined of one without pages. */
function toCommand(
  [first, ...rest]: readonly PickedPage[],
  finds: Finds,
  deps: SendDeps,
): PageCommand | undefined {
  if (!first) return undefined;
  const command = toPageCommand(first, finds, deps);
  const evidence = [first, ...rest].flatMap((pick) => (isEvidence(pick) ? [pick.page.id] : []));
  if (evidence.length > 0) command.evidence = evidence;
  if (rest.length === 0) return command;
  const further = rest.map(({ page: { id, attempt, url } }) => {
    const validators = finds.validators.get(id);
    const reuseKey = finds.reuseKeys.get(id);
    return { pageId: id, attempt: attempt + 1, url, ...defined({ reuseKey, validators }) };
  });
  return { ...command, further };
}

function toPageCommand(
  { job, page }: PickedPage,
  { validators: allValidators, kept: allKept, secrets: allSecrets, reuseKeys, profiles }: Finds,
  { queuePatienceMs, pace, stores }: SendDeps,
): PageCommand {
  const { crawl } = job;
  const { crawled } = page;
  const pauseMs = Math.max(pace.hostDelayMs, job.politeness?.delayMsOf(page.host) ?? 0);
  const [validators, kept] = [allValidators.get(page.id), allKept.get(page.id)];
  const request = requestOfPage({ job, page }, profiles);
  const names = new Set(isTrusted({ job, page }) ? secretsIn(request.actions).map(({ name }) => name) : []);
  const secrets = (allSecrets.get(job.id) ?? []).filter(({ name }) => names.has(name));
  return {
    jobId: job.id,
    pageId: page.id,
    attempt: page.attempt + 1,
    accountId: job.accountId,
    timeoutMs: job.timeoutMs,
    startBeforeMs: stores.clock.nowMs() + queuePatienceMs,
    request,
    ...(secrets.length > 0 && { secrets }),
    ...profileFor({ job, page }, profiles),
    ...defined({ traceparent: job.traceparent, reuseKey: reuseKeys.get(page.id), kept }),
    ...(pauseMs > 0 && { pauseMs: Math.ceil(pauseMs) }),
    ...(crawl &&
      crawled && { crawl: pageCrawlOf(crawl.terms, crawled, { filter: crawl.filter, validators }) }),
  };
}

/** Returns the request of a page as it is sent. */
function requestOfPage({ job, page }: Pick<PickedPage, 'job' | 'page'>, profiles: Profiles): ScrapeRequest {
  const sent = withProxyOf(profileOfPage({ job, page }, profiles), sentOptionsOf({ job, page }));
  return { ...sent, ...page.request, url: page.url };
}

/** Profiles that are signed in, by id. */
type Profiles = ReadonlyMap<string, StoredProfile>;

/** Finds the signed-in profiles of the jobs of pages. */
async function findProfiles(picks: readonly PickedPage[], { stores }: SendDeps): Promise<Profiles> {
  const ids = [...new Set(picks.flatMap(({ job }) => job.profileId ?? []))];
  const found = await stores.profiles.findProfiles(ids);
  return new Map(found.flatMap((each) => (each.status === 'ready' ? [[each.id, each]] : [])));
}

/** Returns the profile that a page is fetched with. robots.txt and sitemaps are read without any. */
function profileOfPage({ job, page }: Pick<PickedPage, 'job' | 'page'>, profiles: Profiles) {
  return page.crawled?.purpose ? undefined : profiles.get(job.profileId ?? '');
}

/** Returns the options with the proxy that the profile has now: the session began there. */
function withProxyOf(profile: StoredProfile | undefined, options: ScrapeOptions): ScrapeOptions {
  if (!profile) return options;
  const { proxy: _before, ...rest } = options;
  return profile.proxy === undefined ? rest : { ...rest, proxy: profile.proxy };
}

/** Returns the session that a page is fetched with. */
function profileFor({ job, page }: Pick<PickedPage, 'job' | 'page'>, profiles: Profiles) {
  const profile = profileOfPage({ job, page }, profiles);
  if (!profile) return {};
  return { profile: profileUseOf(profile, profileOf(job.options)?.save ?? true) };
}

/** Pages that a run keeps until the pages with the most fields are known. */
const FIRST_PAGES = 3;

/** Returns whether a page is kept to show what the fields of its schedule return. */
function isEvidence({ job: { evidenceUrls }, page }: PickedPage): boolean {
  if (!evidenceUrls || page.crawled?.purpose) return false;
  return evidenceUrls.length > 0 ? evidenceUrls.includes(page.url) : pageIndexOf(page.id) < FIRST_PAGES;
}

/** Returns the scrape options of a page. Credentials go with it only to the origins of the start URLs. */
function sentOptionsOf({ job, page }: Omit<PickedPage, 'lane'>): ScrapeOptions {
  const { crawl, options, extractOf } = job;
  const { crawled } = page;
  const own = crawl && crawled ? optionsOf(options, crawl.terms, crawled) : options;
  return isTrusted({ job, page }) && extractOf === undefined ? own : withoutCredentials(own);
}

/** Returns whether credentials of the job may go to a page. */
function isTrusted({
  job: { credentialOrigins },
  page: { url, crawled },
}: Omit<PickedPage, 'lane'>): boolean {
  // Crawls of earlier versions do not know the origins.
  return credentialOrigins ? credentialOrigins.has(new URL(url).origin) : !crawled || isStartUrl(crawled);
}

function toUnsent({ page }: PickedPage, now: Date): PageEnd {
  const notBefore = new Date(now.getTime() + UNSENT_DELAY_MS);
  return { id: page.id, attempt: page.attempt + 1, state: 'waiting', notBefore, because: 'unsent' };
}
