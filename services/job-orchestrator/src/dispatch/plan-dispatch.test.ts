import { describe, expect, it } from '@jest/globals';
import { HostPaces } from './host-pace.ts';
import { type Candidate, type CandidateJob, planDispatch, type SuspectSituation } from './plan-dispatch.ts';

const NOW_MS = 1_000_000;
const NO_SUSPECTS: SuspectSituation = {
  running: new Map(),
  lastChanceJobId: undefined,
  limitPerAccount: 2,
  wasLastChance: false,
};

/** A job of an account, whose waiting pages have lost so many workers each. */
function jobOf(id: string, losses: readonly number[], runningPages = 0): CandidateJob {
  const waiting = losses.map(
    (count, index): Candidate => ({
      id: `${id}:${index}`,
      host: `${id}.test`,
      notBeforeMs: 0,
      losses: count,
    }),
  );
  const accountId = `account of ${id}`;
  return { id, accountId, waiting, hasSuspects: losses.some((count) => count > 0), runningPages };
}

function plan(jobs: readonly CandidateJob[], suspects: Partial<SuspectSituation> = {}, room = 100): string[] {
  const paces = new HostPaces({ maxPagesPerHost: 100, hostDelayMs: 0, maxPauseMs: 1000 });
  const { picks } = planDispatch({
    ...{ jobs, paces, room, maxPagesPerJob: 100, nowMs: NOW_MS },
    suspects: { ...NO_SUSPECTS, ...suspects },
  });
  return picks.map(({ page }) => page.id);
}

describe('a plan', () => {
  it('gives every slot to the account with the fewest pages in flight', () => {
    expect(plan([jobOf('a', [0, 0, 0], 2), jobOf('b', [0, 0, 0])], {}, 4)).toEqual([
      'b:0',
      'b:1',
      'a:0',
      'b:2',
    ]);
  });

  it('sends a few suspects of each account at a time, and every other page', () => {
    const jobs = [jobOf('a', [1, 1, 1, 0]), jobOf('b', [1, 0])];
    expect(plan(jobs)).toEqual(['a:0', 'b:0', 'a:1', 'b:1', 'a:3']);
    expect(plan(jobs, { running: new Map([['account of a', 2]]) })).toEqual(['a:3', 'b:0', 'b:1']);
  });

  it('sends a page on its last chance alone, before anything else of its job', () => {
    const jobs = [jobOf('a', [0, 1, 2, 2]), jobOf('b', [1, 0])];
    expect(plan(jobs)).toEqual(['a:2', 'b:1']);
    expect(plan(jobs, { running: new Map([['account of a', 1]]), lastChanceJobId: 'a' })).toEqual(['b:1']);
  });

  it('lets the other pages of the job in flight finish before a last chance, while other suspects go out', () => {
    expect(plan([jobOf('a', [0, 2], 1), jobOf('b', [1, 0])])).toEqual(['b:0', 'b:1']);
  });

  it('lets other suspects finish before a last chance, and takes turns with them', () => {
    const jobs = [jobOf('a', [2, 0]), jobOf('b', [1, 1, 1])];
    expect(plan(jobs, { running: new Map([['account of b', 1]]) })).toEqual([]);
    expect(plan(jobs)).toEqual(['a:0']);
    expect(plan(jobs, { wasLastChance: true })).toEqual(['b:0', 'b:1']);
  });
});
