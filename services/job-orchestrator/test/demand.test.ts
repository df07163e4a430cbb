import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { measureDemand } from '../src/measure/measure-demand.ts';
import { readDemand, Waits } from '../src/measure/start-measuring.ts';
import { startTestBed } from './start-test-bed.ts';

const LIMITS = { maxPagesPerJob: 200, maxPagesPerHost: 8 };
const job = (id: string, totalUrls: number, engine: 'http' | 'browser' = 'http') => ({
  id,
  totalUrls,
  engine,
  lanes: 0,
});

it('counts the pages that hosts and jobs allow, and not how many wait', async () => {
  await using bed = await startTestBed();
  const { clock, pages } = bed.stores;
  const large = await bed.storeJob(3000);
  const small = await bed.storeJob(20);
  const many = await bed.storeJob(0);
  const spread = Array.from({ length: 900 }, (_, index) => ({
    index,
    url: `http://h${index % 300}.test/${index}`,
    host: `h${index % 300}.test`,
  }));
  await pages.insertPages(many, spread, new Date(Date.now() + 3_600_000));
  const jobs = [job(large, 3000), job(small, 20, 'browser'), job(many, 900)];
  const waitingOf = async (lanes: { host: string }[], pausedHosts: string[]) =>
    (await measureDemand({ jobs, lanes, pausedHosts }, { clock, pages, ...LIMITS })).map(
      ({ waiting }) => waiting,
    );
  // The large and the small job share one host; the third has many hosts, and the limit of one job.
  expect(await waitingOf([], [])).toEqual([8, 0, 200]);
  expect(await waitingOf([{ host: 'a.test' }, { host: 'a.test' }], [])).toEqual([6, 0, 200]);
  expect(await waitingOf([], ['a.test'])).toEqual([0, 0, 200]);
});

it('is measured by the orchestrator that dispatches, and shown by all of them', async () => {
  await using bed = await startTestBed();
  await bed.startOrchestrator();
  await bed.startOrchestrator();
  await bed.create({ urls: Array.from({ length: 50 }, (_, page) => `http://a.test/${page}`) });
  await bed.create({ urls: ['http://b.test/'], render: true });
  await eventually(async () =>
    expect((await readDemand({ stores: bed.stores, roles: ['dispatch'] }))?.dispatchablePages).toEqual({
      http: 8,
      browser: 1,
    }),
  );
});

it('is unknown while no orchestrator dispatches', async () => {
  await using bed = await startTestBed();
  expect(await readDemand({ stores: bed.stores, roles: ['dispatch'] })).toBeUndefined();
});

it('tells how long a job has had pages to send and none in flight', () => {
  const waits = new Waits();
  const demand = (running: number) => [{ id: 'job_1', engine: 'http' as const, running, waiting: 3 }];
  expect(waits.update(demand(0), 1000)).toEqual({ http: 0, browser: 0 });
  expect(waits.update(demand(0), 61_000)).toEqual({ http: 60, browser: 0 });
  expect(waits.update(demand(1), 62_000)).toEqual({ http: 0, browser: 0 });
  expect(waits.update(demand(0), 63_000)).toEqual({ http: 0, browser: 0 });
});
