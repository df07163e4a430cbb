import { AppError, isTerminal, LIMITS } from '@gleaner/contracts';
import { describeJob, type ResultReader, readResults, type StoredJob, type Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication/caller.ts';
import { AnswerWithHeaders, FileAnswer, StreamedAnswer } from '../answers.ts';
import type { Handlers } from '../handler.ts';
import { checkJobRequest, type JobRules } from './check-job-request.ts';
import { commandJob, type JobCommander, startCommand } from './command-job.ts';
import { FORMATS } from './export-results.ts';
import { findScreenshot, type ScreenshotReader } from './find-screenshot.ts';
import { followJob } from './follow-job.ts';

/** Collaborators of the handlers. */
export interface JobDeps extends JobCommander {
  readonly pages: ResultReader['pages'] & ScreenshotReader['pages'];
  readonly results: ResultReader['results'] & ScreenshotReader['results'];
  readonly screenshots: ScreenshotReader['screenshots'];
  readonly jobs: Stores['jobs'];
  readonly rules: JobRules;
  readonly accounts: Stores['accounts'];
  /** Aborted when the gateway stops: what is followed ends then. */
  readonly stopping: AbortSignal;
}

type JobRoute =
  | 'createJob'
  | 'listJobs'
  | 'getJob'
  | 'cancelJob'
  | 'getJobResults'
  | 'getJobScreenshot'
  | 'getJobEvents';

/** The handlers of the job routes. Commands go to the orchestrator, everything else is read. */
export function createJobHandlers(deps: JobDeps): Pick<Handlers, JobRoute> {
  const { jobs, stopping } = deps;

  /** Somebody else's job is no job. */
  async function findJob({ account }: Caller, id = ''): Promise<StoredJob> {
    const job = await jobs.findJob(account.id, id);
    if (!job) throw new AppError('JOB_NOT_FOUND');
    return job;
  }

  return {
    async createJob({ caller, body, headers, signal }) {
      const request = await checkJobRequest(body, caller, deps);
      const command = startCommand(request, caller, headers['idempotency-key']);
      const job = await commandJob(command, deps, signal);
      return new AnswerWithHeaders({ success: true, job }, { Location: `/v1/jobs/${job.id}` });
    },

    async listJobs({ caller, query: { status, limit = LIMITS.defaultPageSize, offset = 0 } }) {
      const page = await jobs.listJobs(caller.account.id, { status, limit, offset });
      const hasMore = offset + page.jobs.length < page.total;
      const pagination = { limit, offset, total: page.total, hasMore };
      return { success: true, jobs: page.jobs.map(describeJob), pagination };
    },

    async getJob({ caller, params, query }) {
      const job = await findJob(caller, params.id);
      const { resultsLimit: limit = LIMITS.maxResultsPerPage, resultsOffset: offset = 0 } = query;
      const total = job.completedUrls;
      const resultsPagination = { limit, offset, total, hasMore: offset + limit < total };
      const head = JSON.stringify({ ...describeJob(job), resultsPagination }).slice(0, -1);
      const results = readResults(job.id, { limit, offset }, deps);
      return new StreamedAnswer('application/json; charset=utf-8', bodyOf(head, results));
    },

    async cancelJob({ caller, params: { id = '' }, signal }) {
      const command = { type: 'cancel' as const, jobId: id, accountId: caller.account.id };
      const job = await commandJob(command, deps, signal);
      return { success: true, job };
    },

    async getJobResults({ caller, params, query: { format = 'json' } }) {
      const job = await findJob(caller, params.id);
      const { contentType, render } = FORMATS[format];
      const results = readResults(job.id, { limit: job.totalUrls, offset: 0 }, deps);
      return new StreamedAnswer(contentType, render(results, job));
    },

    async getJobScreenshot({ caller, params }) {
      const job = await findJob(caller, params.id);
      const { id: version, bytes, open } = await findScreenshot(job.id, params.index, deps);
      return new FileAnswer({ contentType: 'image/png', bytes, version, open });
    },

    async getJobEvents({ caller, params, signal }) {
      const job = await findJob(caller, params.id);
      const read = () => jobs.findJob(caller.account.id, job.id);
      const events = followJob(job, {
        read,
        isOver: isTerminal,
        signal: AbortSignal.any([signal, stopping]),
      });
      return new StreamedAnswer('text/event-stream; charset=utf-8', events);
    },
  };
}

/** `{success, job}` with the results inside the job, as they are read. */
async function* bodyOf(head: string, results: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield `{"success":true,"job":${head},"results":[`;
  let separator = '';
  for await (const texts of results) {
    yield separator + texts.join(',');
    separator = ',';
  }
  yield ']}}';
}
