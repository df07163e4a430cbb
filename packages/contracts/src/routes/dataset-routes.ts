import { DatasetRecordSchema, DatasetSchema, RECORD_OPS, RecordVersionSchema } from '../jobs/dataset.ts';
import { LIMITS } from '../limits.ts';
import { OneOf, Timestamp } from '../map-of.ts';
import { Type } from '../type.ts';
import { succeeded } from './envelopes.ts';
import type { RouteDefinition } from './route.ts';

/** Formats in which records can be streamed. */
const RECORD_FORMATS = ['json', 'ndjson', 'csv', 'parquet'] as const;

/** Routes of datasets: the tables that jobs, crawls and schedules keep. */
export const DATASET_ROUTES = {
  listDatasets: {
    method: 'get',
    path: '/v1/datasets',
    summary: 'List the datasets of the account, by name',
    tag: 'Datasets',
    scope: 'jobs',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ datasets: Type.Array(DatasetSchema) }),
    errors: [],
  },
  getDataset: {
    method: 'get',
    path: '/v1/datasets/{name}',
    summary: 'Get a dataset',
    tag: 'Datasets',
    scope: 'jobs',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ dataset: DatasetSchema }),
    errors: ['DATASET_NOT_FOUND'],
  },
  listRecords: {
    method: 'get',
    path: '/v1/datasets/{name}/records',
    summary: 'Read the records of a dataset, or what has changed since a revision',
    description:
      'The latest state of each record that has changed after the revision `since`, in the order of the revisions. Give `next` as `since` to read on, at once while `hasMore`, or later: nothing is missed, also while jobs write. `csv`, `parquet` and `ndjson` stream all of them, without `since` the whole table of the records that are there.',
    tag: 'Datasets',
    scope: 'jobs',
    rateLimit: 'read',
    query: Type.Object(
      {
        since: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The last revision that was read; 0 reads from the beginning. Default 0.',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: LIMITS.maxRecordsPerPage,
            description: 'Number of records. Default 100; csv, parquet and ndjson have all without it.',
          }),
        ),
        format: Type.Optional(OneOf(RECORD_FORMATS, { description: 'Default json.' })),
        op: Type.Optional(
          OneOf(RECORD_OPS, { description: 'Only records that are there, or only those that are gone.' }),
        ),
        changedAfter: Type.Optional(
          Timestamp({ description: 'Only records that changed at this time or later.' }),
        ),
      },
      { additionalProperties: false },
    ),
    status: 200,
    response: succeeded({
      records: Type.Array(DatasetRecordSchema),
      next: Type.Integer({ minimum: 0, description: 'Give it as `since` to read on.' }),
      hasMore: Type.Boolean({ description: 'True if there are more already.' }),
    }),
    mediaTypes: {
      'application/x-ndjson': 'One record per line, as in JSON.',
      'text/csv':
        'RFC 4180 with a header line: a column for each of the `columns` of the dataset, then `_key`, `_op`, `_revision`, `_firstSeen`, `_lastSeen`, `_url`, `_jobId`. Lists are JSON.',
      'application/vnd.apache.parquet':
        'The columns of the CSV, with types: numbers DOUBLE, booleans BOOLEAN, times TIMESTAMP, texts and everything else UTF8. The type of a column follows from all of its values; where they differ, each is JSON.',
    },
    responseHeaders: ['Content-Disposition'],
    errors: ['DATASET_NOT_FOUND', 'REVISION_GONE'],
  },
  getRecordHistory: {
    method: 'get',
    path: '/v1/datasets/{name}/records/{key}/history',
    summary: 'Show how a record has changed',
    description:
      'The states of the record with this key, newest first: the present one, and up to 99 earlier ones for as long as jobs are kept. The key is percent-encoded.',
    tag: 'Datasets',
    scope: 'jobs',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ key: Type.String(), history: Type.Array(RecordVersionSchema) }),
    errors: ['DATASET_NOT_FOUND', 'RECORD_NOT_FOUND'],
  },
  deleteDataset: {
    method: 'delete',
    path: '/v1/datasets/{name}',
    summary: 'Delete a dataset with all its records, permanently',
    description:
      'Jobs that are running write to it no more. The next job that names it begins a new one, which readers of the old one are told by REVISION_GONE.',
    tag: 'Datasets',
    scope: 'jobs',
    rateLimit: 'create',
    status: 204,
    errors: ['DATASET_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
