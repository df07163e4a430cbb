import {
  type CreateJobCommand,
  type CreateJobRequest,
  createId,
  defined,
  type Job,
} from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { commandJob } from '../commands.ts';
import { findProfile } from '../scrape/find-profile.ts';
import { checkJobRequest, type JobRules, requireMeans } from './check-job-request.ts';
import { withinLimits } from './crawl/check-crawl.ts';

/** Collaborators of creating jobs. */
export interface CreateJobDeps extends CommandDeps {
  readonly clock: Stores['clock'];
  readonly jobs: Pick<Stores['jobs'], 'findJob' | 'hasJobOfKey'>;
  readonly rules: JobRules;
  readonly datasets: Pick<Stores['datasets'], 'requireDatasetKey'>;
  readonly secrets: Pick<Stores['secrets'], 'findSecrets'>;
  readonly profiles: Pick<Stores['profiles'], 'findProfile'>;
  readonly accounts: Pick<Stores['accounts'], 'findAccount'>;
}

/** Caller of a new job. */
export interface JobCreator {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string | undefined;
}

/** The job that a new one is made from. */
export interface JobOrigin
  extends Pick<CreateJobCommand, 'rerun' | 'extractOf' | 'pagesOf' | 'credentialOrigins'> {
  /** Default the number of URLs in the request. */
  readonly urlCount?: number;
}

/** Checks a request and commands the orchestrator to create its job. */
export async function createJob(
  given: CreateJobRequest,
  { caller, idempotencyKey, signal }: JobCreator,
  { urlCount = given.urls.length, ...origin }: JobOrigin,
  deps: CreateJobDeps,
): Promise<Job> {
  const { account, keyId } = caller;
  // The job may hold the credits that the check would ask for again.
  const isRepeated =
    idempotencyKey !== undefined &&
    (await deps.jobs.hasJobOfKey(account.id, idempotencyKey, deps.clock.now()));
  await checkJobRequest(given, caller, deps);
  const { options: request } =
    origin.extractOf === undefined ? await findProfile(given, account.id, deps) : { options: given };
  // Kept pages cost nothing, and need no browser.
  if (origin.extractOf === undefined && !isRepeated) await requireMeans(request, caller, deps);
  const command = {
    type: 'create' as const,
    jobId: createId('job'),
    accountId: account.id,
    keyId,
    request: withinLimits(request, deps.rules),
    ...defined({ idempotencyKey }),
    ...origin,
  };
  return await commandJob(command, deps, { signal, urlCount });
}

/** Commands the orchestrator to cancel a job of the caller's account. */
export async function cancelJob(
  jobId: string,
  { caller, signal }: Pick<JobCreator, 'caller' | 'signal'>,
  deps: CommandDeps,
): Promise<Job> {
  return await commandJob({ type: 'cancel', jobId, accountId: caller.account.id }, deps, { signal });
}
