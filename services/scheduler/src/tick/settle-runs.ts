import type { Stores } from '@gleaner/storage';

/** Collaborators of settling. */
export interface SettleDeps {
  readonly runs: Pick<Stores['scheduleRuns'], 'findLive' | 'recordStates'>;
  readonly jobs: Pick<Stores['jobs'], 'findJobs'>;
}

/** Schedules that are read together. */
const BATCH = 200;

/** Copies the states of jobs to the schedules that started them, until each job has finished. */
export async function settleRuns({ runs, jobs }: SettleDeps, signal: AbortSignal): Promise<void> {
  let afterId = '';
  while (!signal.aborted) {
    const live = await runs.findLive(afterId, BATCH);
    const last = live.at(-1);
    if (!last) return;
    const found = await jobs.findJobs(live.flatMap(({ jobIds }) => jobIds));
    await runs.recordStates(
      live,
      new Map(found.map(({ id, status, crawl }) => [id, { status, changes: crawl?.changes }])),
    );
    afterId = last.id;
    if (live.length < BATCH) return;
  }
}
