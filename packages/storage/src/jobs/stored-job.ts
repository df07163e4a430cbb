import type { DatasetOptions, JobState } from '@gleaner/contracts';
import type { JobDocument } from './job-model.ts';

/** Stored job with its id. */
export type StoredJob = Omit<JobDocument, '_id' | 'status'> & {
  readonly id: string;
  readonly status: JobState;
};

/** Stored job without its options, webhook and events. */
export type JobProgress = Omit<
  StoredJob,
  'optionsJson' | 'crawlJson' | 'webhookJson' | 'rulesJson' | 'events'
>;

/** Converts a document; a job that the API does not show becomes `pending`, since only a few operations come upon one. */
export function toStoredJob({ _id, status, ...rest }: JobDocument): StoredJob {
  return { id: _id, ...rest, status: status === 'draft' || status === 'expired' ? 'pending' : status };
}

/** The dataset of a job, with the id of the dataset of this name at its creation. */
export interface DatasetOfJob extends DatasetOptions {
  readonly id: string;
}

/** Reads the dataset of a job. */
export function datasetOf(datasetJson: string): DatasetOfJob {
  return JSON.parse(datasetJson) as DatasetOfJob;
}
