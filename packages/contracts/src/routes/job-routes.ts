import { ChangeFilterSchema } from '../crawl/crawl-changes.ts';
import { ChangeSchema, COMPARISON_PROPERTIES } from '../jobs/changes.ts';
import { CreateJobRequestSchema } from '../jobs/create-job.ts';
import { ExtractJobRequestSchema } from '../jobs/extract-job.ts';
import { JobSchema, JobWithResultsSchema, PageResultSchema } from '../jobs/job.ts';
import { JOB_STATES } from '../jobs/job-states.ts';
import { JobUrlSchema, URL_STATES } from '../jobs/job-url.ts';
import { RerunJobRequestSchema } from '../jobs/rerun-job.ts';
import { SinkSchema } from '../jobs/sink.ts';
import { LIMITS } from '../limits.ts';
import { OneOf } from '../map-of.ts';
import { TraceSchema } from '../scrape/trace.ts';
import { VerdictFilterSchema } from '../scrape/verdict.ts';
import { Type } from '../type.ts';
import { PaginationSchema, paginated, succeeded } from './envelopes.ts';
import { PAGE_QUERY_PROPERTIES, type RouteDefinition } from './route.ts';

/** Formats in which all results of a job can be streamed. */
export const RESULT_FORMATS = ['json', 'ndjson', 'csv', 'parquet'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** Headers of the routes that create a job. */
export const CREATE_HEADERS = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description: 'Unique to the job: 1 to 255 visible ASCII characters.',
      'x-expected': '1 to 255 visible ASCII characters',
    }),
  ),
});

/** Routes of jobs: many pages, whose results are fetched later. */
export const JOB_ROUTES = {
  createJob: {
    method: 'post',
    path: '/v1/jobs',
    summary: 'Scrape many pages as a job',
    description:
      'With `crawl`, the job finds further pages by itself: it follows links and sitemaps from `urls`. With an Idempotency-Key, a repeated request gets the response of the first one, for 24 hours. A page whose error may pass is attempted again; a page that is `BLOCKED` only with `antiBot`. Equal URLs are fetched and charged once, and have a result for each entry: equal as they are fetched, which is without the `#fragment`, except where a browser may render the page (`render`, `waitFor`, `screenshot`, `antiBot`).',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'create',
    headers: CREATE_HEADERS,
    body: CreateJobRequestSchema,
    bodyExample: {
      name: 'Two pages',
      urls: ['https://example.com/', 'https://example.com/?page=2'],
      selectors: { title: { selector: 'h1', whitespace: 'collapse', default: 'Untitled' } },
      formats: ['text', 'links'],
    },
    moreExamples: {
      crawl: {
        summary: 'Crawl a site',
        value: {
          name: 'A small crawl',
          urls: ['https://example.com/'],
          crawl: {
            limit: 20,
            include: ['/books/*', '/categories/**'],
            exclude: ['**?*ref=*'],
            rules: [
              { match: '/categories/**', follow: ['.book'], next: 'a.next', keep: false },
              { match: '/books/*', follow: false, selectors: { title: 'h1' } },
            ],
          },
        },
      },
    },
    maxBodyBytes: LIMITS.maxJobBodyBytes,
    status: 202,
    response: succeeded({ job: JobSchema }),
    responseHeaders: ['Location'],
    errors: [
      'DATASET_KEY_DIFFERS',
      'INVALID_URL',
      'INVALID_SELECTOR',
      'NOT_CONFIGURED',
      'PROFILE_NOT_FOUND',
      'RECIPE_NOT_FOUND',
      'RECIPE_AMBIGUOUS',
      'INSUFFICIENT_CREDITS',
      'IDEMPOTENCY_CONFLICT',
    ],
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
        scheduleId: Type.Optional(Type.String({ description: 'Only runs of this schedule.' })),
        search: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            pattern: '\\S',
            description:
              'Only jobs with a word of the name, or a host or its domain, that begins with each of these words (the first five). Case does not matter; of a URL, the host counts.',
            examples: ['books shop.example'],
          }),
        ),
        ...PAGE_QUERY_PROPERTIES,
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: paginated('jobs', JobSchema),
    errors: [],
  },
  listSinks: {
    method: 'get',
    path: '/v1/sinks',
    summary: 'List the sinks that jobs of the account may write to',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ sinks: Type.Array(SinkSchema) }),
    errors: [],
  },
  getJob: {
    method: 'get',
    path: '/v1/jobs/{id}',
    summary: 'Get a job with its options and its results so far',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    query: Type.Object(
      {
        resultsLimit: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: LIMITS.maxResultsPerPage,
            description: 'Number of results. Default 1000.',
          }),
        ),
        resultsOffset: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: LIMITS.maxOffset,
            description: 'Number of results to skip. Default 0.',
          }),
        ),
        change: ChangeFilterSchema,
        verdict: VerdictFilterSchema,
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
    summary: 'Stream all results of a job',
    description:
      'In the order of the URLs: the URLs processed so far, including failed ones. Without `format`, the `Accept` header chooses: `text/csv`, `application/vnd.apache.parquet`, `application/x-ndjson`, or JSON.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    query: Type.Object(
      {
        format: Type.Optional(
          OneOf(RESULT_FORMATS, { description: 'Default: what `Accept` asks for, else json.' }),
        ),
        rows: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              'For CSV and Parquet: a field with several values, by its dotted path. Each of its entries becomes a row, which repeats the other columns of the page.',
            examples: ['cards'],
          }),
        ),
        columns: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 8192,
            description:
              'For CSV and Parquet: the columns in their order, separated by commas, such as `title,price.amount,url`. Without it: what was extracted, then `url`.',
            examples: ['title,url'],
          }),
        ),
        pages: Type.Optional(
          OneOf(['records', 'all'], {
            description:
              'For CSV and Parquet: `all` has a row also for pages without a record, such as failed ones, and columns for their errors. Default records.',
          }),
        ),
        offset: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: LIMITS.maxOffset,
            description: 'Number of results to skip, to go on where a stream broke off. Default 0.',
          }),
        ),
        change: ChangeFilterSchema,
        verdict: VerdictFilterSchema,
      },
      { additionalProperties: false },
    ),
    headers: Type.Object({ accept: Type.Optional(Type.String()) }),
    status: 200,
    response: Type.Array(PageResultSchema),
    mediaTypes: {
      'application/x-ndjson': 'One result per line.',
      'text/csv':
        'RFC 4180 with a header line: a column for each field of the selectors, one for each format (`formats.markdown`), then url, screenshotUrl when screenshots were requested, `file.id`, `file.name`, `file.contentType`, `file.size` and `file.sha256` with `download`, request (JSON) of jobs with `requests`, change and unlinked of crawls that are compared, and with `pages=all` error (its code), errorMessage, errorSuggestion, targetStatusCode and verdict (the kind of page). A page with nothing extracted has no row, except with `pages=all`. The fields of a record have columns such as `seller.name`, those of the list of `rows` without its name, a price has `price.amount` and `price.currency`; lists and tables are JSON. Where a field is named `url`, that of the page is `pageUrl`, and likewise for the others.',
      'application/vnd.apache.parquet':
        'The columns of the CSV with types that follow from the selectors: texts, lists and records (JSON) are UTF8, `number` and amounts DOUBLE, `integer` and `count` INT64, `boolean` BOOLEAN, `date` DATE and `datetime` TIMESTAMP in UTC. A value that its column does not hold exactly, such as a number of too many digits or a default of another type, is null there and a member of the column `exactValues`, an object as JSON. Row groups have 10,000 rows or 16 MiB, compressed with ZSTD.',
    },
    responseHeaders: ['Content-Disposition'],
    errors: ['JOB_NOT_FOUND'],
  },
  getJobChanges: {
    method: 'get',
    path: '/v1/jobs/{id}/changes',
    summary: 'List what a run or a crawl found changed',
    description:
      'For runs of schedules and crawls with `since` or `changes`, once they have finished: each value and record that differs, over all pages. Records of a list are matched by a key, so that one that moves to another page has not changed. A page that failed, in this run or before, says nothing, and neither does one of another kind than before (`metadata.verdict`).',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    query: Type.Object(
      {
        ...PAGE_QUERY_PROPERTIES,
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1000, description: 'Number of changes. Default 100.' }),
        ),
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: succeeded({
      ...COMPARISON_PROPERTIES,
      changes: Type.Array(ChangeSchema),
      pagination: PaginationSchema,
    }),
    errors: ['JOB_NOT_FOUND'],
  },
  getJobUrls: {
    method: 'get',
    path: '/v1/jobs/{id}/urls',
    summary: 'Stream the URLs of a job with their states',
    description:
      'In their order, whether they were processed or not; for a crawl, those known so far. With `Accept: application/x-ndjson` as one object per line, else as a JSON array.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    query: Type.Object(
      {
        state: Type.Optional(OneOf(URL_STATES, { description: 'Only URLs in this state.' })),
        url: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: LIMITS.maxUrlLength,
            description:
              'Only this URL. In a list, every entry that is fetched as this URL; in a crawl, its page, however the URL is spelled, or the reason why it was not crawled.',
            examples: ['https://example.com/'],
          }),
        ),
        verdict: VerdictFilterSchema,
      },
      { additionalProperties: false },
    ),
    headers: Type.Object({ accept: Type.Optional(Type.String()) }),
    status: 200,
    response: Type.Array(JobUrlSchema),
    mediaTypes: { 'application/x-ndjson': 'One URL per line.' },
    errors: ['JOB_NOT_FOUND'],
  },
  getJobScreenshot: {
    method: 'get',
    path: '/v1/jobs/{id}/results/{index}/screenshot',
    summary: 'Get the screenshot of one URL of a job',
    description:
      'For jobs with `screenshot`. `index` is the position of the URL in `urls`, from 0; `screenshotUrl` of its result is this path.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    headers: Type.Object({
      'if-none-match': Type.Optional(
        Type.String({
          description: 'The ETag of an earlier response; the response is 304 while it is unchanged.',
        }),
      ),
    }),
    status: 200,
    mediaTypes: {
      'image/png': 'The page as PNG.',
      'image/jpeg': 'With the format jpeg.',
      'image/webp': 'With the format webp.',
    },
    responseHeaders: ['ETag'],
    errors: ['JOB_NOT_FOUND', 'SCREENSHOT_NOT_FOUND'],
  },
  getJobTrace: {
    method: 'get',
    path: '/v1/jobs/{id}/results/{index}/trace',
    summary: 'Show where the time of a page of a job went',
    description:
      'Attempts with the milliseconds of each stage, those of earlier rounds included, and a curl command that repeats the request. Kept as long as the job; `index` is the position of the URL in the job, from 0.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ trace: TraceSchema }),
    errors: ['JOB_NOT_FOUND', 'TRACE_NOT_FOUND'],
  },
  getJobEvents: {
    method: 'get',
    path: '/v1/jobs/{id}/events',
    summary: 'Follow the progress of a job as server-sent events',
    description:
      'An event `progress` with the job whenever it has changed; the stream closes after the event `end`. Reconnect with the `id` of the last event in `Last-Event-ID`: a state that was already received is not sent again, and after `end` the response is 204. A key may have a limited number of streams open at once.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'read',
    headers: Type.Object({
      'last-event-id': Type.Optional(
        Type.String({ description: 'The `id` of the last event that was received.' }),
      ),
    }),
    status: 200,
    mediaTypes: {
      'text/event-stream': '`event: progress` or `end`; `id:` names the state; `data:` is the job as JSON.',
    },
    errors: ['JOB_NOT_FOUND'],
  },
  rerunJob: {
    method: 'post',
    path: '/v1/jobs/{id}/rerun',
    summary: 'Scrape the URLs of a finished job again',
    description:
      'Creates a job of the same URLs, name, options and webhook; `rerunOf` of the new job is this one. With `"only": "failed"`, the URLs that failed. Without a body, all URLs. With an Idempotency-Key, a repeated request gets the response of the first one, for 24 hours.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'create',
    headers: CREATE_HEADERS,
    body: RerunJobRequestSchema,
    bodyIsOptional: true,
    bodyExample: {},
    moreExamples: { failed: { summary: 'Only the URLs that failed', value: { only: 'failed' } } },
    status: 202,
    response: succeeded({ job: JobSchema }),
    responseHeaders: ['Location'],
    errors: [
      'DATASET_KEY_DIFFERS',
      'JOB_NOT_FOUND',
      'JOB_NOT_FINISHED',
      'INVALID_URL',
      'INVALID_SELECTOR',
      'NOT_CONFIGURED',
      'INSUFFICIENT_CREDITS',
      'IDEMPOTENCY_CONFLICT',
    ],
  },
  extractJob: {
    method: 'post',
    path: '/v1/jobs/{id}/extract',
    summary: 'Extract other data from the pages that a finished job kept',
    description:
      'For jobs with `snapshot: true`. Creates a job with a result for each page that succeeded; `extractOf` of the new job is this one. Nothing is fetched, and it costs no credits. A page that is not kept any more fails with SNAPSHOT_NOT_FOUND. With an Idempotency-Key, a repeated request gets the response of the first one, for 24 hours.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'create',
    headers: CREATE_HEADERS,
    body: ExtractJobRequestSchema,
    bodyIsOptional: true,
    bodyExample: { selectors: { title: 'h1', price: { selector: '.price', type: 'price' } } },
    status: 202,
    response: succeeded({ job: JobSchema }),
    responseHeaders: ['Location'],
    errors: [
      'JOB_NOT_FOUND',
      'JOB_NOT_FINISHED',
      'SNAPSHOT_NOT_FOUND',
      'INVALID_URL',
      'INVALID_SELECTOR',
      'NOT_CONFIGURED',
      'IDEMPOTENCY_CONFLICT',
    ],
  },
  cancelJob: {
    method: 'delete',
    path: '/v1/jobs/{id}',
    summary: 'Cancel a job that has not finished',
    description: 'No page of the job starts after the response. Completed pages stay, and stay charged.',
    tag: 'Jobs',
    scope: 'jobs',
    rateLimit: 'create',
    status: 200,
    response: succeeded({ job: JobSchema }),
    errors: ['JOB_NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
  },
} as const satisfies Record<string, RouteDefinition>;
