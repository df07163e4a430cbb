import { defined, type Job, jobRequestOf, LIMITS, redactOptions } from '@gleaner/contracts';
import { JSON_TYPE, joinAsJson, joinAsLines, NDJSON_TYPE } from '@gleaner/export';
import { describeJob, type ResultReader, readResults, type Stores } from '@gleaner/storage';
import { EmptyResponse, FileResponse, JsonWithHeaders, StreamedResponse } from '../../responses/responses.ts';
import type { CheckedCall, Handlers } from '../handler.ts';
import { paginate } from '../paginate.ts';
import type { RecipeReader } from '../recipes/resolve/find-recipe.ts';
import { sinksOf } from './check-sink.ts';
import { countResults, requireComparison } from './crawl/count-results.ts';
import { crawlOptionsOf } from './crawl/crawl-options-of.ts';
import type { CrawlFilters } from './crawl/find-crawled-url.ts';
import {
  type CreateJobDeps,
  cancelJob,
  createJob,
  type JobCreator,
  type JobOrigin,
  withRecipeOfJob,
} from './create-job.ts';
import { describeComparison } from './describe-comparison.ts';
import { planExport } from './export-results.ts';
import { extractRequestOf } from './extract-request.ts';
import { findJob } from './find-job.ts';
import { findScreenshot, type ScreenshotReader } from './find-screenshot.ts';
import { hasSeenEnd, type JobEvents } from './job-events.ts';
import { inPlace, type JobStreams } from './job-streams.ts';
import { listUrls, type UrlReader } from './list-urls.ts';
import { preferredFormat } from './preferred-format.ts';
import { credentialOriginsOfRerun, rerunCountOf, rerunRequestOf } from './rerun-request.ts';

/** Collaborators of the handlers. */
export interface JobDeps extends CreateJobDeps, RecipeReader {
  readonly pages: ResultReader['pages'] &
    ScreenshotReader['pages'] &
    UrlReader &
    Pick<Stores['pages'], 'countPages' | 'countChanges'>;
  readonly results: ResultReader['results'] & ScreenshotReader['results'];
  readonly screenshots: ScreenshotReader['screenshots'];
  readonly jobs: CreateJobDeps['jobs'] & Pick<Stores['jobs'], 'listJobs'>;
  readonly snapshots: Pick<Stores['snapshots'], 'hasPagesOf'>;
  readonly jobStreams: JobStreams;
  readonly jobEvents: Pick<JobEvents, 'open'>;
  readonly filters: CrawlFilters;
  /** Aborts when the gateway stops, which ends all event streams. */
  readonly stopping: AbortSignal;
}

type JobRoute =
  | 'createJob'
  | 'listJobs'
  | 'listSinks'
  | 'getJob'
  | 'cancelJob'
  | 'getJobResults'
  | 'getJobChanges'
  | 'getJobUrls'
  | 'getJobScreenshot'
  | 'getJobEvents'
  | 'rerunJob'
  | 'extractJob';

const DEFAULT_CHANGES = 100;

/** Handlers of the job routes. Commands go to the orchestrator, everything else is read from the database. */
export const jobHandlers: Handlers<JobRoute, JobDeps> = {
  async createJob(call, deps) {
    const request = await withRecipeOfJob(jobRequestOf(call.body), creatorOf(call), deps);
    return created(await createJob(request, creatorOf(call), {}, deps));
  },

  async rerunJob(call, deps) {
    const job = await findJob(call.caller, call.params.id, deps);
    const request = await rerunRequestOf(job, call.body, deps);
    const { extractOf } = job;
    const rerun = { jobId: job.id, ...call.body };
    const credentialOrigins = credentialOriginsOfRerun(job, call.body);
    const { only = 'all' } = call.body;
    const origin: JobOrigin = {
      rerun,
      ...(extractOf !== undefined && {
        extractOf,
        pagesOf: { jobId: job.id, only },
        urlCount: rerunCountOf(job, only),
      }),
      ...defined({ credentialOrigins }),
    };
    return created(await createJob(request, creatorOf(call), origin, deps));
  },

  async extractJob(call, deps) {
    const job = await findJob(call.caller, call.params.id, deps);
    const { request, urlCount } = await extractRequestOf(job, call.body, deps);
    const pagesOf = { jobId: job.id, only: 'succeeded' as const };
    const origin = { extractOf: job.extractOf ?? job.id, pagesOf, urlCount };
    return created(await createJob(request, creatorOf(call), origin, deps));
  },

  async listSinks({ caller }, deps) {
    return { success: true, sinks: sinksOf(caller.account.id, deps.rules).map((name) => ({ name })) };
  },

  async listJobs({ caller, query: { limit = LIMITS.defaultPageSize, offset = 0, ...filter } }, deps) {
    const { jobs, total } = await deps.jobs.listJobs(caller.account.id, { ...filter, limit, offset });
    const pagination = paginate({ limit, offset }, { count: jobs.length, total });
    return { success: true, jobs: jobs.map(describeJob), pagination };
  },

  async getJob({ caller, params, query }, deps) {
    const job = await findJob(caller, params.id, deps);
    const { resultsLimit: limit = LIMITS.maxResultsPerPage, resultsOffset: offset = 0 } = query;
    const choice = { change: query.change, verdicts: query.verdict };
    requireComparison(job, choice.change);
    const total = await countResults(job, choice, deps.pages);
    const resultsPagination = paginate({ limit, offset }, { count: limit, total });
    const crawl = crawlOptionsOf(job);
    const options = { ...redactOptions(JSON.parse(job.optionsJson)), ...defined({ crawl }) };
    const head = JSON.stringify({ ...describeJob(job), options, resultsPagination }).slice(0, -1);
    return new StreamedResponse({ 'Content-Type': 'application/json; charset=utf-8' }, () =>
      bodyOf(head, readResults(job, { limit, offset, ...choice }, deps)),
    );
  },

  async cancelJob(call, deps) {
    return { success: true, job: await cancelJob(call.params.id ?? '', call, deps) };
  },

  async getJobResults({ caller, params, query, headers, signal }, deps) {
    const job = await findJob(caller, params.id, deps);
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
      inPlace({ caller, signal }, deps.jobStreams, () => render(readResults(job, part, deps.jobStreams))),
    );
  },

  async getJobChanges({ caller, params, query, signal }, deps) {
    const { limit = DEFAULT_CHANGES, offset = 0 } = query;
    const { jobStreams } = deps;
    const { id, comparison } = await findJob(caller, params.id, deps);
    const total = comparison?.stored ?? 0;
    const write = async function* () {
      const texts = offset < total ? await jobStreams.changes.find(id, { offset, limit }) : [];
      const pagination = paginate({ limit, offset }, { count: texts.length, total });
      const head = JSON.stringify({ success: true, ...describeComparison(comparison), pagination });
      yield `${head.slice(0, -1)},"changes":[${texts.join(',')}]}`;
    };
    return new StreamedResponse({ 'Content-Type': JSON_TYPE }, () =>
      inPlace({ caller, signal }, jobStreams, write),
    );
  },

  async getJobUrls({ caller, params, query, headers, signal }, deps) {
    const job = await findJob(caller, params.id, deps);
    const { jobStreams, filters } = deps;
    const urls = listUrls(job, query, { pages: jobStreams.pages, filters });
    const isLines = preferredFormat(headers.accept, ['json', 'ndjson']) === 'ndjson';
    const responseHeaders = { 'Content-Type': isLines ? NDJSON_TYPE : JSON_TYPE, Vary: 'Accept' };
    return new StreamedResponse(responseHeaders, () =>
      inPlace({ caller, signal }, jobStreams, () => (isLines ? joinAsLines(urls) : joinAsJson(urls))),
    );
  },

  async getJobScreenshot({ caller, params }, deps) {
    const job = await findJob(caller, params.id, deps);
    const { id: version, format, ...image } = await findScreenshot(job.id, params.index, deps);
    return new FileResponse({ contentType: `image/${format}`, version, ...image });
  },

  async getJobEvents({ caller, params, headers, signal }, deps) {
    const job = await findJob(caller, params.id, deps);
    const lastEventId = headers['last-event-id'];
    // Makes EventSource stop reconnecting (HTML Standard, section 9.2.3).
    if (hasSeenEnd(job, lastEventId)) return new EmptyResponse(204);
    return new StreamedResponse({ 'Content-Type': 'text/event-stream; charset=utf-8' }, () =>
      deps.jobEvents.open({
        job,
        keyId: caller.keyId,
        lastEventId,
        signal: AbortSignal.any([signal, deps.stopping]),
      }),
    );
  },
};

function creatorOf({
  caller,
  headers,
  signal,
}: CheckedCall<'createJob' | 'rerunJob' | 'extractJob'>): JobCreator {
  return { caller, signal, idempotencyKey: headers['idempotency-key'] };
}

function created(job: Job): JsonWithHeaders<{ success: true; job: Job }> {
  return new JsonWithHeaders({ success: true, job }, { Location: `/v1/jobs/${job.id}` });
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
