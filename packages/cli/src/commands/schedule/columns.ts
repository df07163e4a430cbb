import type { Run, Schedule } from '@gleaner/client';
import type { Column } from '../../output/render-table.ts';
import { JOB_COLUMNS } from '../job/columns.ts';

/** Columns of a table of schedules. */
export const SCHEDULE_COLUMNS: readonly Column<Schedule>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'status', isWhole: true, value: ({ status }) => status },
  { name: 'cron', value: ({ cron }) => cron },
  { name: 'timezone', isMinor: true, value: ({ timezone }) => timezone },
  { name: 'next', isWhole: true, isMinor: true, value: ({ nextRunAt }) => nextRunAt },
  { name: 'last', isWhole: true, isMinor: true, value: ({ lastStatus }) => lastStatus },
  { name: 'name', value: ({ name }) => name },
  { name: 'url', value: ({ url, urls = [] }) => url ?? shorten(urls) },
];

/** Columns of a table of runs. */
export const RUN_COLUMNS: readonly Column<Run>[] = [
  ...JOB_COLUMNS.filter(({ name }) => name !== 'name'),
  {
    name: 'changed',
    isWhole: true,
    value: ({ changed }) => (changed === null ? '' : changed ? 'yes' : 'no'),
  },
];

/** Returns the fields of a schedule for people. */
export function fieldsOfSchedule(schedule: Schedule): [string, unknown][] {
  const { id, name, url, urls, status, cron, timezone, overlap, webhook } = schedule;
  return [
    ...Object.entries({ id, name, url, urls, status, cron, timezone, overlap, webhook }),
    ['crawl', schedule.crawl && JSON.stringify(schedule.crawl)],
    ['selectors', schedule.selectors],
    ['next run', schedule.nextRunAt],
    ['last run', schedule.lastRunAt],
    ['last status', schedule.lastStatus],
    ['last job', schedule.lastJobId],
    ['last error', schedule.lastError?.message],
    ['last changes', schedule.lastChanges && JSON.stringify(schedule.lastChanges)],
    ['runs', schedule.runCount],
    ['skipped', schedule.skippedCount || undefined],
    ['created', schedule.createdAt],
  ];
}

/** Returns the first of several URLs and the number of the others. */
function shorten([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} +${others.length}`;
}
