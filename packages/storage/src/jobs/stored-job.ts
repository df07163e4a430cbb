import type { JobState } from '@gleaner/contracts';
import type { JobDocument } from './job-model.ts';

/** Stored job with its id. */
export type StoredJob = Omit<JobDocument, '_id' | 'status'> & {
  readonly id: string;
  readonly status: JobState;
};

/** Stored job without its options, webhook and events. */
export type JobProgress = Omit<StoredJob, 'optionsJson' | 'crawlJson' | 'webhookJson' | 'events'>;

/** Converts a document; a job that the API does not show becomes `pending`, since only a few operations come upon one. */
export function toStoredJob({ _id, status, ...rest }: JobDocument): StoredJob {
  return { id: _id, ...rest, status: status === 'draft' || status === 'expired' ? 'pending' : status };
}
