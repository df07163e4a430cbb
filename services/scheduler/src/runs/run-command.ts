import { type CreateJobCommand, defined, type Job, urlsOf } from '@gleaner/contracts';
import type { StoredSchedule } from '@gleaner/storage';

/** Creates a job, once per id; throws when it is rejected or its outcome is unknown. */
export type CreateJob = (command: CreateJobCommand, signal: AbortSignal) => Promise<Job>;

/** Returns the command that creates a run of the schedule: a job of its URLs, or a crawl from them. */
export function runCommand(
  { id, accountId, settings }: Pick<StoredSchedule, 'id' | 'accountId' | 'settings'>,
  jobId: string,
  idempotencyKey?: string,
): CreateJobCommand {
  const {
    url: _url,
    urls: _urls,
    cron: _cron,
    timezone: _timezone,
    overlap: _overlap,
    notify,
    ...request
  } = settings;
  return {
    type: 'create',
    jobId,
    accountId,
    keyId: null,
    request: { ...request, urls: urlsOf(settings) },
    scheduleId: id,
    ...defined({ idempotencyKey, notify }),
  };
}
