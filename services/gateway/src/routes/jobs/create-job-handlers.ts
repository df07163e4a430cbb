import {
  AppError,
  type CreateJobCommand,
  type CreateJobRequest,
  createId,
  jobRequestOf,
  LIMITS,
  redactOptions,
} from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import { describeJob, type ResultReader, readResults, type StoredJob, type Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { EmptyResponse, FileResponse, JsonWithHeaders, StreamedResponse } from '../../responses/responses.ts';
import { commandJob } from '../commands.ts';
import type { CheckedCall, Handlers } from '../handler.ts';
import { findProfile } from '../scrape/find-profile.ts';
import { checkJobRequest, type JobRules, requireMeans } from './check-job-request.ts';
import { withinLimits } from './crawl/check-crawl.ts';
import { countResults, requireComparison } from './crawl/count-results.ts';
import { crawlOptionsOf } from './crawl/crawl-options-of.ts';
import { CrawlFilters } from './crawl/find-crawled-url.ts';
import { describeComparison } from './describe-comparison.ts';
import { planExport } from './export/export-results.ts';
import { JSON_TYPE, joinAsJson, joinAsLines, NDJSON_TYPE } from './export/join-texts.ts';
import { preferredFormat } from './export/preferred-format.ts';
import { extractRequestOf } from './extract-request.ts';
import { findScreenshot, type ScreenshotReader } from './find-screenshot.ts';
import { hasSeenEnd, type JobEvents } from './job-events.ts';
import { inPlace, type JobStreams } from './job-streams.ts';
import { listUrls, type UrlReader } from './list-urls.ts';
import { credentialOriginsOfRerun, rerunCountOf, rerunRequestOf } from './rerun-request.ts';

/** Collaborators of the handlers. */
export interface JobDeps extends CommandDeps {
  readonly clock: Stores['clock'];
  readonly pages: ResultReader['pages'] &
    ScreenshotReader['pages'] &
    UrlReader &
    Pick<Stores['pages'], 'countPages' | 'countChanges'>;
  readonly results: ResultReader['results'] & ScreenshotReader['results'];
  readonly screenshots: ScreenshotReader['screenshots'];
  readonly jobs: Stores['jobs'];
  readonly snapshots: Pick<Stores['snapshots'], 'hasPagesOf'>;
  readonly jobStreams: JobStreams;
  readonly jobEvents: Pick<JobEvents, 'open'>;
  readonly rules: JobRules;
  readonly secrets: Pick<Stores['secrets'], 'findSecrets'>;
  readonly profiles: Pick<Stores['profiles'], 'findProfile'>;
  readonly accounts: Stores['accounts'];
  /** Aborts when the gateway stops, which ends all event streams. */
  readonly stopping: AbortSignal;
}

type JobRoute =
  | 'createJob'
  | 'listJobs'
  | 'getJob'
  | 'cancelJob'
  | 'getJobResults'
  | 'getJobChanges'
  | 'getJobUrls'
  | 'getJobScreenshot'
  | 'getJobEvents'
  | 'rerunJob'
  | 'extractJob';

/** The job that a new one is made from. */
type JobOrigin = Pick<CreateJobCommand, 'rerun' | 'extractOf' | 'pagesOf' | 'credentialOrigins'>;

const DEFAULT_CHANGES = 100;

/** Creates the handlers of the job routes. Commands go to the orchestrator, everything else is read from the database. */
export function createJobHandlers(deps: JobDeps): Pick<Handlers, JobRoute> {
  const { jobs, jobEvents, jobStreams, stopping } = deps;
  const filters = new CrawlFilters();

  /** Finds a job of the caller's account. Throws JOB_NOT_FOUND, also for jobs of other accounts. */
  async function findJob({ account }: Caller, id = ''): Promise<StoredJob> {
    const job = await jobs.findJob(account.id, id);
    if (!job) throw new AppError('JOB_NOT_FOUND');
    return job;
  }

  /** Checks a request and commands the orchestrator to create its job. */
  async function create(
    given: CreateJobRequest,
    { caller, headers, signal }: Pick<CheckedCall<'createJob'>, 'caller' | 'headers' | 'signal'>,
    origin: JobOrigin = {},
    urlCount = given.urls.length,
  ) {
    const { account, keyId } = caller;
    const idempotencyKey = headers['idempotency-key'];
    // The job may hold the credits that the check would ask for again.
    const isRepeated =
      idempotencyKey !== undefined && (await jobs.hasJobOfKey(account.id, idempotencyKey, deps.clock.now()));
    await checkJobRequest(given, caller, deps);
    const { options: request } =
      origin.extractOf === undefined ? await findProfile(given, account.id, deps) : { options: given };
    // Kept pages cost nothing, and need no browser.
    if (origin.extractOf === undefined && !isRepeated) await requireMeans(request, caller, deps);
    const command = {
      ...{ type: 'create' as const, jobId: createId('job'), accountId: account.id, keyId },
      request: withinLimits(request, deps.rules),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...origin,
    };
    const job = await commandJob(command, deps, { signal, urlCount });
    return new JsonWithHeaders({ success: true as const, job }, { Location: `/v1/jobs/${job.id}` });
  }

  return {
    createJob: async (call) => await create(jobRequestOf(call.body), call),

    async rerunJob(call) {
      const job = await findJob(call.caller, call.params.id);
      const request = await rerunRequestOf(job, call.body, deps);
      const { extractOf } = job;
      const rerun = { jobId: job.id, ...call.body };
      const credentialOrigins = credentialOriginsOfRerun(job, call.body);
      const { only = 'all' } = call.body;
      const origin: JobOrigin = {
        rerun,
        ...(extractOf !== undefined && { extractOf, pagesOf: { jobId: job.id, only } }),
        ...(credentialOrigins && { credentialOrigins }),
      };
      const urlCount = extractOf === undefined ? request.urls.length : rerunCountOf(job, only);
      return await create(request, call, origin, urlCount);
    },

    async extractJob(call) {
      const job = await findJob(call.caller, call.params.id);
      const { request, urlCount } = await extractRequestOf(job, call.body, deps);
      const pagesOf = { jobId: job.id, only: 'succeeded' as const };
      return await create(request, call, { extractOf: job.extractOf ?? job.id, pagesOf }, urlCount);
    },

    async listJobs({ caller, query: { limit = LIMITS.defaultPageSize, offset = 0, ...filter } }) {
      const page = await jobs.listJobs(caller.account.id, { ...filter, limit, offset });
      const hasMore = offset + page.jobs.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      return { success: true, jobs: page.jobs.map(describeJob), pagination };
    },

    async getJob({ caller, params, query }) {
      const job = await findJob(caller, params.id);
      const { resultsLimit: limit = LIMITS.maxResultsPerPage, resultsOffset: offset = 0 } = query;
      const choice = { change: query.change, verdicts: query.verdict };
      requireComparison(job, choice.change);
      const total = await countResults(job, choice, deps.pages);
      const resultsPagination = { limit, offset, total, hasMore: offset + limit < total };
      const crawl = crawlOptionsOf(job);
      const options = { ...redactOptions(JSON.parse(job.optionsJson)), ...(crawl && { crawl }) };
      const head = JSON.stringify({ ...describeJob(job), options, resultsPagination }).slice(0, -1);
      return new StreamedResponse({ 'Content-Type': 'application/json; charset=utf-8' }, () =>
        bodyOf(head, readResults(job, { limit, offset, ...choice }, deps)),
      );
    },

    async cancelJob({ caller, params: { id = '' }, signal }) {
      const command = { type: 'cancel' as const, jobId: id, accountId: caller.account.id };
      const job = await commandJob(command, deps, { signal });
      return { success: true, job };
    },

    async getJobResults({ caller, params, query, headers, signal }) {
      const job = await findJob(caller, params.id);
      const { change, verdict: verdicts, offset = 0 } = query;
      requireComparison(job, change);
      const { format, contentType, render } = planExport(query, headers.accept, {
        options: JSON.parse(job.optionsJson),
        crawl: crawlOptionsOf(job),
        hasRequests: job.hasRequests,
      });
      const responseHeaders = {
        'Content-Type': contentType,
        'Content-Disposition': `attachment; filename="${job.id}.${format}"`,
        Vary: 'Accept',
      };
      const part = { limit: Number.MAX_SAFE_INTEGER, offset, change, verdicts };
      return new StreamedResponse(responseHeaders, () =>
        inPlace({ caller, signal }, jobStreams, () => render(readResults(job, part, jobStreams))),
      );
    },

    async getJobChanges({ caller, params, query: { limit = DEFAULT_CHANGES, offset = 0 }, signal }) {
      const { id, comparison } = await findJob(caller, params.id);
      const total = comparison?.stored ?? 0;
      const write = async function* () {
        const texts = offset < total ? await jobStreams.changes.find(id, { offset, limit }) : [];
        const pagination = { limit, offset, total, hasMore: offset + texts.length < total };
        const head = JSON.stringify({ success: true, ...describeComparison(comparison), pagination });
        yield `${head.slice(0, -1)},"changes":[${texts.join(',')}]}`;
      };
      return new StreamedResponse({ 'Content-Type': JSON_TYPE }, () =>
        inPlace({ caller, signal }, jobStreams, write),
      );
    },

    async getJobUrls({ caller, params, query, headers, signal }) {
      const job = await findJob(caller, params.id);
      const urls = listUrls(job, query, { pages: jobStreams.pages, filters });
      const isLines = preferredFormat(headers.accept, ['json', 'ndjson']) === 'ndjson';
      const responseHeaders = { 'Content-Type': isLines ? NDJSON_TYPE : JSON_TYPE, Vary: 'Accept' };
      return new StreamedResponse(responseHeaders, () =>
        inPlace({ caller, signal }, jobStreams, () => (isLines ? joinAsLines(urls) : joinAsJson(urls))),
      );
    },

    async getJobScreenshot({ caller, params }) {
      const job = await findJob(caller, params.id);
      const { id: version, format, ...image } = await findScreenshot(job.id, params.index, deps);
      return new FileResponse({ contentType: `image/${format}`, version, ...image });
    },

    async getJobEvents({ caller, params, headers, signal }) {
      const job = await findJob(caller, params.id);
      const lastEventId = headers['last-event-id'];
      // Makes EventSource stop reconnecting (HTML Standard, section 9.2.3).
      if (hasSeenEnd(job, lastEventId)) return new EmptyResponse(204);
      return new StreamedResponse({ 'Content-Type': 'text/event-stream; charset=utf-8' }, () =>
        jobEvents.open({
          job,
          keyId: caller.keyId,
          lastEventId,
          signal: AbortSignal.any([signal, stopping]),
        }),
      );
    },
  };
}

/** Writes `{success, job}` with the results inside the job, as they are read. */
async function* bodyOf(head: string, results: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield `{"success":true,"job":${head},"results":[`;
  let separator = '';
  for await (const texts of results) {
    yield separator + texts.join(',');
    separator = ',';
  }
  yield ']}}';
}
