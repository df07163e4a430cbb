import { mongo } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { JobDocument } from './job-model.ts';
import { type StoredJob, toStoredJob } from './stored-job.ts';

/** What a job is made of; it is a draft until its pages are stored. */
export type NewJob = Pick<
  JobDocument,
  'accountId' | 'keyId' | 'name' | 'totalUrls' | 'optionsJson' | 'createdAt'
> &
  Partial<Pick<JobDocument, 'webhookJson' | 'scheduleId' | 'idempotency'>> & { readonly id: string };

/** What a draft turned out to be: this job, now or from an earlier try, or another with the same idempotency key. */
export interface Draft {
  readonly job: Omit<StoredJob, 'status'>;
  readonly isDraft: boolean;
}

/** How jobs begin: as drafts, which nobody is shown before they are published. Part of the store of jobs. */
export function draftOperations(jobs: mongo.Collection<JobDocument>) {
  /** The indexes of those whose id or idempotency key is taken. */
  async function insertAll(documents: JobDocument[]): Promise<ReadonlySet<number>> {
    try {
      await jobs.insertMany(documents, { ordered: false, writeConcern: WRITE_CONCERNS.durable });
      return new Set();
    } catch (error) {
      if (!isDuplicateKey(error) || !(error instanceof mongo.MongoBulkWriteError)) throw error;
      return new Set([error.writeErrors].flat().map(({ index }) => index));
    }
  }

  async function findEarlier({ id, accountId, idempotency }: NewJob): Promise<Draft> {
    const same = await jobs.findOne({ _id: id });
    const earlier =
      same ??
      (idempotency && (await jobs.findOne({ accountId, 'idempotency.key': { $eq: idempotency.key } })));
    if (!earlier) throw new Error(`What the draft ${id} collided with is gone.`);
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
    const named = { _id: { $in: [...ids] } };
    await jobs.updateMany({ ...named, status: 'draft' }, { $set: { status: 'pending' } });
    const documents = await jobs.find(named).toArray();
    return documents.map(toStoredJob);
  }

  return {
    /** Begins jobs, or finds what earlier commands with their ids or idempotency keys have begun; in their order. */
    insertDrafts,

    /** Makes drafts jobs: from now on they are shown and worked on. Those that are gone are left out; once more changes nothing. */
    publishDrafts,

    /** Begins one job, or finds what an earlier command with its id or its idempotency key has begun. */
    async insertDraft(job: NewJob): Promise<Draft> {
      const [draft] = await insertDrafts([job]);
      return draft as Draft;
    },

    /** Makes one draft a job. Null when it is gone; once more changes nothing. */
    async publishDraft(id: string): Promise<StoredJob | null> {
      const [job = null] = await publishDrafts([id]);
      return job;
    },

    /** Lets an idempotency key be used for another job. */
    async forgetIdempotency(id: string): Promise<void> {
      await jobs.updateOne({ _id: id }, { $unset: { idempotency: 1 } });
    },

    /** Ends a draft that was never published. */
    async deleteDraft(id: string): Promise<void> {
      await jobs.deleteOne({ _id: id, status: 'draft' });
    },
  };
}

function toDocument({ id, ...fields }: NewJob): JobDocument {
  return {
    _id: id,
    ...fields,
    status: 'draft',
    completedUrls: 0,
    failedUrls: 0,
    creditsUsed: 0,
    checkedAt: fields.createdAt,
    events: [],
  };
}
