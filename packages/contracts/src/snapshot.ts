import type { Static } from 'typebox';
import { OneOf } from './map-of.ts';
import { ExtractedFormatsSchema, FormatsSchema, LocaleSchema } from './scrape/formats.ts';
import { LlmUseSchema, ModelExtractSchema } from './scrape/model-extract.ts';
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

const Kind = OneOf(['one', 'list', 'field'], {
  description: 'One element, a list of records, or a field inside the records of a list.',
});
const Picks = Type.Array(Node, {
  minItems: 1,
  maxItems: MAX_PICKS,
  description: 'Elements to select; two are enough for a list.',
});

/** The body of `POST /v1/snapshots/:id/suggest`: either `kind` and `picks`, or a `schema`. */
export const SnapshotSuggestSchema = Type.Object(
  {
    kind: Type.Optional(Kind),
    picks: Type.Optional(Picks),
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
    schema: Type.Optional(ModelExtractSchema.properties.schema),
    prompt: ModelExtractSchema.properties.prompt,
    locale: Type.Optional(LocaleSchema),
    maxCredits: ModelExtractSchema.properties.maxCredits,
  },
  { additionalProperties: false },
);
export type SnapshotSuggest = Static<typeof SnapshotSuggestSchema>;

/** Elements of a snapshot to propose selectors for. */
export const PickedSchema = Type.Object(
  {
    kind: Kind,
    picks: Picks,
    not: SnapshotSuggestSchema.properties.not,
    within: SnapshotSuggestSchema.properties.within,
  },
  { additionalProperties: false },
);

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

/** Selectors proposed for a schema. */
const ProposalSchema = Type.Object(
  {
    selectors: SelectorMapSchema,
    data: ExtractedDataSchema,
    unsolved: Type.Array(
      Type.Object({ field: Type.String(), message: Type.String() }, { additionalProperties: false }),
      { description: 'Fields of the schema without a selector, each with the reason.' },
    ),
    stableOn: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description:
          'For each field, the share of the snapshots `alsoOn` on which it has a value, as in `4 of 5`.',
      }),
    ),
    llm: LlmUseSchema,
    credits: Type.Integer({ minimum: 0, description: 'What the model has cost.' }),
  },
  {
    additionalProperties: false,
    description: 'For a schema: selectors that give the values that the model has found, and their data.',
  },
);
export type Proposal = Static<typeof ProposalSchema>;

/** Selectors proposed for elements of a snapshot. */
export const SnapshotSuggestedSchema = Type.Object(
  {
    success: Type.Literal(true),
    candidates: Type.Array(CandidateSchema, { description: 'The most robust first; none for a schema.' }),
    proposal: Type.Optional(ProposalSchema),
  },
  { additionalProperties: false },
);
