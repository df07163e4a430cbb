import type { Static } from 'typebox';
import { CRAWLED_PROPERTIES, CrawlProgressSchema } from '../crawl/crawl-progress.ts';
import { FailureSchema } from '../errors/failure.ts';
import { OneOf, Timestamp } from '../map-of.ts';
import { CapturedSchema } from '../scrape/capture.ts';
import { ExtractedFormatsSchema } from '../scrape/formats.ts';
import { ScrapeMetadataSchema, WarningSchema } from '../scrape/scrape-response.ts';
import { ExtractedDataSchema } from '../scrape/selectors.ts';
import { VerdictCountsSchema } from '../scrape/verdict.ts';
import { StoredFileSchema } from '../stored-file.ts';
import { Type } from '../type.ts';
import { ChangeCountsSchema } from './changes.ts';
import { JOB_STATES } from './job-states.ts';
import { ShownOptionsSchema, ShownRequestSchema } from './shown-options.ts';
import { SinkOptionsSchema } from './sink.ts';

const JOB_PROPERTIES = {
  id: Type.String({ examples: ['job_01jd8x0000000000000000000'] }),
  name: Type.String(),
  hosts: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Hosts of its URLs, of a crawl those of its start URLs; the first five.',
      examples: [['shop.example']],
    }),
  ),
  status: OneOf(JOB_STATES),
  totalUrls: Type.Integer({ minimum: 1, description: 'URLs of the job; of a crawl, those known so far.' }),
  completedUrls: Type.Integer({ minimum: 0, description: 'URLs processed so far, failed ones included.' }),
  failedUrls: Type.Integer({ minimum: 0, description: 'URLs that failed.' }),
  creditsUsed: Type.Integer({ minimum: 0 }),
  verdicts: Type.Optional(VerdictCountsSchema),
  crawl: Type.Optional(CrawlProgressSchema),
  changes: Type.Optional(ChangeCountsSchema),
  warnings: Type.Optional(
    Type.Array(WarningSchema, {
      description:
        'Fields that did not meet their `expect` (EXPECTATION_FAILED), for which the job is `partial`, and texts that more than five different URLs showed (PAGE_SUSPECT).',
    }),
  ),
  dataset: Type.Optional(
    Type.Object(
      {
        name: Type.String(),
        from: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Revision before the first change of the job.' }),
        ),
        to: Type.Optional(Type.Integer({ minimum: 0, description: 'Revision when the job finished.' })),
      },
      {
        additionalProperties: false,
        description:
          'The dataset that the job writes to; `from` and `to` once it has finished, if the dataset has changed.',
      },
    ),
  ),
  sink: Type.Optional(SinkOptionsSchema),
  scheduleId: Type.Optional(Type.String({ description: 'The schedule that started this job.' })),
  rerunOf: Type.Optional(Type.String({ description: 'The job that this one scrapes again.' })),
  extractOf: Type.Optional(
    Type.String({
      description: 'The job whose snapshots this one extracts from, without fetching the pages.',
    }),
  ),
  createdAt: Timestamp(),
  startedAt: Type.Optional(Timestamp()),
  completedAt: Type.Optional(
    Timestamp({
      description: 'Time at which the job finished: its state and its counters do not change any more.',
    }),
  ),
};

/** A job without its results. */
export const JobSchema = Type.Object(JOB_PROPERTIES, { additionalProperties: false });
export type Job = Static<typeof JobSchema>;

/** Fields of every result. */
const RESULT_PROPERTIES = {
  url: Type.String({ description: 'As given in the request.' }),
  request: ShownRequestSchema,
  duplicateOf: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Index in `urls` of the earlier entry with the same URL, which was fetched for both and is charged once. The rest of the result is the same.',
    }),
  ),
  ...CRAWLED_PROPERTIES,
};

/** Result of a URL that was scraped. */
export const PageSuccessSchema = Type.Object(
  {
    ...RESULT_PROPERTIES,
    data: Type.Optional(ExtractedDataSchema),
    formats: Type.Optional(ExtractedFormatsSchema),
    captured: Type.Optional(CapturedSchema),
    metadata: ScrapeMetadataSchema,
    warnings: Type.Optional(Type.Array(WarningSchema)),
    screenshotUrl: Type.Optional(
      Type.String({
        description: 'Path of the screenshot, which needs the API key. Present when one was requested.',
        examples: ['/v1/jobs/job_01jd8x0000000000000000000/results/0/screenshot'],
      }),
    ),
    snapshotId: Type.Optional(
      Type.String({ description: 'The snapshot of the page, when `snapshot` was requested.' }),
    ),
    file: Type.Optional(StoredFileSchema),
  },
  { additionalProperties: false },
);

/** Result of a URL that failed. */
export const PageFailureSchema = Type.Object(
  {
    ...RESULT_PROPERTIES,
    data: Type.Null(),
    error: FailureSchema,
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts at the page.' }),
  },
  { additionalProperties: false },
);

/** Result of one URL of a job; exactly one of the two matches. */
export const PageResultSchema = Type.Unsafe<
  Static<typeof PageSuccessSchema> | Static<typeof PageFailureSchema>
>({
  oneOf: [PageSuccessSchema, PageFailureSchema],
  description:
    'A failed URL has `data: null` and an `error`; a scraped one has `metadata`, with `data`, `formats` or both, or a `file`, never `error`.',
});
export type PageResult = Static<typeof PageResultSchema>;

/** A job with its options and one page of its results, in the order of its URLs. */
export const JobWithResultsSchema = Type.Object(
  {
    ...JOB_PROPERTIES,
    options: ShownOptionsSchema,
    results: Type.Array(PageResultSchema),
    resultsPagination: Type.Object(
      { limit: Type.Integer(), offset: Type.Integer(), total: Type.Integer(), hasMore: Type.Boolean() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
