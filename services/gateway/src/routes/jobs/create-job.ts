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
import { placed, withRecipe } from '../recipes/resolve/apply-recipe.ts';
import type { RecipeReader } from '../recipes/resolve/find-recipe.ts';
import { findProfile } from '../scrape/find-profile.ts';
import { withModelPrice } from '../scrape/model-rules.ts';
import { checkJobRequest, type JobRules, requireMeans } from './check-job-request.ts';
import { withinLimits } from './crawl/check-crawl.ts';

/** Collaborators of creating jobs. */
export interface CreateJobDeps extends CommandDeps {
  readonly clock: Stores['clock'];
  readonly jobs: Pick<Stores['jobs'], 'findJob' | 'findJobOfKey'>;
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
  extends Pick<CreateJobCommand, 'rerun' | 'extractOf' | 'pagesOf' | 'credentialOrigins' | 'search'> {
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
    (await deps.jobs.findJobOfKey(account.id, idempotencyKey, deps.clock.now())) !== null;
  await checkJobRequest(given, caller, deps);
  const priced = withModelPrice(given, deps.rules);
  const { options: request } =
    origin.extractOf === undefined ? await findProfile(priced, account.id, deps) : { options: priced };
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

/** Returns a request with the options of its recipe; a repeated one has the version that its job has. */
export async function withRecipeOfJob(
  request: CreateJobRequest,
  { caller, idempotencyKey }: JobCreator,
  deps: Pick<CreateJobDeps, 'jobs' | 'clock'> & RecipeReader,
): Promise<CreateJobRequest> {
  if (request.recipe === undefined) return request;
  const accountId = caller.account.id;
  const known =
    idempotencyKey === undefined
      ? null
      : await deps.jobs.findJobOfKey(accountId, idempotencyKey, deps.clock.now());
  const { recipe: used = '' }: Partial<CreateJobRequest> = JSON.parse(known?.optionsJson ?? '{}');
  const isSame = used !== '' && (request.recipe === 'auto' || used.startsWith(`${request.recipe}@`));
  const recipe = isSame ? used : request.recipe;
  const urls = placed(request.urls, (index) =>
    request.requests ? `requests.${index}.url` : `urls.${index}`,
  );
  return await withRecipe({ ...request, recipe }, urls, accountId, deps);
}

/** Commands the orchestrator to cancel a job of the caller's account. */
export async function cancelJob(
  jobId: string,
  { caller, signal }: Pick<JobCreator, 'caller' | 'signal'>,
  deps: CommandDeps,
): Promise<Job> {
  return await commandJob({ type: 'cancel', jobId, accountId: caller.account.id }, deps, { signal });
}
