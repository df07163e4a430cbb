import { type Job, type JobProgress, progressOf } from '@gleaner/client';
import type { Column } from '../../output/render-table.ts';

/** Columns of a table of jobs. */
export const JOB_COLUMNS: readonly Column<Job>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'status', isWhole: true, value: ({ status }) => status },
  { name: 'done', isWhole: true, value: describeProgress },
  { name: 'failed', isWhole: true, isMinor: true, value: ({ failedUrls }) => failedUrls },
  { name: 'credits', isWhole: true, isMinor: true, value: ({ creditsUsed }) => creditsUsed },
  { name: 'created', isWhole: true, isMinor: true, value: ({ createdAt }) => createdAt },
  { name: 'name', value: ({ name }) => name },
  { name: 'hosts', isMinor: true, value: ({ hosts = [] }) => hosts.join(', ') },
];

/** Returns the fields of a job for people. */
export function fieldsOfJob(job: Job): [string, unknown][] {
  return [
    ['id', job.id],
    ['name', job.name],
    ['host', job.hosts?.join(', ')],
    ['status', job.status],
    [job.crawl ? 'pages' : 'URLs', describeProgress(job)],
    ['failed', job.failedUrls || undefined],
    ['verdicts', job.verdicts && suspectsOf(job.verdicts).length > 0 ? countsOf(job.verdicts) : undefined],
    ['credits', job.creditsUsed],
    ...fieldsOfCrawl(job.crawl),
    ['sink', job.sink?.name],
    ['schedule', job.scheduleId],
    ['rerun of', job.rerunOf],
    ['extract of', job.extractOf],
    ['created', job.createdAt],
    ['started', job.startedAt],
    ['finished', job.completedAt],
  ];
}

/** Renders the number of finished pages and of all pages with a possible result: `3/10`. */
export function describeProgress(job: JobProgress): string {
  const { done, total } = progressOf(job);
  return `${done}/${total}`;
}

/** Returns the kinds of the pages of results that are not content. */
export function suspectsOf({ content: _content, ...suspects }: Job['verdicts'] = {}): string[] {
  return Object.keys(suspects);
}

function fieldsOfCrawl(crawl: Job['crawl']): [string, unknown][] {
  if (!crawl) return [];
  const { fetched, notFound, depth, hosts, skipped, dropped, stoppedBy, since, changes } = crawl;
  return [
    ['fetched', fetched],
    ['not found', notFound || undefined],
    ['depth', depth],
    ['hosts', hosts > 1 ? hosts : undefined],
    ['skipped', countsOf(skipped)],
    ['dropped', countsOf(dropped)],
    ['stopped by', stoppedBy],
    ['compared with', since],
    ['changes', changes && countsOf(changes)],
  ];
}

/** Renders the counts above zero: `robots 3, redirect 1`. */
function countsOf(counts: Readonly<Record<string, number>>): string {
  const met = Object.entries(counts).filter(([, count]) => count > 0);
  return met.map(([name, count]) => `${name} ${count}`).join(', ');
}
