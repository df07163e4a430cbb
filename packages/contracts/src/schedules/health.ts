import type { Static } from 'typebox';
import { Nullable, OneOf, Timestamp } from '../map-of.ts';
import { type Selector, SelectorSchema } from '../scrape/selectors.ts';
import { Type } from '../type.ts';

/** States of the health of a schedule: the results of its fields compared with earlier runs. */
export const HEALTH_STATES = ['ok', 'drifting', 'broken'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Health of a schedule, as its record shows it. */
export const Health = OneOf(HEALTH_STATES, {
  description:
    '`drifting` when a field has returned less than half of what it used to in two runs in a row, `broken` when such a field returned nothing in the last run, else `ok`. Only pages of the verdict `content` count. `GET /v1/schedules/{id}/health` has the fields.',
});

/** Measures of a field that can fall. */
export const HEALTH_MEASURES = ['fill', 'count', 'conversion', 'shape'] as const;
export type HealthMeasure = (typeof HEALTH_MEASURES)[number];

const share = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description }));

/** Values of a field in a run, or over runs. */
export const FieldMeasuresSchema = Type.Object(
  {
    fill: share('Share of the pages, or of the records around the field, in which it has a value.'),
    count: Nullable(
      Type.Number({ minimum: 0, description: 'Values or records on a page; null of one value.' }),
    ),
    conversion: share(
      'Share of the values that could be converted; null of texts that are kept as they are.',
    ),
    shape: share(
      'Share of the values that look as they used to: prices, numbers, codes, dates, addresses, texts.',
    ),
  },
  { additionalProperties: false },
);
export type FieldMeasures = Static<typeof FieldMeasuresSchema>;

const path = Type.String({
  description: 'Dotted name of the field: `price`, `books.price`; of a rule of a crawl, `rules.1.price`.',
});

/** A field that has fallen below half of its earlier value, or has recovered. */
export const FieldFallSchema = Type.Object(
  {
    path,
    measure: OneOf(HEALTH_MEASURES, { description: 'The measure that fell.' }),
    before: Type.Number({ description: 'Median of the runs before, or the bound of `expect`.' }),
    now: Type.Number(),
  },
  { additionalProperties: false },
);
export type FieldFall = Static<typeof FieldFallSchema>;

/** Suggested selector for a fallen field. */
export const SuggestionSchema = Type.Object(
  {
    selector: Type.Unsafe<Selector>({ ...SelectorSchema, description: 'The selector to use instead.' }),
    isVerified: Type.Boolean({
      description:
        'True if it was run over the last good and the first bad page: the good page gave the values that the old selector gave, and the bad page the same values where they are still there, and values of the same shape elsewhere.',
    }),
    before: Type.Array(Type.Unknown(), {
      description: 'First values that it returns for the last good page.',
    }),
    now: Type.Array(Type.Unknown(), { description: 'First values that it returns for the first bad page.' }),
    reasons: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Suggestion = Static<typeof SuggestionSchema>;

/** A field of a schedule, with its results before and now. */
export const FieldHealthSchema = Type.Object(
  {
    path,
    health: OneOf(HEALTH_STATES),
    before: Nullable(FieldMeasuresSchema, {
      description: 'Medians over the runs before, up to 20; null while there are fewer than three.',
    }),
    now: Nullable(FieldMeasuresSchema, { description: 'The last run whose pages were content.' }),
    fallen: Type.Optional(
      Type.Object(
        {
          ...FieldFallSchema.properties,
          jobId: Type.String({ description: 'The run in which it was found.' }),
          at: Timestamp(),
        },
        { additionalProperties: false },
      ),
    ),
    suggestion: Type.Optional(SuggestionSchema),
    note: Type.Optional(Type.String({ description: 'Reason why there is no suggestion, and what to do.' })),
  },
  { additionalProperties: false },
);
export type FieldHealth = Static<typeof FieldHealthSchema>;

/** The last good and the first bad page of a URL, kept as evidence. */
export const EvidenceSchema = Type.Object(
  {
    url: Type.String(),
    good: Nullable(
      Type.String({ description: 'Snapshot of the last good page; null if it is not kept any more.' }),
    ),
    goodAt: Nullable(Timestamp()),
    bad: Nullable(Type.String({ description: 'Snapshot of the first bad page.' })),
    badAt: Nullable(Timestamp()),
  },
  { additionalProperties: false },
);
export type Evidence = Static<typeof EvidenceSchema>;

/** Health of a schedule with its fields. */
export const ScheduleHealthSchema = Type.Object(
  {
    scheduleId: Type.String(),
    health: Health,
    runs: Type.Integer({ minimum: 0, description: 'Runs that the medians are made of, up to 20.' }),
    lastJobId: Nullable(Type.String({ description: 'The last run that counted.' })),
    fields: Type.Array(FieldHealthSchema, { description: 'Those that have fallen come first.' }),
    pages: Type.Array(EvidenceSchema, {
      description: 'Up to three pages as they were and as they are, as snapshots.',
    }),
    suggestedFor: Type.String({
      description:
        'Names the selectors and pages that the suggestions are made of, for `POST …/health/accept`.',
    }),
  },
  { additionalProperties: false },
);
export type ScheduleHealth = Static<typeof ScheduleHealthSchema>;

/** The query of `GET /v1/schedules/{id}/health`. */
export const HealthQuerySchema = Type.Object(
  {
    suggest: Type.Optional(
      OneOf(['true', 'false'], {
        description: '`false` leaves out the suggestions, which take work. Default true.',
        'x-default': true,
      }),
    ),
  },
  { additionalProperties: false },
);

/** The body of `POST /v1/schedules/{id}/health/accept`. */
export const AcceptSuggestionsSchema = Type.Object(
  {
    fields: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 100,
        description:
          'Paths of the fields whose suggestions are accepted, also those that are not verified. Without it, all verified ones.',
        examples: [['price']],
      }),
    ),
    suggestedFor: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Of the health that the suggestions were read from: where selectors or pages have changed since, nothing is accepted.',
      }),
    ),
  },
  { additionalProperties: false },
);
