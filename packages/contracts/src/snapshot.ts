import type { Static } from 'typebox';
import { OneOf } from './map-of.ts';
import { ExtractedFormatsSchema, FormatsSchema, LocaleSchema } from './scrape/formats.ts';
import { WarningSchema } from './scrape/scrape-response.ts';
import { ExtractedDataSchema, SelectorMapSchema } from './scrape/selectors.ts';
import { Type } from './type.ts';

const MAX_PICKS = 100;
const MAX_RECORDS = 10_000;
const MAX_OTHER_SNAPSHOTS = 5;

const Node = Type.Integer({
  minimum: 0,
  description: 'Place of an element in document order, from 0; the view has it as `data-gl-n`.',
});

/** The body of `POST /v1/snapshots/:id/extract`. */
export const SnapshotExtractSchema = Type.Object(
  {
    selectors: Type.Optional(SelectorMapSchema),
    formats: Type.Optional(FormatsSchema),
    locale: Type.Optional(LocaleSchema),
  },
  { additionalProperties: false },
);

/** Values extracted from a snapshot. */
export const SnapshotExtractedSchema = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Optional(ExtractedDataSchema),
    formats: Type.Optional(ExtractedFormatsSchema),
    matches: Type.Unsafe<Record<string, number[]>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'integer' } },
      description:
        'For each field by its dotted name, all elements that its selector matches, by their places in document order.',
    }),
    warnings: Type.Optional(Type.Array(WarningSchema)),
  },
  { additionalProperties: false },
);

/** The body of `POST /v1/snapshots/:id/suggest`. */
export const SnapshotSuggestSchema = Type.Object(
  {
    kind: OneOf(['one', 'list', 'field'], {
      description: 'One element, a list of records, or a field inside the records of a list.',
    }),
    picks: Type.Array(Node, {
      minItems: 1,
      maxItems: MAX_PICKS,
      description: 'Elements to select; two are enough for a list.',
    }),
    not: Type.Optional(
      Type.Array(Node, { maxItems: MAX_PICKS, description: 'Elements that must not be selected.' }),
    ),
    within: Type.Optional(
      Type.Array(Node, { maxItems: MAX_RECORDS, description: 'For fields: the records, or one of them.' }),
    ),
    alsoOn: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MAX_OTHER_SNAPSHOTS,
        description: 'Ids of other snapshots of such pages; selectors that hold there come first.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SnapshotSuggest = Static<typeof SnapshotSuggestSchema>;

const ColumnSchema = Type.Object(
  {
    name: Type.String(),
    selector: Type.String({ description: 'CSS relative to the record.' }),
    take: Type.String(),
    filled: Type.Number({ description: 'Share of the records that have a value, from 0 to 1.' }),
    distinct: Type.Integer({ description: 'Number of different values.' }),
    values: Type.Array(Type.String()),
    isPicked: Type.Boolean({ description: 'True if the field takes the picked element.' }),
  },
  { additionalProperties: false },
);

/** A proposed selector. */
const CandidateSchema = Type.Object(
  {
    kind: OneOf(['one', 'list', 'field']),
    selector: Type.String({ description: 'CSS without a suffix; for fields, relative to the record.' }),
    take: Type.String({ description: '`text` or `attr(<name>)`.' }),
    matches: Type.Integer({ description: 'Number of elements that match; for fields, of records with one.' }),
    values: Type.Array(Type.String(), { description: 'First values, shortened.' }),
    score: Type.Number({ description: 'From 0 to 1: expected to go on matching the same elements.' }),
    reasons: Type.Array(Type.String()),
    stableOn: Type.Optional(Type.String({ description: 'Share of the other snapshots, as in `4 of 5`.' })),
    columns: Type.Optional(Type.Array(ColumnSchema)),
  },
  { additionalProperties: false },
);

/** Selectors proposed for elements of a snapshot. */
export const SnapshotSuggestedSchema = Type.Object(
  {
    success: Type.Literal(true),
    candidates: Type.Array(CandidateSchema, { description: 'The most robust first.' }),
  },
  { additionalProperties: false },
);
