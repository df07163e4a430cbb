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

it('sends the pages of each host from one of several planners, in order', async () => {
  const planners = 3;
  const reports = await Promise.all(
    Array.from({ length: planners }, (_, planner) =>
      simulateDispatch({
        workload: { accounts: 4, jobs: 8, hosts: 60, pagesPerJob: 400, hostsPerJob: 40 },
        scrapers: 3,
        maxPages: 10_000,
        maxPagesPerJob: 30,
        pageMs: { least: 100, most: 400 },
        place: { planner, planners },
      }),
    ),
  );
  const sumOf = (value: (report: (typeof reports)[number]) => number) =>
    reports.reduce((sum, report) => sum + value(report), 0);
  expect(sumOf(({ dispatched }) => dispatched)).toBe(3200);
  for (const report of reports) expect(report).toMatchObject({ waiting: 0, outOfOrder: 0 });
});

it('reads pages of many large jobs a few dozen at a time, however few of each go out in a round', async () => {
  const report = await simulateDispatch({
    workload: { accounts: 10, jobs: 250, hosts: 4000, pagesPerJob: 300, hostsPerJob: 60 },
    scrapers: 20,
    maxPages: 10_000,
    pageMs: { least: 100, most: 400 },
  });
  expect(report).toMatchObject({ outOfOrder: 0 });
  const shares = [...report.byAccount.values()];
  expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1.05);
  expect(report.queries).toBeLessThan(report.dispatched / 10);
});
