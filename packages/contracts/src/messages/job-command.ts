import { type Static, Type } from 'typebox';
import { FailureSchema } from '../errors/failure.ts';
import { CreateJobRequestSchema } from '../jobs/create-job.ts';
import { JobSchema } from '../jobs/job.ts';
import { Nullable, OneOf } from '../schema/map-of.ts';

/** Create a job, once per `jobId` and once per idempotency key, however often it is said. */
const CreateJobCommandSchema = Type.Object(
  {
    type: OneOf(['create']),
    jobId: Type.String({ pattern: '^job_' }),
    accountId: Type.String(),
    /** The key that pays; null for a schedule's run. */
    keyId: Nullable(Type.String()),
    request: CreateJobRequestSchema,
    /** The caller's Idempotency-Key, or one made of schedule and tick. */
    idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    scheduleId: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type CreateJobCommand = Static<typeof CreateJobCommandSchema>;

/** End a job before its time. */
const CancelJobCommandSchema = Type.Object(
  { type: OneOf(['cancel']), jobId: Type.String(), accountId: Type.String() },
  { additionalProperties: false },
);
export type CancelJobCommand = Static<typeof CancelJobCommandSchema>;

/** What the job-orchestrator can be told. */
export const JobCommandSchema = Type.Union([CreateJobCommandSchema, CancelJobCommandSchema]);
export type JobCommand = Static<typeof JobCommandSchema>;

/** The job after the command; of a repeated create, as it was when it was created. */
export const JobReplySchema = Type.Object({ job: JobSchema }, { additionalProperties: false });
export type JobReply = Static<typeof JobReplySchema>;

/** Create the jobs of schedules' runs together, each as if it were asked for alone. */
export const CreateRunsCommandSchema = Type.Object(
  { runs: Type.Array(CreateJobCommandSchema, { minItems: 1, maxItems: 500 }) },
  { additionalProperties: false },
);
export type CreateRunsCommand = Static<typeof CreateRunsCommandSchema>;

/** What came of asking for a job: the job, or why there is none. */
const CreateRunOutcomeSchema = Type.Union([
  Type.Object({ job: JobSchema }, { additionalProperties: false }),
  Type.Object({ failure: FailureSchema }, { additionalProperties: false }),
]);
export type CreateRunOutcome = Static<typeof CreateRunOutcomeSchema>;

/** What came of each, in their order. */
export const CreateRunsReplySchema = Type.Object(
  { outcomes: Type.Array(CreateRunOutcomeSchema) },
  { additionalProperties: false },
);
export type CreateRunsReply = Static<typeof CreateRunsReplySchema>;

/** A job was cancelled: none of its pages is wanted any more, neither those under way nor those still queued. */
export const JobCancellationSchema = Type.Object({ jobId: Type.String() }, { additionalProperties: false });
export type JobCancellation = Static<typeof JobCancellationSchema>;
