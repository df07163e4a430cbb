import { createHash } from 'node:crypto';
import { Schema } from 'mongoose';
import { documentSchema } from '../document-schema.ts';

/** A change of a record, as it is written. A record that is gone keeps what it was last. */
export interface RecordChange {
  readonly _id: string;
  readonly set: Pick<
    RecordDocument,
    'revision' | 'isGone' | 'changedAt' | 'jobId' | 'run' | 'index' | 'attempt'
  > &
    Partial<
      Pick<RecordDocument, 'datasetId' | 'key' | 'json' | 'hash' | 'bytes' | 'url' | 'firstSeen' | 'lastSeen'>
    >;
}

/** A job that begins to write to a dataset: the number of its run, and the revision before its first change. */
export interface RunOpening {
  readonly jobId: string;
  readonly run: number;
  readonly from: number;
}

/** Numbers of a dataset, all of which one block of changes moves at once. */
export interface DatasetNumbers {
  /** Revision of the last change. */
  readonly revision: number;
  /** Number of the last run that began. */
  readonly run: number;
  readonly records: number;
  readonly gone: number;
  readonly bytes: number;
}

/**
 * Decided changes of a dataset, written one after the other. Any process that comes upon a block can write it to its end: every
 * step can be repeated, and none takes effect after the dataset has moved on.
 */
export interface Block {
  readonly changes: readonly RecordChange[];
  readonly openings: readonly RunOpening[];
  readonly columns: readonly string[];
  readonly at: Date;
  /** Numbers once it is written. */
  readonly after: DatasetNumbers;
}

/** A dataset of an account: one document for each name, which outlives the deletion of the dataset, so that revisions never repeat. */
export interface DatasetDocument extends DatasetNumbers {
  /** Id of the account, and the name. */
  readonly _id: string;
  readonly accountId: string;
  readonly name: string;
  /** Id of the dataset that has the name now, or had it last. */
  readonly datasetId: string;
  readonly isLive: boolean;
  /** Rises with every block and with deletion: a write that was decided by an older state fails. */
  readonly version: number;
  readonly key: string[];
  readonly columns: string[];
  /** Last revision of the datasets before that had the name. */
  readonly before: number;
  readonly createdAt: Date;
  readonly changedAt?: Date;
  readonly block?: Block;
  /** Deleted datasets whose records are not deleted yet. */
  readonly retired?: RetiredDataset[];
}

/** A deleted dataset, and the time of its deletion. */
export interface RetiredDataset {
  readonly datasetId: string;
  readonly at: Date;
}

/** Latest state of a record. Its id consists of those of its dataset and of its key. */
export interface RecordDocument {
  readonly _id: string;
  readonly datasetId: string;
  readonly key: string;
  readonly json: string;
  readonly hash: string;
  readonly bytes: number;
  readonly isGone: boolean;
  readonly revision: number;
  /** The page, the job and the place in it that the state comes from: what a job found later, or a later job, counts. */
  readonly url: string;
  readonly jobId: string;
  readonly run: number;
  readonly index: number;
  readonly attempt: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly changedAt: Date;
}

/** Earlier state of a record; its id is that of the record with the revision. */
export interface RecordVersionDocument
  extends Pick<RecordDocument, 'json' | 'isGone' | 'url' | 'jobId' | 'changedAt'> {
  readonly _id: string;
  readonly revision: number;
  /** Time from which the server may delete it. */
  readonly expiresAt: Date;
}

/** Job that has written to a dataset; its id consists of theirs. */
export interface DatasetRunDocument extends RunOpening {
  readonly _id: string;
  /** Records that were left out because the dataset is full. */
  readonly isFull?: boolean;
  /** Time from which the server may delete it: the job is long over. */
  readonly expiresAt: Date;
}

export const datasetSchema = documentSchema<DatasetDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  name: { type: String, required: true },
  datasetId: { type: String, required: true },
  isLive: { type: Boolean, required: true },
  version: { type: Number, required: true },
  key: { type: [String], required: true },
  columns: { type: [String], required: true },
  before: { type: Number, required: true },
  revision: { type: Number, required: true },
  run: { type: Number, required: true },
  records: { type: Number, required: true },
  gone: { type: Number, required: true },
  bytes: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  changedAt: Date,
  block: { type: Schema.Types.Mixed },
  retired: { type: [{ _id: false, datasetId: String, at: Date }], default: undefined },
});
datasetSchema.index({ accountId: 1, name: 1 });
datasetSchema.index({ 'retired.at': 1 }, { partialFilterExpression: { 'retired.at': { $exists: true } } });

export const recordSchema = documentSchema<RecordDocument>({
  _id: { type: String, required: true },
  datasetId: { type: String, required: true },
  key: { type: String, required: true },
  json: { type: String, required: true },
  hash: { type: String, required: true },
  bytes: { type: Number, required: true },
  isGone: { type: Boolean, required: true },
  revision: { type: Number, required: true },
  url: { type: String, required: true },
  jobId: { type: String, required: true },
  run: { type: Number, required: true },
  index: { type: Number, required: true },
  attempt: { type: Number, required: true },
  firstSeen: { type: Date, required: true },
  lastSeen: { type: Date, required: true },
  changedAt: { type: Date, required: true },
});
recordSchema.index({ datasetId: 1, revision: 1 });

export const recordVersionSchema = documentSchema<RecordVersionDocument>({
  _id: { type: String, required: true },
  json: { type: String, required: true },
  isGone: { type: Boolean, required: true },
  revision: { type: Number, required: true },
  url: { type: String, required: true },
  jobId: { type: String, required: true },
  changedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
recordVersionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const datasetRunSchema = documentSchema<DatasetRunDocument>({
  _id: { type: String, required: true },
  jobId: { type: String, required: true },
  run: { type: Number, required: true },
  from: { type: Number, required: true },
  isFull: Boolean,
  expiresAt: { type: Date, required: true },
});
datasetRunSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Returns the id of the document of a name. */
export function nameIdOf(accountId: string, name: string): string {
  return `${accountId} ${name}`;
}

/** Returns the id of a record: keys may be long and hold anything. */
export function recordIdOf(datasetId: string, key: string): string {
  return `${datasetId}/${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;
}

/** Returns the id of a state of a record; those of one record sort by revision. */
export function versionIdOf(recordId: string, revision: number): string {
  return `${recordId}/${String(revision).padStart(16, '0')}`;
}

/** Returns the range of the ids below an id and a slash (`0` is the character after `/`). */
export function below(id: string): { readonly $gte: string; readonly $lt: string } {
  return { $gte: `${id}/`, $lt: `${id}0` };
}
