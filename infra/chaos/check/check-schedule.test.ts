import { mock } from 'node:test';
import { afterEach, expect, it } from '@jest/globals';
import type { JobClient } from '../job-client.ts';
import { noFindings } from '../report.ts';
import { checkSchedule } from './check-schedule.ts';

const FIRST_TICK_MS = Date.UTC(2026, 0, 1);
const SECOND_MS = 1000;

afterEach(() => {
  mock.restoreAll();
});

/** Checks a schedule with these runs; each reading of the runs takes two seconds. */
async function findingsOf(runs: number, startSeconds: number) {
  let nowMs = FIRST_TICK_MS + startSeconds * SECOND_MS;
  mock.method(Date, 'now', () => nowMs);
  const insist = async () => {
    nowMs += 2 * SECOND_MS;
    const list = Array.from({ length: runs }, (_, index) => ({ id: `job_${index}`, status: 'completed' }));
    return { status: 200, json: { runs: list } };
  };
  const findings = noFindings();
  const schedule = { id: 'sch_1', firstTickMs: FIRST_TICK_MS };
  await checkSchedule(schedule, { insist } as Partial<JobClient> as JobClient, findings);
  return findings;
}

it.each([
  ['no run before the first tick', 0, -30],
  ['a run of a tick that passes during the check', 1, -1],
  ['a run after the first tick', 1, 30],
  ['one postponed run after two ticks', 1, 70],
])('accepts %s', async (_case, runs, startSeconds) => {
  expect(await findingsOf(runs, startSeconds)).toEqual(noFindings());
});

it.each([
  ['a run before the first tick', 1, -30],
  ['two runs of one tick', 2, 30],
])('finds %s', async (_case, runs, startSeconds) => {
  const { doubled } = await findingsOf(runs, startSeconds);
  expect(doubled).toEqual([expect.stringMatching(/^The schedule ran \d times in \d ticks\.$/)]);
});
