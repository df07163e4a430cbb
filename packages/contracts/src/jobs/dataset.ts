import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Nullable, OneOf, Timestamp } from '../map-of.ts';
import { ExtractedDataSchema } from '../scrape/selectors.ts';
import { Type } from '../type.ts';

const DatasetName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  'x-expected': 'a name of 1 to 64 letters, digits, hyphens and underscores, such as "books"',
});
const FieldPath = (description: string, examples: string[]) =>
  Type.String({ minLength: 1, maxLength: 500, description, examples });

/** Option of jobs, crawls and schedules: the table that keeps the extracted records. */
export const DatasetOptionsSchema = Type.Object(
  {
    name: DatasetName,
    rows: Type.Optional(
      FieldPath(
        'The list whose records are kept, by its dotted path. Without it, each page is one record of all its fields.',
        ['books'],
      ),
    ),
    key: Type.Optional(
      Type.Array(FieldPath('Dotted path of a field of the record.', ['isbn']), {
        minItems: 1,
        maxItems: LIMITS.maxDatasetKeyFields,
        uniqueItems: true,
        description:
          'The fields that tell records apart. Needed with `rows`; without both, records are told apart by the URL of their page.',
        examples: [['isbn']],
      }),
    ),
    gone: Type.Optional(
      OneOf(['never', 'run'], {
        description:
          '`run`: once a run has completed with nothing but pages of content, records that it did not find are gone. For tables that one job or schedule writes as a whole. Default never.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Keeps the extracted records in a table of the account, which later jobs add to and change.',
    examples: [{ name: 'books', rows: 'books', key: ['isbn'], gone: 'run' }],
    'x-expected': 'an object {name, rows, key, gone}',
  },
);
export type DatasetOptions = Static<typeof DatasetOptionsSchema>;

/** A dataset as the API shows it. */
export const DatasetSchema = Type.Object(
  {
    name: DatasetName,
    key: Type.Array(Type.String(), {
      description: 'The fields of the key; none if it is the URL of the page.',
    }),
    records: Type.Integer({ minimum: 0, description: 'Records that are there.' }),
    gone: Type.Integer({ minimum: 0, description: 'Records that were there and are gone.' }),
    bytes: Type.Integer({ minimum: 0, description: 'Size of all records as JSON.' }),
    revision: Type.Integer({
      minimum: 0,
      description:
        'Revision of the last change: the end of the feed. It never falls, not even when the dataset is deleted and created again.',
    }),
    columns: Type.Array(Type.String(), {
      description:
        'Dotted paths of the values that records have had, in the order in which they came up: the columns of its CSV and Parquet.',
    }),
    createdAt: Timestamp(),
    changedAt: Nullable(Timestamp({ description: 'Time of the last change of a record.' })),
  },
  { additionalProperties: false },
);
export type Dataset = Static<typeof DatasetSchema>;

/** Changes of a record. */
export const RECORD_OPS = ['upsert', 'gone'] as const;
export type RecordOp = (typeof RECORD_OPS)[number];

const VERSION_PROPERTIES = {
  revision: Type.Integer({ minimum: 1 }),
  op: OneOf(RECORD_OPS, {
    description:
      '`upsert`: the record is there as shown. `gone`: it is not there any more; `record` is what it was last.',
  }),
  record: ExtractedDataSchema,
  url: Type.String({ description: 'The page that it was found on.' }),
  jobId: Type.String({ description: 'The job that made the change.' }),
  changedAt: Timestamp({ description: 'Time of the change.' }),
};

/** The latest state of a record. */
export const DatasetRecordSchema = Type.Object(
  {
    ...VERSION_PROPERTIES,
    key: Type.String({
      description: 'The value of the key as text; of several fields, a JSON array of their texts.',
    }),
    firstSeen: Timestamp(),
    lastSeen: Timestamp({
      description: 'Time at which it was last found; within a day, if it did not change.',
    }),
  },
  { additionalProperties: false },
);
export type DatasetRecord = Static<typeof DatasetRecordSchema>;

/** One state of a record. */
export const RecordVersionSchema = Type.Object(VERSION_PROPERTIES, { additionalProperties: false });
