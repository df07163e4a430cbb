import { createHash } from 'node:crypto';
import {
  AppError,
  type CreateJobCommand,
  type CreateRunOutcome,
  type Job,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import { type Draft, describeJob, type PagesOfJob, type StoredJob, type Stores } from '@gleaner/storage';

/** What creating takes. */
export interface CreateJobDeps {
  readonly stores: Pick<Stores, 'jobs' | 'pages'>;
  readonly retentionMs: number;
}

/** How long an Idempotency-Key means the job that it was first used for. */
const IDEMPOTENCY_MS = 24 * 3600 * 1000;
/** Pages outlive their job: they must not vanish while it still runs. */
const PAGE_GRACE_MS = 30 * 24 * 3600 * 1000;

/** A command with what was stored for it. */
interface Begun {
  readonly command: CreateJobCommand;
  readonly requestHash: string;
  readonly draft: Draft;
}

/**
 * Stores a job and its pages, durably, before it answers: a draft first, then the pages, and last the one write that
 * makes the draft a job. Every step can be repeated, so whoever repeats the command finishes what was begun.
 * Throws IDEMPOTENCY_CONFLICT where the key was used for another request.
 */
export async function createJob(command: CreateJobCommand, deps: CreateJobDeps): Promise<Job> {
  const [create] = await createAll([command], deps);
  if (!create) throw new Error('A job was neither created nor refused.');
  return create();
}

/** Creates jobs as `createJob` does, each step for all of them together. Rejects only where none of them was created. */
export async function createJobs(
  commands: readonly CreateJobCommand[],
  deps: CreateJobDeps,
): Promise<CreateRunOutcome[]> {
  const creates = await createAll(commands, deps);
  return creates.map((create) => {
    try {
      return { job: create() };
    } catch (fault) {
      return { failure: toFailure(toAppError(fault)) };
    }
  });
}

/** What came of each command, in their order: called, it gives the job or throws why there is none. */
async function createAll(commands: readonly CreateJobCommand[], deps: CreateJobDeps): Promise<(() => Job)[]> {
  const begun = await beginDrafts(commands, deps);
  const open = begun.filter(isToPublish);
  const expiresAt = new Date(Date.now() + deps.retentionMs + PAGE_GRACE_MS);
  await deps.stores.pages.insertPagesOfJobs(open.map(pagesOf), expiresAt);
  const published = await deps.stores.jobs.publishDrafts(open.map(({ draft }) => draft.job.id));
  const byId = new Map(published.map((job) => [job.id, job]));
  return begun.map((each) => () => {
    if (isForAnother(each)) throw conflict();
    if (!isToPublish(each)) return asCreated(each.draft.job);
    const job = byId.get(each.draft.job.id);
    if (!job) throw tookTooLong(each.command);
    return asCreated(job);
  });
}

async function beginDrafts(
  commands: readonly CreateJobCommand[],
  { stores }: CreateJobDeps,
): Promise<Begun[]> {
  const hashes = commands.map(({ request }) => hashOf(request));
  const fresh = commands.map((command, index) => draftOf(command, hashes[index] ?? ''));
  const drafts = await stores.jobs.insertDrafts(fresh);
  return await Promise.all(
    commands.map(async (command, index) => {
      const draft = drafts[index] as Draft;
      const requestHash = hashes[index] ?? '';
      if (!isStale(draft, command)) return { command, requestHash, draft };
      await stores.jobs.forgetIdempotency(draft.job.id);
      return { command, requestHash, draft: await stores.jobs.insertDraft(draftOf(command, requestHash)) };
    }),
  );
}

function hashOf(request: CreateJobCommand['request']): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** Whether it is another job whose key has had its time. */
function isStale({ job }: Draft, { jobId }: CreateJobCommand): boolean {
  return job.id !== jobId && Date.now() - job.createdAt.getTime() > IDEMPOTENCY_MS;
}

function isForAnother({ draft: { job }, requestHash }: Begun): boolean {
  return job.idempotency !== undefined && job.idempotency.requestHash !== requestHash;
}

function isToPublish(begun: Begun): boolean {
  return begun.draft.isDraft && !isForAnother(begun);
}

function pagesOf({ command, draft }: Begun): PagesOfJob {
  const pages = command.request.urls.map((url, index) => ({ index, url, host: new URL(url).host }));
  return { jobId: draft.job.id, pages };
}

function draftOf(command: CreateJobCommand, requestHash: string) {
  const { jobId, accountId, keyId, idempotencyKey, scheduleId } = command;
  const { urls, name = 'Untitled job', webhook, ...options } = command.request;
  return {
    id: jobId,
    accountId,
    keyId,
    name,
    totalUrls: urls.length,
    optionsJson: JSON.stringify(options),
    createdAt: new Date(),
    ...(webhook !== undefined && { webhookJson: JSON.stringify(webhook) }),
    ...(scheduleId !== undefined && { scheduleId }),
    ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey, requestHash } }),
  };
}

/** The first answer, whenever it is given. */
function asCreated(job: Omit<StoredJob, 'status'>): Job {
  const { startedAt: _startedAt, completedAt: _completedAt, ...rest } = job;
  return describeJob({ ...rest, status: 'pending', completedUrls: 0, failedUrls: 0, creditsUsed: 0 });
}

function conflict(): AppError {
  return new AppError('IDEMPOTENCY_CONFLICT', {
    message: 'The Idempotency-Key was used for another request in the last 24 hours.',
  });
}

function tookTooLong({ request: { name = 'unnamed', urls } }: CreateJobCommand): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: `Storing the job took longer than it may (${name}, ${urls.length} URLs).`,
    retryAfterSeconds: 5,
  });
}
