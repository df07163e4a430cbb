import { expect, it } from '@jest/globals';
import { renderScheduleReport } from './render-schedule-report.ts';
import { isClean, runScheduleChaos } from './run-schedule-chaos.ts';

it('loses no tick, runs none twice and alters no event while schedulers and notifiers are killed', async () => {
  const report = await runScheduleChaos({ seed: 3, ticks: 80, print: () => {} });
  expect(isClean(report) ? 'clean' : renderScheduleReport(report)).toBe('clean');
  expect(report.runs).toBeGreaterThanOrEqual(60);
  expect(report.webhooks.events).toBe(report.runs);
}, 300_000);
