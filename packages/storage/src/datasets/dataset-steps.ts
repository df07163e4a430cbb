import type { Model, mongo } from 'mongoose';
import { deleteSome } from '../database/delete-some.ts';
import { guarded } from '../database/guarded.ts';
import { insertMissing } from '../database/insert-missing.ts';
import { type DriverCollection, driverCollection } from '../document-schema.ts';
import {
  type Block,
  below,
  type DatasetDocument,
  type DatasetRunDocument,
  nameIdOf,
  type RecordChange,
  type RecordDocument,
  type RecordVersionDocument,
  versionIdOf,
} from './dataset-model.ts';
import type { RecordState } from './plan-block.ts';

export type DatasetSteps = ReturnType<typeof createDatasetSteps>;

/** Models of datasets. */
interface DatasetModels {
  readonly datasets: Model<DatasetDocument>;
  readonly records: Model<RecordDocument>;
  readonly recordVersions: Model<RecordVersionDocument>;
  readonly datasetRuns: Model<DatasetRunDocument>;
}

/** Creates the atomic steps of writing datasets; a process may die between any two of them. */
export function createDatasetSteps({ datasets, records, recordVersions, datasetRuns }: DatasetModels) {
  return {
    ...guarded(new DatasetHeads(driverCollection(datasets))),
    ...guarded(new DatasetRecords(driverCollection(records), driverCollection(recordVersions))),
    ...guarded(new DatasetRuns(driverCollection(datasetRuns))),
  };
}

const MAX_RETIRED = 10_000;
const WITHOUT_BLOCK = { block: 0 } as const;
/** State of a dataset by which a write was decided. */
type Seen = Pick<DatasetDocument, '_id' | 'datasetId' | 'version'>;

/** Documents of datasets. Each write is conditional on the version that it was decided by. */
class DatasetHeads {
  readonly #datasets: DriverCollection<DatasetDocument>;

  constructor(datasets: DriverCollection<DatasetDocument>) {
    this.#datasets = datasets;
  }

  /** Returns the dataset that has this name, or had it last. */
  async findHead(accountId: string, name: string): Promise<DatasetDocument | null> {
    return await this.#datasets.findOne({ _id: nameIdOf(accountId, name) });
  }

  /** Returns the datasets of an account by name, without the blocks that are being written. */
  async findHeads(accountId: string): Promise<DatasetDocument[]> {
    const options = { projection: WITHOUT_BLOCK, sort: { name: 1 } as const };
    const found = await this.#datasets.find({ accountId: { $eq: accountId } }, options).toArray();
    return found.filter(({ isLive }) => isLive);
  }

  /** Inserts the first dataset of a name; returns false if there is one. */
  async insertHead(head: DatasetDocument): Promise<boolean> {
    return (await insertMissing(this.#datasets, [head])) === 1;
  }

  /** Gives the name of a deleted dataset to a new one; returns false if another one has it. */
  async reviveHead({ _id, datasetId, version }: Seen, fresh: Partial<DatasetDocument>): Promise<boolean> {
    const { matchedCount } = await this.#datasets.updateOne(
      { _id, datasetId, version, isLive: false },
      { $set: fresh, $unset: { changedAt: 1 } },
    );
    return matchedCount === 1;
  }

  /** Stores a decided block, the one point at which it takes effect; returns false if the dataset has moved on. */
  async beginBlock({ _id, datasetId, version }: Seen, block: Block): Promise<boolean> {
    const { matchedCount } = await this.#datasets.updateOne(
      { _id, datasetId, version, isLive: true, block: { $exists: false } },
      { $set: { block, version: version + 1 } },
    );
    return matchedCount === 1;
  }

  /** Moves the end of the feed behind a block that is written. */
  async endBlock({ _id, datasetId, version }: Seen, { after, columns, changes, at }: Block): Promise<void> {
    await this.#datasets.updateOne(
      { _id, datasetId, version, block: { $exists: true } },
      {
        $set: { ...after, columns: [...columns], ...(changes.length > 0 && { changedAt: at }) },
        $unset: { block: 1 },
      },
    );
  }

  /** Deletes a dataset but for its records; returns false if it has moved on. */
  async buryHead(
    { _id, datasetId, version }: Seen,
    last: { readonly revision: number; readonly at: Date },
  ): Promise<boolean> {
    const { revision, at } = last;
    const { matchedCount } = await this.#datasets.updateOne(
      { _id, datasetId, version, isLive: true },
      {
        $set: { isLive: false, version: version + 1, revision, records: 0, gone: 0, bytes: 0 },
        $unset: { block: 1 },
        $push: { retired: { datasetId, at } },
      },
    );
    return matchedCount === 1;
  }

  /** Returns the names with deleted datasets, as a rule those of the last hour. */
  async findRetired(): Promise<Pick<DatasetDocument, '_id' | 'retired'>[]> {
    return await this.#datasets
      .find({ 'retired.at': { $exists: true } }, { projection: { retired: 1 } })
      .limit(MAX_RETIRED)
      .toArray();
  }

  /** Forgets a deleted dataset, of which nothing is left. */
  async dropRetired(_id: string, datasetId: string): Promise<void> {
    await this.#datasets.updateOne({ _id }, { $pull: { retired: { datasetId } } });
  }
}

const STATE = {
  hash: 1,
  bytes: 1,
  isGone: 1,
  run: 1,
  index: 1,
  attempt: 1,
  firstSeen: 1,
  lastSeen: 1,
} as const;

/** Records and their earlier states. */
class DatasetRecords {
  readonly #records: DriverCollection<RecordDocument>;
  readonly #versions: DriverCollection<RecordVersionDocument>;

  constructor(records: DriverCollection<RecordDocument>, versions: DriverCollection<RecordVersionDocument>) {
    this.#records = records;
    this.#versions = versions;
  }

  /** Returns the states of records, by id. */
  async findStates(ids: readonly string[]): Promise<ReadonlyMap<string, RecordState>> {
    const found = await this.#records
      .find({ _id: { $in: [...ids] } })
      .project<RecordState>(STATE)
      .toArray();
    return new Map(found.map((state) => [state._id, state]));
  }

  /** Returns the records that have changes still to be written. */
  async findBefore(changes: readonly RecordChange[]): Promise<RecordDocument[]> {
    return await this.#records.find({ _id: { $in: changes.map(({ _id }) => _id) } }).toArray();
  }

  /** Keeps the states that records had before their changes. */
  async keepVersions(records: readonly RecordDocument[], expiresAt: Date): Promise<void> {
    const versions = records.map(({ _id, revision, json, isGone, url, jobId, changedAt }) => ({
      _id: versionIdOf(_id, revision),
      revision,
      json,
      isGone,
      url,
      jobId,
      changedAt,
      expiresAt,
    }));
    await insertMissing(this.#versions, versions);
  }

  /** Inserts new records; existing ones stay as they are. */
  async insertRecords(records: readonly RecordDocument[]): Promise<void> {
    await insertMissing(this.#records, records);
  }

  /** Changes records, each unless it has this change or a later one. */
  async changeRecords(changes: readonly RecordChange[]): Promise<void> {
    if (changes.length === 0) return;
    const operations = changes.map(({ _id, set }) => ({
      updateOne: { filter: { _id, revision: { $lt: set.revision } }, update: { $set: set } },
    }));
    await this.#records.bulkWrite(operations as mongo.AnyBulkWriteOperation<RecordDocument>[], {
      ordered: false,
    });
  }

  /** Notes that records were found again as they were. */
  async seeAgain(ids: readonly string[], at: Date): Promise<void> {
    if (ids.length === 0) return;
    await this.#records.updateMany({ _id: { $in: [...ids] } }, { $max: { lastSeen: at } });
  }

  /** Returns the ids of some records that are there, in order. */
  async findPresent(datasetId: string, part: { readonly afterId: string; readonly limit: number }) {
    const { afterId, limit } = part;
    const ids = afterId === '' ? below(datasetId) : { $gt: afterId, $lt: below(datasetId).$lt };
    return await this.#records
      .find({ _id: ids })
      .project<Pick<RecordDocument, '_id' | 'isGone'>>({ isGone: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }

  /** Deletes up to this many documents of a dataset; returns their number. */
  async deleteSomeOf(datasetId: string, most: number): Promise<number> {
    const records = await deleteSome(this.#records, { _id: below(datasetId) }, most);
    return records > 0 ? records : await deleteSome(this.#versions, { _id: below(datasetId) }, most);
  }
}

/** Runs that have written to datasets. */
class DatasetRuns {
  readonly #runs: DriverCollection<DatasetRunDocument>;

  constructor(runs: DriverCollection<DatasetRunDocument>) {
    this.#runs = runs;
  }

  /** Returns the runs of jobs that have begun to write to a dataset, by job. */
  async findRuns(
    datasetId: string,
    jobIds: readonly string[],
  ): Promise<ReadonlyMap<string, DatasetRunDocument>> {
    const found = await this.#runs
      .find({ _id: { $in: jobIds.map((jobId) => `${datasetId}/${jobId}`) } })
      .toArray();
    return new Map(found.map((run) => [run.jobId, run]));
  }

  /** Stores the runs that a block has numbered. */
  async insertRuns(datasetId: string, { openings }: Block, expiresAt: Date): Promise<void> {
    const runs = openings.map((opening) => ({ _id: `${datasetId}/${opening.jobId}`, ...opening, expiresAt }));
    await insertMissing(this.#runs, runs);
  }

  /** Notes that records of these jobs did not fit. */
  async noteFull(datasetId: string, jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    const ids = jobIds.map((jobId) => `${datasetId}/${jobId}`);
    await this.#runs.updateMany({ _id: { $in: ids } }, { $set: { isFull: true } });
  }
}
