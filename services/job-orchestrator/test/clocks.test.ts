import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { found } from './scripted-scraper.ts';
import { startTestBed } from './start-test-bed.ts';

const HOUR_MS = 3_600_000;
/** Far less than the clocks differ, and far more than a test takes. */
const CLOSE_MS = 600_000;

it.each([HOUR_MS, -HOUR_MS])(
  'works by the clock of the database, which is %d ms ahead of its own',
  async (serverAheadMs) => {
    await using bed = await startTestBed({ serverAheadMs });
    const isNow = (time: Date | undefined, afterMs = 0) =>
      Math.abs((time?.getTime() ?? 0) - Date.now() - serverAheadMs - afterMs) < CLOSE_MS;
    await bed.startOrchestrator({ JOB_RETENTION_MS: String(HOUR_MS), QUEUE_PATIENCE_MS: '20000' });
    const scraper = await bed.startScraper();
    scraper.follow(({ body }) => (body.attempt === 1 ? undefined : found(body)));
    const { id } = await bed.create({ urls: ['http://a.test/'], timeout: 1000 });
    // No scraper reports on the first attempt, so it is overdue by the clock that its deadline was written by.
    await bed.untilJob(id, 'completed');
    expect(scraper.commands.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(scraper.commands.map(({ startBeforeMs }) => isNow(new Date(startBeforeMs)))).toEqual([true, true]);
    const lease = await bed.database.models.leases.findById('dispatch').lean();
    const [job] = await bed.stores.jobs.findJobs([id]);
    const times = [lease?.until, job?.createdAt, job?.startedAt, job?.completedAt, job?.checkedAt];
    expect(times.map((time) => isNow(time))).toEqual(times.map(() => true));
    expect(isNow(job?.retainedUntil, HOUR_MS)).toBe(true);
    const [page] = await bed.stores.pages.findInOrder(id, { states: ['succeeded'], limit: 1 });
    expect(isNow(page?.endedAt)).toBe(true);
    await eventually(() => expect(bed.events.map(({ type }) => type)).toContain('job.completed'));
  },
);
