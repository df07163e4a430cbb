import { createHash } from 'node:crypto';
import { type CreateJobCommand, credentialOriginsOf, defined, hasCredentials } from '@gleaner/contracts';
import { hostsOf, type NewPage, type Stores } from '@gleaner/storage';
import { hashJson } from '../hash-json.ts';
import type { CopiedPages } from './copy-pages.ts';
import type { CrawlPlan } from './plan-crawl.ts';

/** Pages and numbers that a new job starts with. */
export interface JobPlan {
  readonly pages: readonly NewPage[];
  /** The pages of another job, instead of `pages`. */
  readonly copied?: CopiedPages;
  readonly totalUrls: number;
  /** Number of pages to fetch; undefined if it is all of them. */
  readonly distinctUrls: number | undefined;
  /** Only of crawls. */
  readonly crawl?: Omit<CrawlPlan, 'pages'>;
}

/** A command with what is known of its job before the draft is stored. */
export interface NewJob {
  readonly command: CreateJobCommand;
  /** Tells whether a repeated Idempotency-Key comes with the same request. */
  readonly requestHash: string;
  /** Id of the dataset that the job writes to. */
  readonly datasetId?: string | undefined;
  readonly plan: JobPlan;
  /** The span that the job belongs to. */
  readonly traceparent: string | undefined;
}

/** Returns the draft of the job that a command asks for. */
export function draftOf(
  { command, requestHash, datasetId, plan, traceparent }: NewJob,
  createdAt: Date,
): Parameters<Stores['jobs']['insertDraft']>[0] {
  const { totalUrls, distinctUrls } = plan;
  const { jobId, accountId, keyId, idempotencyKey, scheduleId, notify = [], rerun, extractOf } = command;
  const {
    urls,
    requests,
    name = 'Untitled job',
    webhook,
    crawl,
    dataset,
    sink,
    ...options
  } = command.request;
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
    ...defined({ distinctUrls }),
    optionsJson: JSON.stringify(options),
    createdAt,
    ...(crawl && { crawlJson: JSON.stringify(crawl) }),
    ...((requests || plan.copied?.hasRequests) && { hasRequests: true }),
    ...(isBudgeted && { budget: { started: 0, fetched: 0 } }),
    ...defined({ credentialOrigins }),
    ...(plan.crawl && { crawl: plan.crawl.crawl }),
    ...(dataset && datasetId !== undefined && { datasetJson: JSON.stringify({ ...dataset, id: datasetId }) }),
    ...(sink && { sinkJson: JSON.stringify(sink) }),
    ...(webhook !== undefined && { webhookJson: JSON.stringify(webhook) }),
    ...(receivesPages(webhook) && { resultBatches: { count: 0, last: [], dueAt: createdAt } }),
    ...defined({ scheduleId }),
    ...(notify.length > 0 && { rulesJson: JSON.stringify(notify) }),
    ...(rerun && { rerunOf: rerun.jobId }),
    ...defined({ traceparent, extractOf }),
    ...(idempotencyKey !== undefined && {
      idempotency: { key: idempotencyKey, requestHash },
    }),
  };
}

function receivesPages(webhook: CreateJobCommand['request']['webhook']): boolean {
  return typeof webhook === 'object' && webhook.events?.includes('job.pages') === true;
}

/** Returns the hash of what a repeated Idempotency-Key has to come with. */
export function requestHashOf(command: CreateJobCommand): string {
  return hashJson(hashedOf(command)).toString('hex');
}

/** Returns the hash of a request as it was written, as older versions stored it. Jobs may have it until their keys expire. */
export function olderRequestHashOf(command: CreateJobCommand): string {
  return createHash('sha256')
    .update(JSON.stringify(hashedOf(command)))
    .digest('hex');
}

function hashedOf({
  request,
  rerun,
  extractOf,
  pagesOf,
  search,
  scheduleId,
  isExtraRun,
}: CreateJobCommand): object {
  if (isExtraRun) return { run: scheduleId };
  if (search) return { search };
  if (!rerun && extractOf === undefined) return request;
  return {
    ...request,
    ...defined({ rerun, extractOf, pagesOf }),
  };
}
