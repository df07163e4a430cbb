import { expect, it } from '@jest/globals';
import { listErrors, renderReport } from './report.ts';
import { runChaos } from './run-chaos.ts';
import type { ChaosOptions } from './workload.ts';

/** Runs a workload on embedded servers; a busy machine may be late. */
async function run(options: Pick<ChaosOptions, 'kind' | 'seed' | 'faults' | 'urls'> & { planners?: number }) {
  const report = await runChaos({
    planners: 1,
    ...options,
    brokerKind: 'embedded',
    databaseKind: 'embedded',
    from: '',
    print: () => {},
    scenarios: ['processes are killed at exact points'],
  });
  expect(listErrors(report.findings).length === 0 ? 'correct' : renderReport(report)).toBe('correct');
  return report;
}

it('loses nothing, doubles nothing and charges nothing twice while processes are killed at exact points', async () => {
  const { injected } = await run({ kind: 'jobs', seed: 7, faults: 10, urls: 300 });
  // On a busy machine some points are not reached.
  expect(Object.keys(injected).length).toBeGreaterThan(4);
}, 900_000);

it('finds exactly the pages of a graph, and later its changes, while processes are killed', async () => {
  const { rows } = await run({ kind: 'crawls', seed: 5, faults: 3, urls: 100 });
  expect(rows).toHaveLength(13);
}, 600_000);

it('keeps the same promises with two planners that two orchestrators share', async () => {
  const { rows } = await run({ kind: 'crawls', seed: 6, faults: 3, urls: 100, planners: 2 });
  expect(rows).toHaveLength(13);
}, 600_000);

it('loses no tick, runs none twice, alters no event and keeps a dataset while schedulers, notifiers and orchestrators are killed', async () => {
  const { rows } = await run({ kind: 'schedules', seed: 3, faults: 20, urls: 60 });
  expect(rows[0]?.runs).toBeGreaterThanOrEqual(30);
  expect(rows[0]?.records).toBeGreaterThanOrEqual(30);
  expect(rows[0]?.revisions).toBeGreaterThan(rows[0]?.records as number);
}, 900_000);

it('signs in once for each expiry, and stores no login page, while processes are killed', async () => {
  const { rows } = await run({ kind: 'profiles', seed: 9, faults: 8, urls: 200 });
  expect(rows[0]?.sessions).toBeGreaterThanOrEqual(10);
}, 600_000);
