import type { Static } from 'typebox';
import { Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';
import { TracedActionSchema } from './actions.ts';
import { AttemptSchema, StageTimesSchema } from './attempt.ts';

const TraceAttemptSchema = Type.Object(
  {
    ...AttemptSchema.properties,
    round: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'For pages of jobs: number of the attempt of the job, from 1.',
      }),
    ),
    rung: Type.Optional(
      Type.String({
        description: 'With `antiBot`: the rung of the ladder.',
        examples: ['plain', 'chrome', 'browser'],
      }),
    ),
    startedAt: Type.Optional(Timestamp()),
    stages: Type.Optional(StageTimesSchema),
    actions: Type.Optional(
      Type.Array(TracedActionSchema, { description: 'The steps of `actions`, in order.' }),
    ),
  },
  { additionalProperties: false },
);

/** Trace of a scrape or of a page of a job: its attempts, with the time of each stage. */
export const TraceSchema = Type.Object(
  {
    requestId: Type.Optional(Type.String({ description: 'For scrapes: as `X-Request-Id` named it.' })),
    jobId: Type.Optional(Type.String()),
    index: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Position of the URL in the job, from 0.' }),
    ),
    url: Type.String(),
    state: Type.String({
      description:
        '`success` or the error code; of pages of jobs that have not finished, their state such as `waiting`.',
    }),
    message: Type.Optional(Type.String({ description: 'The message of the error.' })),
    durationMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'For scrapes: from the arrival of the request to the end of the work. What its attempts did not take, it waited.',
      }),
    ),
    attempts: Type.Array(TraceAttemptSchema, { description: 'Oldest first.' }),
    curl: Type.String({
      description:
        'A command that requests the page as Gleaner did, without its secrets: cookies, credentials and proxies have to be filled in.',
    }),
  },
  { additionalProperties: false },
);
export type Trace = Static<typeof TraceSchema>;
export type TraceAttempt = Static<typeof TraceAttemptSchema>;
