import { defined } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { triggerOf } from './finish-job.ts';

const NONE = {
  waiting: 0,
  running: 0,
  succeeded: 0,
  visited: 0,
  failed: 0,
  missing: 0,
  skipped: 0,
  cancelled: 0,
};
const AT = new Date(0);

describe('a job', () => {
  it.each([
    { counts: { succeeded: 3 }, trigger: 'all-succeeded' },
    { counts: { succeeded: 2, failed: 1 }, trigger: 'some-failed' },
    { counts: { failed: 3 }, trigger: 'all-failed' },
    { counts: { succeeded: 2, running: 1 }, trigger: undefined },
    { counts: { succeeded: 2, waiting: 1 }, trigger: undefined },
    { counts: { succeeded: 2 }, trigger: undefined },
    { counts: { succeeded: 1, cancelled: 2 }, cancelRequestedAt: AT, trigger: 'cancelled' },
    { counts: { succeeded: 3 }, cancelRequestedAt: AT, trigger: 'cancelled' },
    { counts: { succeeded: 2, running: 1 }, cancelRequestedAt: AT, trigger: undefined },
    // Read before the cancellation was noted, counted after it was carried out.
    { counts: { cancelled: 3 }, trigger: 'cancelled' },
    { counts: { succeeded: 1, failed: 1, cancelled: 1 }, trigger: 'cancelled' },
  ])('whose three pages are $counts finishes by $trigger', ({ counts, cancelRequestedAt, trigger }) => {
    const job = { totalUrls: 3, ...defined({ cancelRequestedAt }) };
    expect(triggerOf({ ...NONE, ...counts }, job)).toBe(trigger);
  });
});
