import type { Static } from 'typebox';
import { FailureSchema } from '../errors/failure.ts';
import { JOB_REQUEST_PROPERTIES } from '../jobs/create-job.ts';
import { JobSchema } from '../jobs/job.ts';
import { RerunJobRequestSchema } from '../jobs/rerun-job.ts';
import { Nullable, OneOf } from '../map-of.ts';
import { NotifySchema } from '../schedules/notify.ts';
import { SearchRequestSchema } from '../search/search-request.ts';
import { Type } from '../type.ts';

/** Creates a job. Repeating the command has no further effect, by `jobId` and by idempotency key. */
const CreateJobCommandSchema = Type.Object(
  {
    type: OneOf(['create']),
    jobId: Type.String({ pattern: '^job_' }),
    accountId: Type.String(),
    /** The key that pays; null for a schedule's run. */
    keyId: Nullable(Type.String()),
    /** Without URLs where `pagesOf` names them. */
    request: Type.Object(JOB_REQUEST_PROPERTIES, { additionalProperties: false }),
    /** The finished job with the URLs of the new one: its succeeded or failed pages, or all. */
    pagesOf: Type.Optional(
      Type.Object(
        { jobId: Type.String(), only: OneOf(['succeeded', 'failed', 'all']) },
        { additionalProperties: false },
      ),
    ),
    /** The caller's Idempotency-Key, or one made from schedule and tick. */
    idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    scheduleId: Type.Optional(Type.String()),
    /** Rules of the schedule, by which the run is judged. */
    notify: Type.Optional(NotifySchema),
    /** True for a manual run: its key stands for the schedule, also after the settings have changed. */
    isExtraRun: Type.Optional(Type.Boolean()),
    /** The job and the selection of its URLs from which `request` was made. */
    rerun: Type.Optional(
      Type.Object(
        { jobId: Type.String(), ...RerunJobRequestSchema.properties },
        { additionalProperties: false },
      ),
    ),
    /** The job whose snapshots are extracted from, instead of fetching the URLs. */
    extractOf: Type.Optional(Type.String()),
    /** The search that found the URLs. Repeated requests are equal by it, even where it finds other URLs. */
    search: Type.Optional(SearchRequestSchema),
    /** Origins that credentials go to, if some of the URLs were only found by a crawl. */
    credentialOrigins: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
export type CreateJobCommand = Static<typeof CreateJobCommandSchema>;

/** Cancels a job. */
const CancelJobCommandSchema = Type.Object(
  { type: OneOf(['cancel']), jobId: Type.String(), accountId: Type.String() },
  { additionalProperties: false },
);
export type CancelJobCommand = Static<typeof CancelJobCommandSchema>;

/** Commands of the job-orchestrator. */
export const JobCommandSchema = Type.Union([CreateJobCommandSchema, CancelJobCommandSchema]);
export type JobCommand = Static<typeof JobCommandSchema>;

/** The job after the command; for a repeated create, the job as it was when it was created. */
export const JobReplySchema = Type.Object({ job: JobSchema }, { additionalProperties: false });
export type JobReply = Static<typeof JobReplySchema>;

/** Creates the jobs of several schedule runs; each succeeds or fails by itself. */
export const CreateRunsCommandSchema = Type.Object(
  { runs: Type.Array(CreateJobCommandSchema, { minItems: 1, maxItems: 500 }) },
  { additionalProperties: false },
);
export type CreateRunsCommand = Static<typeof CreateRunsCommandSchema>;

/** Outcome of creating one job: the job, or the reason why it was refused. */
const CreateRunOutcomeSchema = Type.Union([
  Type.Object({ job: JobSchema }, { additionalProperties: false }),
  Type.Object({ failure: FailureSchema }, { additionalProperties: false }),
]);
export type CreateRunOutcome = Static<typeof CreateRunOutcomeSchema>;

/** One outcome for each run, in the order of the command. */
export const CreateRunsReplySchema = Type.Object(
  { outcomes: Type.Array(CreateRunOutcomeSchema) },
  { additionalProperties: false },
);
export type CreateRunsReply = Static<typeof CreateRunsReplySchema>;

/** Announces that a job was cancelled: workers drop its pages, both running and queued. */
export const JobCancellationSchema = Type.Object({ jobId: Type.String() }, { additionalProperties: false });
