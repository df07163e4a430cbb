import { AppError, createId, LIMITS } from '@gleaner/contracts';
import {
  type DatasetDocument,
  nameIdOf,
  type RecordChange,
  type RecordDocument,
  recordIdOf,
} from './dataset-model.ts';
import type { DatasetSteps } from './dataset-steps.ts';
import { type FoundRecord, planBlock, planGone } from './plan-block.ts';

/** The dataset that a job writes to; it may have been deleted. */
export interface DatasetTarget {
  readonly accountId: string;
  readonly name: string;
  readonly datasetId: string;
}

/** Time of a write, quota of the account for all its datasets, and retention of earlier states. */
export interface DatasetKeeping {
  readonly at: Date;
  readonly quotaBytes: number;
  readonly retentionMs: number;
}

/** Changes of a dataset by a job: the revisions after `from` up to `to`. */
export interface DatasetChange {
  readonly from: number;
  readonly to: number;
  /** Records were left out because the dataset is full. */
  readonly isFull: boolean;
}

/** Records of one block, and their bytes: far less than a document or a command may have. */
const MAX_FOUND = 500;
const MAX_BYTES = 4 * 1024 * 1024;
/** Records whose earlier states are in memory at once. */
const MAX_WRITTEN = 50;
const MAX_SCANNED = 2000;
const MAX_GONE = 500;
/** Attempts at a block while other processes write others. */
const MAX_TRIES = 100;
/** Time after the deletion of a dataset in which a write to it may still be under way. */
const RETIRED_MS = 3600_000;
/** Records outlive their job: a run is remembered while it may still write. */
const RUN_GRACE_MS = 30 * 24 * 3600 * 1000;

/**
 * Store of datasets; only the job-orchestrator writes records. Changes are decided in blocks, one after the other: a block is
 * stored in the document of the dataset by one conditional write, and then written to the records. A process that comes upon
 * a block that is not written yet writes it first. docs/decisions/datasets.md explains why nothing is lost or doubled.
 */
export class DatasetStore {
  readonly #steps: DatasetSteps;

  constructor(steps: DatasetSteps) {
    this.#steps = steps;
  }

  /** Throws DATASET_KEY_DIFFERS if the account has a dataset of this name with another key. */
  async requireDatasetKey(
    accountId: string,
    { name, key }: Pick<DatasetDocument, 'name' | 'key'>,
  ): Promise<void> {
    const head = await this.#steps.findHead(accountId, name);
    if (head?.isLive) requireSameKey(head, key);
    else if ((await this.#steps.findHeads(accountId)).length >= LIMITS.maxDatasetsPerAccount) throw tooMany();
  }

  /** Returns the id of a dataset, which is created if it is missing. Throws DATASET_KEY_DIFFERS. */
  async ensureDataset(
    accountId: string,
    { name, key }: Pick<DatasetDocument, 'name' | 'key'>,
    at: Date,
  ): Promise<string> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const head = await this.#steps.findHead(accountId, name);
      if (head?.isLive) {
        requireSameKey(head, key);
        return head.datasetId;
      }
      await this.requireDatasetKey(accountId, { name, key });
      const datasetId = createId('dst');
      const { version = 0, revision = 0 } = head ?? {};
      const fresh = {
        datasetId,
        isLive: true,
        version: version + 1,
        key: [...key],
        columns: [],
        before: revision,
        // Readers that have read nothing of it yet are told from readers of the one before.
        revision: head ? revision + 1 : 0,
        run: 0,
        records: 0,
        gone: 0,
        bytes: 0,
        createdAt: at,
      };
      const isNew = head
        ? await this.#steps.reviveHead(head, fresh)
        : await this.#steps.insertHead({ _id: nameIdOf(accountId, name), accountId, name, ...fresh });
      if (isNew) return datasetId;
    }
    throw busy(name);
  }

  /** Writes found records, durably; can be repeated. Does nothing if the dataset was deleted. */
  async writeRecords(
    target: DatasetTarget,
    found: readonly FoundRecord[],
    keeping: DatasetKeeping,
  ): Promise<void> {
    for (const part of inParts(found)) if (!(await this.#writePart(target, part, keeping))) return;
  }

  /**
   * Marks the records as gone, durably, that a job did not find. Does nothing unless no later job has begun to write: it
   * may have found them.
   */
  async writeGone(
    target: DatasetTarget,
    { jobId, isFound }: { readonly jobId: string; readonly isFound: (recordId: string) => boolean },
    keeping: DatasetKeeping,
  ): Promise<void> {
    let afterId = '';
    for (let tries = 0; tries < MAX_TRIES; ) {
      const head = await this.#settle(target, keeping);
      const run = head && (await this.#steps.findRuns(head.datasetId, [jobId])).get(jobId);
      if (!run || run.run !== head.run) return;
      const present = await this.#steps.findPresent(head.datasetId, { afterId, limit: MAX_SCANNED });
      const missing = present.filter(({ _id, isGone }) => !isGone && !isFound(_id)).slice(0, MAX_GONE);
      if (missing.length > 0) {
        const block = planGone(missing, jobId, { head, at: keeping.at });
        tries = (await this.#write(head, block, keeping)) ? 0 : tries + 1;
        continue;
      }
      if (present.length < MAX_SCANNED) return;
      afterId = present.at(-1)?._id ?? '';
    }
    throw busy(target.name);
  }

  /** Returns the changes since a job began to write; undefined if it never wrote, or the dataset was deleted. */
  async findChange(
    target: DatasetTarget,
    jobId: string,
    keeping: DatasetKeeping,
  ): Promise<DatasetChange | undefined> {
    const head = await this.#settle(target, keeping);
    const run = head && (await this.#steps.findRuns(head.datasetId, [jobId])).get(jobId);
    return run && { from: run.from, to: head.revision, isFull: run.isFull === true };
  }

  /** Deletes a dataset; its records go later. Returns false if the account has none of this name. */
  async removeDataset(accountId: string, name: string, at: Date): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const head = await this.#steps.findHead(accountId, name);
      if (!head?.isLive) return false;
      const revision = head.block?.after.revision ?? head.revision;
      if (await this.#steps.buryHead(head, { revision, at })) return true;
    }
    throw busy(name);
  }

  /** Deletes up to this many documents of deleted datasets; returns their number. */
  async deleteRetired(now: Date, most: number): Promise<number> {
    let deleted = 0;
    for (const { _id, retired = [] } of await this.#steps.findRetired()) {
      for (const { datasetId, at } of retired) {
        deleted += await this.#steps.deleteSomeOf(datasetId, most - deleted);
        if (deleted >= most) return deleted;
        if (now.getTime() - at.getTime() > RETIRED_MS) await this.#steps.dropRetired(_id, datasetId);
      }
    }
    return deleted;
  }

  async #writePart(
    target: DatasetTarget,
    found: readonly FoundRecord[],
    keeping: DatasetKeeping,
  ): Promise<boolean> {
    const { at, quotaBytes } = keeping;
    const { datasetId } = target;
    const ids = [...new Set(found.map(({ key }) => recordIdOf(datasetId, key)))];
    const jobIds = [...new Set(found.map(({ jobId }) => jobId))];
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const head = await this.#settle(target, keeping);
      if (!head) return false;
      const runs = await this.#steps.findRuns(datasetId, jobIds);
      const states = await this.#steps.findStates(ids);
      const numbers = new Map([...runs].map(([jobId, { run }]) => [jobId, run]));
      const maxBytes = quotaBytes - (await this.#bytesBeside(head));
      const { block, seenAgain, fullFor } = planBlock(found, { head, runs: numbers, states, at, maxBytes });
      if (block && !(await this.#write(head, block, keeping))) continue;
      await this.#steps.seeAgain(seenAgain, at);
      await this.#steps.noteFull(datasetId, [...fullFor]);
      return true;
    }
    throw busy(target.name);
  }

  /** Returns a dataset once no block of it waits to be written; undefined if it was deleted. */
  async #settle({ accountId, name, datasetId }: DatasetTarget, keeping: DatasetKeeping) {
    for (;;) {
      const head = await this.#steps.findHead(accountId, name);
      if (!head?.isLive || head.datasetId !== datasetId) return undefined;
      if (!head.block) return head;
      await this.#complete(head, head.block, keeping);
    }
  }

  /** Stores a block and writes it; returns false if the dataset has moved on. */
  async #write(head: DatasetDocument, block: NonNullable<DatasetDocument['block']>, keeping: DatasetKeeping) {
    if (!(await this.#steps.beginBlock(head, block))) return false;
    await this.#complete({ ...head, version: head.version + 1 }, block, keeping);
    return true;
  }

  /** Writes a stored block: runs, then earlier states before the records that replace them, and last the end of the feed. */
  async #complete(
    head: DatasetDocument,
    block: NonNullable<DatasetDocument['block']>,
    { at, retentionMs }: DatasetKeeping,
  ): Promise<void> {
    await this.#steps.insertRuns(head.datasetId, block, new Date(at.getTime() + retentionMs + RUN_GRACE_MS));
    const expiresAt = new Date(at.getTime() + retentionMs);
    for (let first = 0; first < block.changes.length; first += MAX_WRITTEN) {
      await this.#change(block.changes.slice(first, first + MAX_WRITTEN), expiresAt);
    }
    await this.#steps.endBlock(head, block);
  }

  async #change(changes: readonly RecordChange[], expiresAt: Date): Promise<void> {
    const found = await this.#steps.findBefore(changes);
    const known = new Map(found.map((record) => [record._id, record]));
    const isNew = ({ _id }: RecordChange) => !known.has(_id);
    const due = changes.filter(({ _id, set }) => (known.get(_id)?.revision ?? set.revision) < set.revision);
    await this.#steps.keepVersions(
      due.flatMap(({ _id }) => known.get(_id) ?? []),
      expiresAt,
    );
    await this.#steps.insertRecords(changes.filter(isNew).map(toRecord));
    await this.#steps.changeRecords(due);
  }

  async #bytesBeside({ accountId, _id }: DatasetDocument): Promise<number> {
    const heads = await this.#steps.findHeads(accountId);
    return heads.reduce((sum, head) => (head._id === _id ? sum : sum + head.bytes), 0);
  }
}

/** Returns a new record. Only records that are there can be gone, so its change has every field. */
function toRecord({ _id, set }: RecordChange): RecordDocument {
  return { _id, ...set } as RecordDocument;
}

function* inParts(found: readonly FoundRecord[]): Generator<readonly FoundRecord[]> {
  let part: FoundRecord[] = [];
  let bytes = 0;
  for (const record of found) {
    if (part.length > 0 && (part.length >= MAX_FOUND || bytes + record.bytes > MAX_BYTES)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(record);
    bytes += record.bytes;
  }
  if (part.length > 0) yield part;
}

function requireSameKey(
  { name, key }: Pick<DatasetDocument, 'name' | 'key'>,
  wanted: readonly string[],
): void {
  if (JSON.stringify(key) === JSON.stringify(wanted)) return;
  const message = `The records of the dataset "${name}" are told apart by ${describeKey(key)}, and not by ${describeKey(wanted)}.`;
  throw new AppError('DATASET_KEY_DIFFERS', { message, details: [{ path: 'dataset.key', message }] });
}

function describeKey(key: readonly string[]): string {
  return key.length === 0 ? 'the URL of the page' : JSON.stringify(key);
}

function tooMany(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The account has ${LIMITS.maxDatasetsPerAccount} datasets, which is the most that it may have.`,
    suggestion: 'Delete datasets that are no longer needed: DELETE /v1/datasets/:name.',
  });
}

function busy(name: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: `Other processes keep changing the dataset "${name}"; the write was not made.`,
    retryAfterSeconds: 1,
  });
}
