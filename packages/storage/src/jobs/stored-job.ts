import type { JobState } from '@gleaner/contracts';
import type { JobDocument } from './job-model.ts';

/** A job as it is stored, under its id. */
export type StoredJob = Omit<JobDocument, '_id' | 'status'> & {
  readonly id: string;
  readonly status: JobState;
};

/** What a document holds. Drafts are asked for by name alone; everybody else gets jobs. */
export function toStoredJob({ _id, status, ...rest }: JobDocument): StoredJob {
  return { id: _id, ...rest, status: status === 'draft' ? 'pending' : status };
}
