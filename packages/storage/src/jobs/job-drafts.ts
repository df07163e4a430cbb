import { mongo } from 'mongoose';
import { confirmWrites } from '../database/confirm-writes.ts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { DriverCollection } from '../document-schema.ts';
import type { JobDocument } from './job-model.ts';
import { UNSET_ON_EXPIRY } from './job-queries.ts';
import { searchTermsOf } from './job-search.ts';
import { type StoredJob, toStoredJob } from './stored-job.ts';

/** Fields of a new job, which is a draft until its pages are stored. */
export type NewJob = Pick<
  JobDocument,
  'accountId' | 'keyId' | 'name' | 'totalUrls' | 'optionsJson' | 'createdAt'
> &
  Partial<
    Pick<
      JobDocument,
      | 'hosts'
      | 'distinctUrls'
      | 'crawlJson'
      | 'crawl'
      | 'budget'
      | 'credentialOrigins'
      | 'hasRequests'
      | 'datasetJson'
      | 'sinkJson'
      | 'webhookJson'
      | 'rulesJson'
      | 'scheduleId'
      | 'rerunOf'
      | 'traceparent'
      | 'extractOf'
      | 'idempotency'
      | 'resultBatches'
    >
  > & {
    readonly id: string;
  };

/**
 * Result of inserting a draft: this job, from now or from an earlier attempt, or another one with the same idempotency
 * key.
 */
export interface Draft {
  readonly job: Omit<StoredJob, 'status'>;
  readonly isDraft: boolean;
}

/** Store of drafts of jobs, which the API does not show until they are published. */
export class JobDrafts {
  readonly #jobs: DriverCollection<JobDocument>;

  constructor(jobs: DriverCollection<JobDocument>) {
    this.#jobs = jobs;
  }

  /** Inserts drafts, or finds the jobs of earlier commands with the same ids or idempotency keys; in the order given. */
  async insertDrafts(newJobs: readonly NewJob[]): Promise<Draft[]> {
    if (newJobs.length === 0) return [];
    const documents = newJobs.map(toDocument);
    const taken = await this.#insertAll(documents);
    return await Promise.all(
      newJobs.map(async (job, index) =>
        taken.has(index)
          ? await this.#findEarlier(job)
          : { job: toStoredJob(toDocument(job)), isDraft: true },
      ),
    );
  }

  /** Publishes drafts as jobs, which are then shown and worked on; idempotent. Returns them without missing ones. */
  async publishDrafts(ids: readonly string[]): Promise<StoredJob[]> {
    if (ids.length === 0) return [];
    const named = { _id: { $in: [...ids] } };
    await this.#jobs.updateMany({ ...named, status: 'draft' }, { $set: { status: 'pending' } });
    const documents = await this.#jobs.find({ ...named, status: { $nin: ['draft', 'expired'] } }).toArray();
    return documents.map(toStoredJob);
  }

  /** Inserts one draft, or finds the job of an earlier command with the same id or idempotency key. */
  async insertDraft(job: NewJob): Promise<Draft> {
    const [draft] = await this.insertDrafts([job]);
    return draft as Draft;
  }

  /** Removes the idempotency key of a job, so that another job can use it. */
  async forgetIdempotency(id: string): Promise<void> {
    await this.#jobs.updateOne({ _id: id }, { $unset: { idempotency: 1 } });
  }

  /** Has a draft deleted that was never published. */
  async abandonDraft(id: string, now: Date): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id, status: 'draft' },
      { $set: { status: 'expired', retainedUntil: now }, $unset: UNSET_ON_EXPIRY },
    );
  }

  /** Inserts documents; returns the indexes of documents with an existing id or idempotency key. */
  async #insertAll(documents: JobDocument[]): Promise<ReadonlySet<number>> {
    try {
      await this.#jobs.insertMany(documents, { ordered: false, writeConcern: WRITE_CONCERNS.durable });
      return new Set();
    } catch (error) {
      if (!isDuplicateKey(error) || !(error instanceof mongo.MongoBulkWriteError)) throw error;
      await confirmWrites(this.#jobs.conn);
      return new Set([error.writeErrors].flat().map(({ index }) => index));
    }
  }

  async #findEarlier({ id, accountId, idempotency }: NewJob): Promise<Draft> {
    const same = await this.#jobs.findOne({ _id: id });
    const earlier =
      same ??
      (idempotency && (await this.#jobs.findOne({ accountId, 'idempotency.key': { $eq: idempotency.key } })));
    if (!earlier) throw new Error(`The job that the draft ${id} collided with is gone.`);
    return { job: toStoredJob(earlier), isDraft: earlier.status === 'draft' };
  }
}

function toDocument({ id, ...fields }: NewJob): JobDocument {
  return {
    _id: id,
    ...fields,
    searchTerms: searchTermsOf(fields.name, fields.hosts ?? []),
    status: 'draft',
    completedUrls: 0,
    failedUrls: 0,
    creditsUsed: 0,
    checkedAt: fields.createdAt,
    events: [],
  };
}
