import { mongo } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
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
      | 'webhookJson'
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

/** Returns the operations of the job store on drafts, which the API does not show until they are published. */
export function draftOperations(jobs: mongo.Collection<JobDocument>, confirmWrites: () => Promise<void>) {
  /** Inserts documents; returns the indexes of those whose id or idempotency key exists already. */
  async function insertAll(documents: JobDocument[]): Promise<ReadonlySet<number>> {
    try {
      await jobs.insertMany(documents, { ordered: false, writeConcern: WRITE_CONCERNS.durable });
      return new Set();
    } catch (error) {
      if (!isDuplicateKey(error) || !(error instanceof mongo.MongoBulkWriteError)) throw error;
      await confirmWrites();
      return new Set([error.writeErrors].flat().map(({ index }) => index));
    }
  }

  async function findEarlier({ id, accountId, idempotency }: NewJob): Promise<Draft> {
    const same = await jobs.findOne({ _id: id });
    const earlier =
      same ??
      (idempotency && (await jobs.findOne({ accountId, 'idempotency.key': { $eq: idempotency.key } })));
    if (!earlier) throw new Error(`The job that the draft ${id} collided with is gone.`);
    return { job: toStoredJob(earlier), isDraft: earlier.status === 'draft' };
  }

  async function insertDrafts(newJobs: readonly NewJob[]): Promise<Draft[]> {
    if (newJobs.length === 0) return [];
    const documents = newJobs.map(toDocument);
    const taken = await insertAll(documents);
    return await Promise.all(
      newJobs.map(async (job, index) =>
        taken.has(index) ? await findEarlier(job) : { job: toStoredJob(toDocument(job)), isDraft: true },
      ),
    );
  }

  async function publishDrafts(ids: readonly string[]): Promise<StoredJob[]> {
    if (ids.length === 0) return [];
    const named = { _id: { $in: [...ids] } };
    await jobs.updateMany({ ...named, status: 'draft' }, { $set: { status: 'pending' } });
    const documents = await jobs.find({ ...named, status: { $nin: ['draft', 'expired'] } }).toArray();
    return documents.map(toStoredJob);
  }

  return {
    /** Inserts drafts, or finds the jobs of earlier commands with the same ids or idempotency keys; in the order given. */
    insertDrafts,

    /** Publishes drafts as jobs, which are then shown and worked on; idempotent. Returns them without missing ones. */
    publishDrafts,

    /** Inserts one draft, or finds the job of an earlier command with the same id or idempotency key. */
    async insertDraft(job: NewJob): Promise<Draft> {
      const [draft] = await insertDrafts([job]);
      return draft as Draft;
    },

    /** Removes the idempotency key of a job, so that another job can use it. */
    async forgetIdempotency(id: string): Promise<void> {
      await jobs.updateOne({ _id: id }, { $unset: { idempotency: 1 } });
    },

    /** Has a draft deleted that was never published. */
    async abandonDraft(id: string, now: Date): Promise<void> {
      await jobs.updateOne(
        { _id: id, status: 'draft' },
        { $set: { status: 'expired', retainedUntil: now }, $unset: UNSET_ON_EXPIRY },
      );
    },
  };
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
