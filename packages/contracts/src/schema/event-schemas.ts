import type { TProperties, TSchema } from 'typebox';
import { ChangeSchema } from '../jobs/changes.ts';
import { JobSchema, PageResultSchema } from '../jobs/job.ts';
import { MapOf, OneOf, Timestamp } from '../map-of.ts';
import { ProfileSchema } from '../profiles/profile.ts';
import { FieldFallSchema, Health } from '../schedules/health.ts';
import { Type } from '../type.ts';
import type { DeliveryType } from '../webhooks/delivery.ts';

const closed = <Properties extends TProperties>(properties: Properties, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });

/** Describes the events of these types. */
function eventOf(types: readonly DeliveryType[], description: string, data: TSchema) {
  const head = {
    id: Type.String({
      description:
        'The `webhook-id`: the same for every attempt, so that a repeated event can be recognized.',
      examples: ['evt_01jd8x0000000000000000000'],
    }),
    type: OneOf(types),
    timestamp: Timestamp(),
  };
  return { types, description, schema: closed({ ...head, data }, description) };
}

const METADATA = {
  metadata: Type.Optional(
    MapOf(Type.String(), { description: 'As given with the webhook; absent if none was given.' }),
  ),
};

/** A result that is larger than an event may be. */
export const OmittedResultSchema = closed(
  { url: Type.String(), resultTruncated: Type.Literal(true), resultsUrl: Type.String() },
  'A result that is larger than an event may be; `resultsUrl` has it.',
);

const result = Type.Unsafe({ anyOf: [PageResultSchema, OmittedResultSchema] });

/** A job with results, as events carry it. */
export const EventJobSchema = closed(
  {
    ...JobSchema.properties,
    results: Type.Array(result, { description: 'In the order of the URLs of the job.' }),
    resultsTruncated: Type.Optional(
      Type.Literal(true, {
        description: 'The results are larger than an event may be; `resultsUrl` has all of them.',
      }),
    ),
    resultsUrl: Type.Optional(Type.String()),
  },
  'A job with its results.',
);

const batch = closed(
  {
    number: Type.Integer({ minimum: 1, description: 'From 1 without gaps, in the order of the results.' }),
    part: Type.Integer({
      minimum: 1,
      description: 'A large batch comes in parts, each an event of its own.',
    }),
    isLastPart: Type.Boolean(),
  },
  'The batch that the results are.',
);

const dataset = closed(
  { name: Type.String(), from: Type.Integer(), to: Type.Integer(), recordsUrl: Type.String() },
  'The revisions after `from` up to `to` are new; `recordsUrl` has their records.',
);

const value = Type.Optional(
  Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
);

/** A record that a rule tells of. */
export const MatchedRecordSchema = closed(
  {
    record: Type.String({ description: 'Text that it is matched by; of a page, its URL.' }),
    url: Type.String(),
    isRemoved: Type.Optional(Type.Literal(true)),
    values: Type.Array(
      closed({ field: Type.String(), before: value, after: value }, 'A value of the record.'),
    ),
  },
  'A record that a rule tells of.',
);

const { id, name, status, lastError } = ProfileSchema.properties;
const count = Type.Integer({ minimum: 0 });

/** The events by the names of their schemas: their types, and when they are sent. */
export const EVENTS = {
  JobEvent: eventOf(
    ['job.started', 'job.completed', 'job.partial', 'job.failed', 'job.cancelled'],
    'A job was started or has finished.',
    closed(
      {
        job: EventJobSchema,
        batches: Type.Optional({
          ...count,
          description:
            'Number of batches that the results were sent in; of a finished job whose webhook names `job.pages`.',
        }),
        ...METADATA,
      },
      'The job.',
    ),
  ),
  JobPagesEvent: eventOf(
    ['job.pages'],
    'A job has further results.',
    closed({ batch, job: EventJobSchema, ...METADATA }, 'The job with the results of one batch.'),
  ),
  ChangesEvent: eventOf(
    ['job.changed', 'schedule.changed'],
    'A crawl, or a run of a schedule, has found a difference.',
    closed(
      {
        job: JobSchema,
        changes: Type.Array(ChangeSchema),
        changesTruncated: Type.Optional(
          Type.Literal(true, { description: 'There are more changes; `changesUrl` has all of them.' }),
        ),
        changesUrl: Type.String(),
        ...METADATA,
      },
      'The job and what it found changed.',
    ),
  ),
  DatasetEvent: eventOf(
    ['dataset.changed'],
    'A job has ended that changed its dataset.',
    closed({ job: JobSchema, dataset, ...METADATA }, 'The job and its dataset.'),
  ),
  HealthEvent: eventOf(
    ['schedule.drift', 'schedule.recovered'],
    'Fields of a schedule return less than half of what they used to, or are back.',
    closed(
      {
        job: JobSchema,
        health: Health,
        fields: Type.Array(FieldFallSchema),
        healthUrl: Type.String(),
        ...METADATA,
      },
      'The run, the health of its schedule, and the fields that fell or recovered.',
    ),
  ),
  ProfileEvent: eventOf(
    ['profile.expired', 'profile.failed'],
    'A job has ended because its profile is signed out, or could not be signed in.',
    closed(
      { job: JobSchema, profile: closed({ id, name, status, lastError }, 'The profile.'), ...METADATA },
      'The job and its profile.',
    ),
  ),
  WebhookTestEvent: eventOf(
    ['webhook.test'],
    'Someone tests the endpoint.',
    closed({ message: Type.String() }, 'A text.'),
  ),
  RuleEvent: eventOf(
    ['rule.matched'],
    'A rule of a schedule has become true; sent to channels.',
    closed(
      {
        title: Type.String({ description: 'One line for people.' }),
        text: Type.String({ description: 'A line for each record.' }),
        link: Type.Optional(Type.String({ description: 'The run in the console.' })),
        rule: Type.String({ description: 'Name of the rule.' }),
        schedule: closed({ id: Type.String(), name: Type.String() }, 'The schedule of the rule.'),
        jobId: Type.String({ description: 'The run.' }),
        records: Type.Optional(
          Type.Array(MatchedRecordSchema, { description: 'Absent if they are too large for a message.' }),
        ),
        more: Type.Optional({ ...count, description: 'Number of further records.' }),
      },
      'A message for people, and the records that it tells of.',
    ),
  ),
  ChannelTestEvent: eventOf(
    ['channel.test'],
    'Someone tests a channel.',
    closed({ title: Type.String(), text: Type.String() }, 'A message for people.'),
  ),
};

/** The schemas of the events by their names. */
export const EVENT_SCHEMAS: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries(EVENTS).map(([name, { schema }]) => [name, schema]),
);

/** Any event that a webhook or a channel of the type `webhook` receives. */
export const WebhookEventSchema = Type.Unsafe({
  anyOf: Object.values(EVENT_SCHEMAS),
  description: 'Body of a webhook; what `data` holds follows from `type`.',
});
