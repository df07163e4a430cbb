import type { Job } from '@gleaner/contracts';
import { expect, it } from '@jest/globals';
import { noFindings } from '../report.ts';
import { checkCancelled } from './check-job.ts';

const CANCELLED_AT_MS = Date.UTC(2026, 0, 1);
const COMPLETED_AT = '2026-01-01T00:00:02.000Z';

/** Checks a cancelled job of one token, as the response to its cancellation and the last poll showed it. */
function findingsOf(totalUrls: number, answered: Partial<Job>, last: Partial<Job>, fetchedAtMs = 0) {
  const job = { id: 'job_1', status: 'cancelled', totalUrls } as Partial<Job> as Job;
  const cancelled = { atMs: CANCELLED_AT_MS, job: { ...job, ...answered } };
  const findings = noFindings();
  const hits = new Map([['t-0', [CANCELLED_AT_MS + fetchedAtMs]]]);
  checkCancelled({ cancelled, history: [{ ...job, ...last }], tokens: ['t-0'] }, { hits }, findings);
  return findings;
}

const COMPLETE = { completedAt: COMPLETED_AT };

it.each([
  ['a small job that is complete at once', 500, COMPLETE, COMPLETE],
  ['a large job that is complete at once', 501, COMPLETE, COMPLETE],
  [
    'a large job that is complete later',
    501,
    { completedUrls: 3 },
    { completedAt: COMPLETED_AT, completedUrls: 4 },
  ],
])('accepts %s', (_case, totalUrls, answered, last) => {
  expect(findingsOf(totalUrls, answered, last)).toEqual(noFindings());
});

it.each([
  ['a small job that is complete later', 500, {}, COMPLETE],
  [
    'a counter that changes after the end',
    501,
    { completedAt: COMPLETED_AT },
    { completedAt: COMPLETED_AT, completedUrls: 1 },
  ],
  ['a large job in another state', 501, {}, { status: 'completed' as const }],
])('finds %s', (_case, totalUrls, answered, last) => {
  expect(findingsOf(totalUrls, answered, last).other).toHaveLength(1);
});

it('finds a page that was fetched long after the cancellation', () => {
  expect(findingsOf(1, {}, {}, 10_000).other).toEqual([
    'job_1: 1 pages were fetched after the cancellation.',
  ]);
});
