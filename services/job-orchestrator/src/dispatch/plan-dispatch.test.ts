import { describe, expect, it } from '@jest/globals';
import { profileLoadsOf } from './active-profiles.ts';
import type { Candidate, CandidateJob } from './candidate.ts';
import { HostPaces } from './host-pace.ts';
import { planDispatch, type SuspectSituation } from './plan-dispatch.ts';
import { Turns } from './turns.ts';

const NOW_MS = 1_000_000;
const NO_SUSPECTS: SuspectSituation = {
  running: new Map(),
  lastChanceJobId: undefined,
  limitPerAccount: 2,
  wasLastChance: false,
};

/** A job of an account, whose waiting pages have lost so many workers each. */
function jobOf(id: string, losses: readonly number[], lanes = 0): CandidateJob {
  const waiting = losses.map(
    (count, index): Candidate => ({
      id: `${id}:${index}`,
      host: `${id}.test`,
      notBeforeMs: 0,
      losses: count,
    }),
  );
  const accountId = `account of ${id}`;
  return { id, accountId, waiting, hasSuspects: losses.some((count) => count > 0), hasLanes: true, lanes };
}

function plan(jobs: readonly CandidateJob[], suspects: Partial<SuspectSituation> = {}, room = 100): string[] {
  const paces = new HostPaces({ maxPagesPerHost: 100, hostDelayMs: 0, maxPauseMs: 1000 });
  const { lanes } = planDispatch({
    jobs,
    paces,
    room,
    maxPages: 100,
    maxPagesPerJob: 100,
    nowMs: NOW_MS,
    suspects: { ...NO_SUSPECTS, ...suspects },
    turns: new Turns(),
  });
  return lanes.flatMap(({ pages }) => pages.map(({ id }) => id));
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

  it('sends as many pages of a profile as it has room for, over all jobs', () => {
    const jobs = ['a', 'b'].map((id) => ({
      ...jobOf(id, [0, 0, 0], id === 'a' ? 1 : 0),
      profileId: 'prof_1',
      mayRender: false,
    }));
    const paces = new HostPaces({ maxPagesPerHost: 100, hostDelayMs: 0, maxPauseMs: 1000 });
    const { lanes } = planDispatch({
      jobs: [...jobs, jobOf('c', [0, 0])],
      paces,
      room: 100,
      maxPages: 100,
      maxPagesPerJob: 100,
      nowMs: NOW_MS,
      suspects: NO_SUSPECTS,
      turns: new Turns(),
      profiles: profileLoadsOf(jobs),
    });
    const planned = Map.groupBy(lanes, ({ job }) => job.profileId);
    expect(planned.get('prof_1')).toHaveLength(3);
    expect(planned.get(undefined)).not.toHaveLength(0);
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

describe('the lanes of a plan', () => {
  /** Plans for a host that takes 100 ms a page and bears so many lanes; returns the pages of each lane. */
  function lanesOf(waiting: readonly Partial<Candidate>[], maxPagesPerHost: number, hasLanes = true) {
    const paces = new HostPaces({ maxPagesPerHost, hostDelayMs: 0, maxPauseMs: 1000 });
    paces.start('a.test', { id: 'a' }, 0);
    paces.endLane({ jobId: 'a', host: 'a.test', sinceMs: 0, fetched: 1 }, 100);
    const pages = waiting.map((page, index) => ({
      id: `${index}`,
      host: 'a.test',
      notBeforeMs: 0,
      losses: 0,
      likeness: 'alike',
      ...page,
    }));
    const job = {
      ...jobOf('a', []),
      waiting: pages,
      hasSuspects: pages.some(({ losses }) => losses > 0),
      hasLanes,
    };
    const { lanes } = planDispatch({
      jobs: [job],
      paces,
      room: 100,
      maxPages: 100,
      maxPagesPerJob: 100,
      nowMs: NOW_MS,
      suspects: NO_SUSPECTS,
      turns: new Turns(),
    });
    return lanes.map((lane) => lane.pages.map(({ id }) => id).join(' '));
  }

  it('take as many pages as fill their time, and leave some for each lane that the host bears', () => {
    const pages = Array.from({ length: 20 }, () => ({}));
    expect(lanesOf(pages, 2)).toEqual(['0 1 2 3 4 5 6 7', '8 9 10 11 12 13 14 15']);
    expect(lanesOf(pages.slice(0, 7), 3)).toEqual(['0 1', '2 3', '4 5 6']);
    expect(lanesOf(pages.slice(0, 3), 8)).toEqual(['0', '1', '2']);
  });

  it('have pages that are alike and due, and no suspects beside others', () => {
    const pages = [{}, { likeness: 'other' }, { notBeforeMs: NOW_MS + 1 }, { losses: 1 }, {}];
    expect(lanesOf(pages, 1)).toEqual(['0 4']);
    expect(lanesOf([{ losses: 1 }, {}, {}], 1)).toEqual(['0']);
  });

  it('have one page where pages are sent alone', () => {
    expect(lanesOf([{}, {}, {}], 1, false)).toEqual(['0']);
  });
});

describe('of jobs with the same number of pages in flight', () => {
  /** Plans one slot after the other, each free again before the next; returns the ids of the jobs. */
  function turnsOf(rounds: number, jobsIn: (round: number) => CandidateJob[], turns = new Turns()): string[] {
    const paces = new HostPaces({ maxPagesPerHost: 1000, hostDelayMs: 0, maxPauseMs: 1000 });
    return Array.from({ length: rounds }, (_, round) => {
      const jobs = jobsIn(round);
      const bounds = { room: 1, maxPages: 100, maxPagesPerJob: 100 };
      const situation = { ...bounds, paces, nowMs: NOW_MS, suspects: NO_SUSPECTS, turns };
      return planDispatch({ ...situation, jobs }).lanes.map(({ job }) => job.id);
    }).flat();
  }

  function ofOneAccount(...ids: string[]): CandidateJob[] {
    return ids.map((id) => ({ ...jobOf(id, [0, 0, 0]), accountId: 'one' }));
  }

  it('the one that was sent a page least recently is next', () => {
    expect(turnsOf(5, () => ofOneAccount('a', 'b', 'c')).join('')).toBe('abcab');
  });

  it('a new one goes before those that have just had a turn, and does not keep out the others', () => {
    const turns = new Turns();
    expect(turnsOf(3, () => ofOneAccount('a', 'b', 'c'), turns).join('')).toBe('abc');
    // A new job of one page comes with every round.
    const rounds = turnsOf(8, (round) => ofOneAccount('a', 'b', 'c', `n${round}`, `n${round + 1}`), turns);
    expect(rounds.slice(0, 2)).toEqual(['a', 'n1']);
    expect(rounds).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });

  it('the account that was sent a page least recently is next', () => {
    const jobs = [...ofOneAccount('a', 'b'), jobOf('x', [0, 0])];
    expect(turnsOf(4, () => jobs).join('')).toBe('axbx');
  });
});

it('a plan starts few jobs, and is followed by another one at once', () => {
  const jobs = Array.from({ length: 60 }, (_, index) => ({ ...jobOf(`p${index}`, [0]), isPending: true }));
  const paces = new HostPaces({ maxPagesPerHost: 100, hostDelayMs: 0, maxPauseMs: 1000 });
  const bounds = { room: 100, maxPages: 100, maxPagesPerJob: 100 };
  const situation = { ...bounds, paces, nowMs: NOW_MS, suspects: NO_SUSPECTS };
  const { lanes, wakeAtMs } = planDispatch({
    ...situation,
    jobs: [...jobs, jobOf('running', [0])],
    turns: new Turns(),
  });
  expect(lanes).toHaveLength(41);
  expect(lanes.map(({ job }) => job.id)).toContain('running');
  expect(wakeAtMs).toBe(NOW_MS);
});
