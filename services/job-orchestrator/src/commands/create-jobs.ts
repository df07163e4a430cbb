import {
  AppError,
  type CreateJobCommand,
  type CreateRunOutcome,
  defined,
  type Job,
  LIMITS,
  profileOf,
  requireCredits,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import type { Tracer } from '@gleaner/service-kit';
import { type Draft, describeJob, type PagesOfJob, type StoredJob, type Stores } from '@gleaner/storage';
import { copyPages } from './copy-pages.ts';
import { draftOf, type JobPlan, type NewJob, olderRequestHashOf, requestHashOf } from './draft-of.ts';
import { findSince, planCrawl } from './plan-crawl.ts';
import { planPages } from './plan-pages.ts';

/** Collaborators of creating jobs. */
export interface CreateJobDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'accounts' | 'profiles' | 'datasets'>;
  readonly retentionMs: number;
  readonly tracer?: Pick<Tracer, 'current'>;
}

/** Pages outlive their job: they must not expire while it still runs. */
const PAGE_GRACE_MS = 30 * 24 * 3600 * 1000;

/** A command with the draft that is stored for it. */
interface Begun extends NewJob {
  readonly draft: Draft;
}

/**
 * Stores a job and its pages, durably, before it returns: a draft first, then the pages, and last the one write that
 * makes the draft a job. Every step can be repeated, so a repeated command finishes an interrupted one.
 * Throws IDEMPOTENCY_CONFLICT if the key was used for another request, DATASET_KEY_DIFFERS if its dataset has another key, and
 * INSUFFICIENT_CREDITS for a run of a schedule that the account cannot pay for.
 */
export async function createJob(command: CreateJobCommand, deps: CreateJobDeps): Promise<Job> {
  const [create] = await createAll([command], deps);
  if (!create) throw new Error('A command to create a job had no outcome.');
  return create();
}

/** Creates jobs as `createJob` does, each step for all of them together. Rejects only if none of them was created. */
export async function createJobs(
  commands: readonly CreateJobCommand[],
  deps: CreateJobDeps,
): Promise<CreateRunOutcome[]> {
  const creates = await createAll(commands, deps);
  return creates.map((create) => {
    try {
      return { job: create() };
    } catch (error) {
      return { failure: toFailure(toAppError(error)) };
    }
  });
}

/** Carries out commands; returns for each, in order, a function that returns its job or throws its error. */
async function createAll(commands: readonly CreateJobCommand[], deps: CreateJobDeps): Promise<(() => Job)[]> {
  const datasets = await ensureDatasets(commands, deps.stores);
  const accepted = commands.filter(({ jobId }) => !(datasets.get(jobId) instanceof Error));
  const creates = await createAccepted(accepted, datasets, deps);
  const byId = new Map(accepted.map(({ jobId }, index) => [jobId, creates[index]]));
  return commands.map(({ jobId }) => {
    const refusal = datasets.get(jobId);
    if (!(refusal instanceof Error)) return byId.get(jobId) as () => Job;
    return () => {
      throw refusal;
    };
  });
}

/** Returns the ids of the datasets of jobs, or why one cannot be used; missing ones are created. */
async function ensureDatasets(
  commands: readonly CreateJobCommand[],
  { datasets, clock }: CreateJobDeps['stores'],
): Promise<ReadonlyMap<string, string | Error>> {
  const ensured = new Map<string, string | Error>();
  for (const { jobId, accountId, request } of commands) {
    if (!request.dataset) continue;
    const { name, key = [] } = request.dataset;
    try {
      ensured.set(jobId, await datasets.ensureDataset(accountId, { name, key }, clock.now()));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
      ensured.set(jobId, error);
    }
  }
  return ensured;
}

async function createAccepted(
  commands: readonly CreateJobCommand[],
  datasets: ReadonlyMap<string, string | Error>,
  deps: CreateJobDeps,
): Promise<(() => Job)[]> {
  if (commands.length === 0) return [];
  const begun = await beginDrafts(commands, datasets, deps);
  const drafts = begun.filter(isToPublish);
  const unaffordable = await findUnaffordable(
    drafts.map(({ command }) => command),
    deps.stores.accounts,
  );
  const open = drafts.filter(({ command }) => !unaffordable.has(command.jobId));
  const expiresAt = new Date(deps.stores.clock.nowMs() + deps.retentionMs + PAGE_GRACE_MS);
  await deps.stores.pages.insertPagesOfJobs(open.map(pagesOf), expiresAt);
  for (const { plan, draft } of open) {
    for await (const pages of plan.copied?.read() ?? []) {
      await deps.stores.pages.insertPagesOfJobs([pagesOf({ plan: { ...plan, pages }, draft })], expiresAt);
    }
    const { crawlFiles = [] } = plan.crawl ?? {};
    await deps.stores.pages.insertCrawlFiles(draft.job.id, crawlFiles, expiresAt);
  }
  const published = await deps.stores.jobs.publishDrafts(open.map(({ draft }) => draft.job.id));
  const byId = new Map(published.map((job) => [job.id, job]));
  return begun.map((each) => () => {
    if (isForAnother(each)) throw conflict();
    if (!isToPublish(each)) return asCreated(each.draft.job);
    const refusal = unaffordable.get(each.command.jobId);
    if (refusal) throw refusal;
    const job = byId.get(each.draft.job.id);
    if (!job) throw tookTooLong(each);
    return asCreated(job);
  });
}

async function beginDrafts(
  commands: readonly CreateJobCommand[],
  datasets: ReadonlyMap<string, string | Error>,
  { stores, tracer }: CreateJobDeps,
): Promise<Begun[]> {
  const traceparent = tracer?.current();
  const now = stores.clock.now();
  const resolved = await withProxies(commands, stores);
  const fresh = await Promise.all(
    resolved.map(async (command, index) => ({
      command,
      // The same run may come again when its profile has another proxy.
      requestHash: requestHashOf(commands[index] ?? command),
      traceparent,
      datasetId: idOf(datasets.get(command.jobId)),
      plan: await planOf(command, await findSince(command, { jobs: stores.jobs }), stores),
    })),
  );
  const drafts = await stores.jobs.insertDrafts(fresh.map((each) => draftOf(each, now)));
  return await Promise.all(
    fresh.map(async (each, index) => {
      const draft = drafts[index] as Draft;
      if (!isStale(draft, each.command, now)) return { ...each, draft };
      await stores.jobs.forgetIdempotency(draft.job.id);
      return { ...each, draft: await stores.jobs.insertDraft(draftOf(each, now)) };
    }),
  );
}

function idOf(dataset: string | Error | undefined): string | undefined {
  return typeof dataset === 'string' ? dataset : undefined;
}

/** Gives the runs of schedules the proxies that their profiles have now; the gateway does so for other jobs. */
async function withProxies(
  commands: readonly CreateJobCommand[],
  { profiles }: Pick<Stores, 'profiles'>,
): Promise<readonly CreateJobCommand[]> {
  const idOf = ({ scheduleId, request }: CreateJobCommand) =>
    scheduleId === undefined ? undefined : profileOf(request)?.id;
  const ids = [...new Set(commands.flatMap((command) => idOf(command) ?? []))];
  if (ids.length === 0) return commands;
  const found = new Map((await profiles.findProfiles(ids)).map((profile) => [profile.id, profile]));
  return commands.map((command) => {
    const profile = found.get(idOf(command) ?? '');
    if (profile?.accountId !== command.accountId) return command;
    const { proxy: _before, ...request } = command.request;
    return { ...command, request: { ...request, ...defined({ proxy: profile.proxy }) } };
  });
}

async function planOf(
  command: CreateJobCommand,
  since: readonly string[],
  stores: CreateJobDeps['stores'],
): Promise<JobPlan> {
  const { request, jobId, extractOf, pagesOf } = command;
  const { urls, crawl } = request;
  if (pagesOf) {
    const copied = await copyPages({ ...command, pagesOf }, stores);
    return { pages: [], copied, totalUrls: copied.totalUrls, distinctUrls: copied.distinctUrls };
  }
  if (extractOf !== undefined) {
    const { pages, distinctUrls } = await planPages(request);
    // Nothing is fetched, so no host is to be spared.
    return { pages: pages.map((page) => ({ ...page, host: jobId })), totalUrls: urls.length, distinctUrls };
  }
  if (!crawl) return { ...(await planPages(request)), totalUrls: urls.length };
  const { pages, ...plan } = await planCrawl(urls, crawl, since);
  return { pages, totalUrls: pages.length, distinctUrls: undefined, crawl: plan };
}

/** Returns whether the draft belongs to another job, whose key has expired. */
function isStale({ job }: Draft, { jobId }: CreateJobCommand, now: Date): boolean {
  return job.id !== jobId && now.getTime() - job.createdAt.getTime() > LIMITS.idempotencyMs;
}

function isForAnother({ command, draft: { job }, requestHash }: Begun): boolean {
  const stored = job.idempotency?.requestHash;
  return stored !== undefined && stored !== requestHash && stored !== olderRequestHashOf(command);
}

function isToPublish(begun: Begun): boolean {
  return begun.draft.isDraft && !isForAnother(begun);
}

/** Returns the pages to store. A draft of an earlier version without copies keeps a page of its own for each entry. */
function pagesOf({ plan, draft: { job } }: Pick<Begun, 'plan' | 'draft'>): PagesOfJob {
  const isBatched = job.resultBatches !== undefined;
  if (plan.crawl) return { jobId: job.id, pages: plan.pages, isBatched };
  const isWithCopies = job.distinctUrls !== undefined;
  const pages = isWithCopies
    ? plan.pages
    : plan.pages.map(({ copyOf: _copyOf, copies: _copies, ...page }) => page);
  return { jobId: job.id, pages, isBatched };
}

/** Returns the job as the first reply to its command had it, however often the command comes. */
function asCreated(job: Omit<StoredJob, 'status'>): Job {
  const { startedAt: _startedAt, completedAt: _completedAt, ...rest } = job;
  return describeJob({ ...rest, status: 'pending', completedUrls: 0, failedUrls: 0, creditsUsed: 0 });
}

function conflict(): AppError {
  return new AppError('IDEMPOTENCY_CONFLICT', {
    message: 'The Idempotency-Key was used for another request in the last 24 hours.',
  });
}

function tookTooLong({ command, plan }: Begun): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: `The job was not stored in time (${command.request.name ?? 'unnamed'}, ${plan.totalUrls} URLs).`,
    retryAfterSeconds: 5,
  });
}

/**
 * Returns the errors of the runs of schedules that their accounts cannot pay for, by the ids of their jobs. The gateway checks
 * all other jobs before it sends their commands.
 */
async function findUnaffordable(
  commands: readonly CreateJobCommand[],
  accounts: Pick<Stores['accounts'], 'findAccounts'>,
): Promise<ReadonlyMap<string, Error>> {
  const runs = commands.filter(({ scheduleId }) => scheduleId !== undefined);
  if (runs.length === 0) return new Map();
  const found = await accounts.findAccounts([...new Set(runs.map(({ accountId }) => accountId))]);
  const balances = new Map(found.map(({ id, balance }) => [id, balance]));
  const errors = new Map<string, Error>();
  for (const { jobId, accountId, request } of runs) {
    const balance = balances.get(accountId);
    if (balance == null) continue;
    try {
      await requireCredits(request, balance);
    } catch (error) {
      errors.set(jobId, toAppError(error));
    }
  }
  return errors;
}
