import { AppError, hasFinished, type ScheduleDiff } from '@gleaner/contracts';
import { JSON_TYPE } from '@gleaner/export';
import type { StoredJob, StoredSchedule, Stores } from '@gleaner/storage';
import { StreamedResponse } from '../../responses/responses.ts';
import type { Handler } from '../handler.ts';
import { inPlace, type JobStreams } from '../jobs/job-streams.ts';
import { findSchedule } from '../schedules/find-schedule.ts';
import { type CompareDeps, compareMarkdown, type TwoRuns } from './compare-markdown.ts';

/** Collaborators of the handler. */
export interface DiffDeps extends CompareDeps {
  readonly schedules: Pick<Stores['schedules'], 'findSchedule'>;
  readonly jobs: Pick<Stores['jobs'], 'findJob' | 'findRunBefore' | 'findCrawlBefore'>;
  readonly jobStreams: JobStreams;
}

const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Compares the Markdown of two runs of a schedule. */
export const diffHandler: Handler<'getScheduleDiff', DiffDeps> = async (
  { caller, params, query: { from, to, url, format }, signal },
  deps,
) => {
  const schedule = await findSchedule(caller, params.id, deps);
  const runs = await findRuns(schedule, { from, to }, deps);
  const isText = format === 'text';
  return new StreamedResponse({ 'Content-Type': isText ? TEXT_TYPE : JSON_TYPE }, () =>
    inPlace({ caller, signal }, deps.jobStreams, async function* () {
      const diff = await compareMarkdown(runs, url, deps, signal);
      if (isText) yield* textsOf(diff);
      else yield JSON.stringify({ success: true, diff });
    }),
  );
};

function* textsOf({ pages }: ScheduleDiff): Generator<string> {
  for (const { text, url } of pages) yield text ?? `Files ${url} and ${url} differ\n`;
}

/** Sorts after the ids of all jobs. */
const AFTER_ALL = 'job_~';

/** Finds the two runs. Throws JOB_NOT_FOUND for one that is not of the schedule, NOTHING_TO_COMPARE if there are no two finished ones. */
async function findRuns(
  schedule: StoredSchedule,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  { jobs }: DiffDeps,
): Promise<TwoRuns> {
  const { id: scheduleId, accountId, settings } = schedule;
  const findBefore = (jobId: string) => {
    const run = { accountId, scheduleId, jobId };
    return settings.crawl ? jobs.findCrawlBefore(run) : jobs.findRunBefore(run);
  };
  const find = async (id: string): Promise<StoredJob> => {
    const job = await jobs.findJob(accountId, id);
    if (job?.scheduleId !== scheduleId) {
      throw new AppError('JOB_NOT_FOUND', { message: `The schedule has no run ${id}.` });
    }
    if (!hasFinished(job)) throw nothing(`The run ${id} has not finished.`);
    return job;
  };
  const later = to === undefined ? await findBefore(AFTER_ALL) : await find(to);
  if (!later) throw nothing('No run of the schedule has finished with pages.');
  const earlier = from === undefined ? await findBefore(later.id) : await find(from);
  if (!earlier) throw nothing(`The schedule has no finished run with pages before ${later.id}.`);
  return { from: earlier, to: later };
}

function nothing(message: string): AppError {
  return new AppError('NOTHING_TO_COMPARE', { message });
}
