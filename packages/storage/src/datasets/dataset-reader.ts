import { AppError, type RecordOp } from '@gleaner/contracts';
import type { Model, mongo } from 'mongoose';
import { bounded } from '../database/guarded.ts';
import { type DriverCollection, driverCollection } from '../document-schema.ts';
import {
  below,
  type DatasetDocument,
  nameIdOf,
  type RecordDocument,
  type RecordVersionDocument,
  recordIdOf,
} from './dataset-model.ts';

/** A dataset as it is read. */
export type StoredDataset = Omit<DatasetDocument, '_id' | 'block' | 'retired' | 'version' | 'run'>;
/** A record as it is read. */
export type StoredRecord = Omit<
  RecordDocument,
  '_id' | 'datasetId' | 'hash' | 'bytes' | 'run' | 'index' | 'attempt'
>;
/** A state of a record as it is read. */
export type StoredVersion = Omit<RecordVersionDocument, '_id' | 'expiresAt'>;

/** Choice of records. */
export interface RecordChoice {
  readonly op?: RecordOp | undefined;
  readonly changedAfter?: Date | undefined;
}

/** Records that are in memory at once, of up to 64 KiB each. */
const BATCH = 100;
const SHOWN = {
  key: 1,
  json: 1,
  isGone: 1,
  revision: 1,
  url: 1,
  jobId: 1,
  firstSeen: 1,
  lastSeen: 1,
  changedAt: 1,
} as const;

/** Reader of datasets; each of its operations is bounded by itself. */
export class DatasetReader {
  readonly #datasets: DriverCollection<DatasetDocument>;
  readonly #records: DriverCollection<RecordDocument>;
  readonly #versions: DriverCollection<RecordVersionDocument>;

  constructor(models: {
    readonly datasets: Model<DatasetDocument>;
    readonly records: Model<RecordDocument>;
    readonly recordVersions: Model<RecordVersionDocument>;
  }) {
    this.#datasets = driverCollection(models.datasets);
    this.#records = driverCollection(models.records);
    this.#versions = driverCollection(models.recordVersions);
  }

  /** Returns the dataset of a name, which may be deleted, or null. */
  async findDataset(accountId: string, name: string): Promise<StoredDataset | null> {
    const options = { projection: { block: 0, retired: 0 } as const };
    return await bounded(() => this.#datasets.findOne({ _id: nameIdOf(accountId, name) }, options));
  }

  /** Returns the datasets of an account by name. */
  async listDatasets(accountId: string): Promise<StoredDataset[]> {
    const options = { projection: { block: 0, retired: 0 } as const, sort: { name: 1 } as const };
    const found = await bounded(() =>
      this.#datasets.find({ accountId: { $eq: accountId } }, options).toArray(),
    );
    return found.filter(({ isLive }) => isLive);
  }

  /** Yields the records that have changed after a revision, in the order of revisions, up to the end of the feed. */
  async *readFeed(
    { datasetId, revision }: Pick<DatasetDocument, 'datasetId' | 'revision'>,
    { since, ...choice }: RecordChoice & { readonly since: number },
  ): AsyncGenerator<StoredRecord> {
    const filter = { datasetId, revision: { $gt: since, $lte: revision }, ...filterOf(choice) };
    yield* this.#read(filter, { revision: 1 });
  }

  /** Yields each record once, as it is when its turn comes. */
  async *readTable(
    { datasetId }: Pick<DatasetDocument, 'datasetId'>,
    choice: RecordChoice,
  ): AsyncGenerator<StoredRecord> {
    yield* this.#read({ _id: below(datasetId), ...filterOf(choice) }, { _id: 1 });
  }

  /** Returns the states of a record, newest first; null if there is no such record. */
  async findHistory(datasetId: string, key: string, limit: number): Promise<StoredVersion[] | null> {
    const _id = recordIdOf(datasetId, key);
    const now = await bounded(() => this.#records.findOne({ _id }));
    if (!now) return null;
    const earlier = await bounded(() =>
      this.#versions
        .find({ _id: below(_id) })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray(),
    );
    // The record may have changed between the two reads.
    return [now, ...earlier.filter(({ revision }) => revision < now.revision)].slice(0, limit);
  }

  async *#read(filter: mongo.Filter<RecordDocument>, sort: mongo.Sort): AsyncGenerator<StoredRecord> {
    const cursor = this.#records.find(filter, { batchSize: BATCH }).project<StoredRecord>(SHOWN).sort(sort);
    try {
      for (;;) {
        const record = await bounded(() => cursor.next());
        if (!record) return;
        yield record;
      }
    } finally {
      await cursor.close();
    }
  }
}

/** Throws REVISION_GONE for a revision of a deleted dataset of this name, or of a lost state of this one. */
export function requireRevision(
  { name, before, revision, isLive }: Pick<StoredDataset, 'name' | 'before' | 'revision' | 'isLive'>,
  since: number,
): void {
  if (since === 0 || (isLive && since > before && since <= revision)) return;
  const message =
    since > revision
      ? `The dataset "${name}" ends at revision ${revision}.`
      : `The dataset "${name}" was deleted after revision ${since} was read.`;
  throw new AppError('REVISION_GONE', { message });
}

function filterOf({ op, changedAfter }: RecordChoice): mongo.Filter<RecordDocument> {
  return {
    ...(op && { isGone: op === 'gone' }),
    ...(changedAfter && { changedAt: { $gte: changedAfter } }),
  };
}
