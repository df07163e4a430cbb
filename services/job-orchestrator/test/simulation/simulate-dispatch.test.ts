import { expect, it } from '@jest/globals';
import { simulateDispatch } from './simulate-dispatch.ts';

it('sends every page once, in order, within the limits, and each account the same share', async () => {
  const report = await simulateDispatch({
    workload: { accounts: 4, jobs: 8, hosts: 60, pagesPerJob: 400, hostsPerJob: 40 },
    scrapers: 3,
    maxPages: 10_000,
    pageMs: { least: 100, most: 400 },
  });
  expect(report).toMatchObject({ dispatched: 3200, waiting: 0, outOfOrder: 0 });
  expect(report.mostInFlight).toBeLessThanOrEqual(120);
  expect(report.mostOfHost).toBeLessThanOrEqual(8);
  expect(report.mostOfJob).toBeLessThanOrEqual(200);
  expect([...report.byAccount.values()]).toEqual([800, 800, 800, 800]);
});
