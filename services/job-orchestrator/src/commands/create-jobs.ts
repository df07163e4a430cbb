import {
  AppError,
  type CreateJobCommand,
  type CreateRunOutcome,
  credentialOriginsOf,
  hasCredentials,
  type Job,
  LIMITS,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import type { Tracer } from '@gleaner/service-kit';
import {
  type Draft,
  describeJob,
  hostsOf,
  type NewPage,
  type PagesOfJob,
  type StoredJob,
  type Stores,
} from '@gleaner/storage';
import { findSince } from '../compare/find-since.ts';
import { type CopiedPages, copyPages } from './copy-pages.ts';
import { findUnaffordable } from './find-unaffordable.ts';
import { hashesOf, type RequestHashes } from './hash-request.ts';
import { type CrawlPlan, planCrawl } from './plan-crawl.ts';
import { planPages } from './plan-pages.ts';

/** Collaborators of creating jobs. */
export interface CreateJobDeps {
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'pages' | 'accounts'>;
  readonly retentionMs: number;
  readonly tracer?: Pick<Tracer, 'current'>;
}

/** Pages outlive their job: they must not expire while it still runs. */
const PAGE_GRACE_MS = 30 * 24 * 3600 * 1000;

/** Pages and numbers that a new job starts with. */
interface JobPlan {
  readonly pages: readonly NewPage[];
  /** The pages of another job, instead of `pages`. */
  readonly copied?: CopiedPages;
  readonly totalUrls: number;
  /** Number of pages that are fetched; undefined if that is all of them. */
  readonly distinctUrls: number | undefined;
  /** Only of crawls. */
  readonly crawl?: Omit<CrawlPlan, 'pages'>;
}

/** A command with the draft that is stored for it. */
interface Begun {
  readonly command: CreateJobCommand;
  readonly hashes: RequestHashes;
  readonly plan: JobPlan;
  /** The span that the job belongs to. */
  readonly traceparent: string | undefined;
  readonly draft: Draft;
}

/**
 * Stores a job and its pages, durably, before it returns: a draft first, then the pages, and last the one write that
 * makes the draft a job. Every step can be repeated, so a repeated command finishes an interrupted one.
 * Throws IDEMPOTENCY_CONFLICT if the key was used for another request, and INSUFFICIENT_CREDITS for a run of a schedule that
 * the account cannot pay for.
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
  const begun = await beginDrafts(commands, deps);
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
    const { supportPages = [] } = plan.crawl ?? {};
    await deps.stores.pages.insertSupportPages(draft.job.id, supportPages, expiresAt);
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
  { stores, tracer }: CreateJobDeps,
): Promise<Begun[]> {
  const traceparent = tracer?.current();
  const now = stores.clock.now();
  const fresh = await Promise.all(
    commands.map(async (command) => ({
      command,
      hashes: hashesOf(hashedOf(command)),
      traceparent,
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

/** Returns the request whose hash tells whether a repeated Idempotency-Key comes with the same one. */
function hashedOf({ request, rerun, extractOf, pagesOf, scheduleId, isExtraRun }: CreateJobCommand): object {
  if (isExtraRun) return { run: scheduleId };
  if (!rerun && extractOf === undefined) return request;
  return {
    ...request,
    ...(rerun && { rerun }),
    ...(extractOf !== undefined && { extractOf }),
    ...(pagesOf && { pagesOf }),
  };
}

/** Returns whether the draft belongs to another job, whose key has expired. */
function isStale({ job }: Draft, { jobId }: CreateJobCommand, now: Date): boolean {
  return job.id !== jobId && now.getTime() - job.createdAt.getTime() > LIMITS.idempotencyMs;
}

function isForAnother({ draft: { job }, hashes }: Begun): boolean {
  const stored = job.idempotency?.requestHash;
  return stored !== undefined && stored !== hashes.canonical && stored !== hashes.asWritten;
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

function draftOf({ command, hashes, plan, traceparent }: Omit<Begun, 'draft'>, createdAt: Date) {
  const { totalUrls, distinctUrls } = plan;
  const { jobId, accountId, keyId, idempotencyKey, scheduleId, rerun, extractOf } = command;
  const { urls, requests, name = 'Untitled job', webhook, crawl, ...options } = command.request;
  const isBound = crawl !== undefined && hasCredentials(options);
  const isBudgeted = options.maxCredits !== undefined && !crawl && extractOf === undefined;
  const origins = isBound ? urls.flatMap((url) => credentialOriginsOf(new URL(url))) : undefined;
  const { credentialOrigins = origins && [...new Set(origins)] } = command;
  return {
    id: jobId,
    accountId,
    keyId,
    name,
    hosts: plan.copied?.hosts ?? hostsOf(urls),
    totalUrls,
    ...(distinctUrls !== undefined && { distinctUrls }),
    optionsJson: JSON.stringify(options),
    createdAt,
    ...(crawl && { crawlJson: JSON.stringify(crawl) }),
    ...((requests || plan.copied?.hasRequests) && { hasRequests: true }),
    ...(isBudgeted && { budget: { started: 0, fetched: 0 } }),
    ...(credentialOrigins && { credentialOrigins }),
    ...(plan.crawl && { crawl: plan.crawl.crawl }),
    ...(webhook !== undefined && { webhookJson: JSON.stringify(webhook) }),
    ...(receivesPages(webhook) && { resultBatches: { count: 0, last: [], dueAt: createdAt } }),
    ...(scheduleId !== undefined && { scheduleId }),
    ...(rerun && { rerunOf: rerun.jobId }),
    ...(traceparent !== undefined && { traceparent }),
    ...(extractOf !== undefined && { extractOf }),
    ...(idempotencyKey !== undefined && {
      idempotency: { key: idempotencyKey, requestHash: hashes.canonical },
    }),
  };
}

function receivesPages(webhook: CreateJobCommand['request']['webhook']): boolean {
  return typeof webhook === 'object' && webhook.events?.includes('job.pages') === true;
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
