import { Type } from 'typebox';
import { CreateJobRequestSchema } from '../jobs/create-job.ts';
import { JobSchema, JobWithResultsSchema, PageResultSchema } from '../jobs/job.ts';
import { JOB_STATES } from '../jobs/job-states.ts';
import { LIMITS } from '../limits.ts';
import { OneOf } from '../schema/map-of.ts';
import { paginated, succeeded } from './envelopes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

/** How all results of a job can be had. */
export const RESULT_FORMATS = ['json', 'ndjson', 'csv'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** Many pages at once, whose results are fetched later. */
export const JOB_ROUTES = {
  createJob: {
    method: 'post',
    path: '/v1/jobs',
    summary: 'Scrape many pages as a job',
    description: 'An Idempotency-Key makes a repeated call answer as the first one did, for 24 hours.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'create',
    headers: Type.Object({
      'idempotency-key': Type.Optional(
        Type.String({
          pattern: '^[\\x21-\\x7e]{1,255}$',
          description: 'A new one for every new job: 1 to 255 visible ASCII characters.',
          'x-expected': '1 to 255 visible ASCII characters',
        }),
      ),
    }),
    body: CreateJobRequestSchema,
    maxBodyBytes: LIMITS.maxJobBodyBytes,
    status: 202,
    response: succeeded({ job: JobSchema }),
    responseHeaders: ['Location'],
    errors: ['INVALID_URL', 'INVALID_SELECTOR', 'INSUFFICIENT_CREDITS', 'IDEMPOTENCY_CONFLICT'],
  },
  listJobs: {
    method: 'get',
    path: '/v1/jobs',
    summary: 'List the jobs of the account, newest first',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    query: Type.Object(
      {
        status: Type.Optional(OneOf(JOB_STATES, { description: 'Only jobs in this state.' })),
        ...PAGE_QUERY_PROPERTIES,
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: paginated('jobs', JobSchema),
    errors: [],
  },
  getJob: {
    method: 'get',
    path: '/v1/jobs/{id}',
    summary: 'A job with its results so far',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    query: Type.Object(
      {
        resultsLimit: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: LIMITS.maxResultsPerPage,
            description: 'How many results. Default 1000.',
          }),
        ),
        resultsOffset: Type.Optional(
          Type.Integer({ minimum: 0, description: 'How many results to skip. Default 0.' }),
        ),
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: succeeded({ job: JobWithResultsSchema }),
    errors: ['JOB_NOT_FOUND'],
  },
  getJobResults: {
    method: 'get',
    path: '/v1/jobs/{id}/results',
    summary: 'All results of a job, streamed',
    description: 'In the order of the URLs: those that were processed so far, failed ones included.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    query: Type.Object(
      { format: Type.Optional(OneOf(RESULT_FORMATS, { description: 'Default json.' })) },
      { additionalProperties: false },
    ),
    status: 200,
    response: Type.Array(PageResultSchema),
    mediaTypes: {
      'application/x-ndjson': 'One result a line.',
      'text/csv':
        'RFC 4180 with a header line: url, error, screenshotUrl when screenshots were asked for, then a column for each field of the selectors.',
    },
    errors: ['JOB_NOT_FOUND'],
  },
  getJobScreenshot: {
    method: 'get',
    path: '/v1/jobs/{id}/results/{index}/screenshot',
    summary: 'The screenshot of one URL of a job',
    description:
      'Of a job with `screenshot: true`. `index` is the place of the URL in `urls`, from 0; `screenshotUrl` of its result is this path.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    headers: Type.Object({
      'if-none-match': Type.Optional(
        Type.String({ description: 'The ETag of an earlier answer: 304 while it is the same.' }),
      ),
    }),
    status: 200,
    mediaTypes: { 'image/png': 'The whole page as PNG.' },
    responseHeaders: ['ETag'],
    errors: ['JOB_NOT_FOUND', 'SCREENSHOT_NOT_FOUND'],
  },
  getJobEvents: {
    method: 'get',
    path: '/v1/jobs/{id}/events',
    summary: 'The progress of a job as server-sent events',
    description:
      'An event `progress` with the job whenever it has changed; after the one `end` the stream ends.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    status: 200,
    mediaTypes: { 'text/event-stream': '`event: progress` or `end`; `data:` is the job as JSON.' },
    errors: ['JOB_NOT_FOUND'],
  },
  cancelJob: {
    method: 'delete',
    path: '/v1/jobs/{id}',
    summary: 'Cancel a job that has not ended',
    description: 'No page of it starts after the answer. What was completed stays, and stays charged.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'create',
    status: 200,
    response: succeeded({ job: JobSchema }),
    errors: ['JOB_NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
  },
} as const satisfies Record<string, RouteDefinition>;
