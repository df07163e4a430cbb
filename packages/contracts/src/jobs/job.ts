import { type Static, Type } from 'typebox';
import { FailureSchema } from '../errors/failure.ts';
import { OneOf, Timestamp } from '../schema/map-of.ts';
import { ScrapeMetadataSchema, WarningSchema } from '../scrape/scrape-response.ts';
import { ExtractedDataSchema } from '../scrape/selectors.ts';
import { JOB_STATES } from './job-states.ts';

const JOB_PROPERTIES = {
  id: Type.String({ examples: ['job_01jd8x0000000000000000000'] }),
  name: Type.String(),
  status: OneOf(JOB_STATES),
  totalUrls: Type.Integer({ minimum: 1 }),
  completedUrls: Type.Integer({ minimum: 0, description: 'URLs processed so far, failed ones included.' }),
  failedUrls: Type.Integer({ minimum: 0, description: 'URLs that failed.' }),
  creditsUsed: Type.Integer({ minimum: 0 }),
  scheduleId: Type.Optional(Type.String({ description: 'The schedule that this job is a run of.' })),
  createdAt: Timestamp(),
  startedAt: Type.Optional(Timestamp()),
  completedAt: Type.Optional(Timestamp({ description: 'When the job reached its last state.' })),
};

/** A job without its results. */
export const JobSchema = Type.Object(JOB_PROPERTIES, { additionalProperties: false });
export type Job = Static<typeof JobSchema>;

/** The outcome of one URL of a job: its data, or why there is none. */
export const PageResultSchema = Type.Union([
  Type.Object(
    {
      url: Type.String(),
      data: ExtractedDataSchema,
      metadata: ScrapeMetadataSchema,
      warnings: Type.Optional(Type.Array(WarningSchema)),
      screenshotUrl: Type.Optional(
        Type.String({
          description: 'Path of the screenshot, which needs the API key. Present when one was asked for.',
          examples: ['/v1/jobs/job_01jd8x0000000000000000000/results/0/screenshot'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      url: Type.String(),
      data: Type.Null(),
      error: FailureSchema,
      attempts: Type.Integer({ minimum: 0, description: 'How often the page was tried.' }),
    },
    { additionalProperties: false },
  ),
]);
export type PageResult = Static<typeof PageResultSchema>;

/** A job with a page of its results, in the order of its URLs. */
export const JobWithResultsSchema = Type.Object(
  {
    ...JOB_PROPERTIES,
    results: Type.Array(PageResultSchema),
    resultsPagination: Type.Object(
      { limit: Type.Integer(), offset: Type.Integer(), total: Type.Integer(), hasMore: Type.Boolean() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type JobWithResults = Static<typeof JobWithResultsSchema>;
