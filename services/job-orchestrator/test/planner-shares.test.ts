import { createRandom, fuzzSeeds } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type PlannerDemand, PlannerShares, SUSPECTS } from '../src/shares/planner-shares.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

const LIMIT = 10;

let bed: TestBed;

beforeEach(async () => {
  bed = await startTestBed();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

function planners(count: number): PlannerShares[] {
  return Array.from({ length: count }, (_, planner) => sharesOf(planner, count));
}

function sharesOf(planner: number, count: number): PlannerShares {
  return new PlannerShares(bed.stores, { planner, planners: count });
}

/** Returns the demand of a planner with so many lanes of one job in flight. */
function demandOf(lanes: number, wanted = lanes, more: Partial<PlannerDemand> = {}): PlannerDemand {
  return {
    wants: { http: { acc_1: wanted }, browser: {} },
    limited: new Map([['job_1', { limit: LIMIT, lanes, wanted }]]),
    lastChance: { running: undefined, waiting: [] },
    lanesOf: () => lanes,
    ...more,
  };
}

describe('planners', () => {
  it('never have more lanes of a job in flight than its limit, also when a process is replaced', async () => {
    for (const seed of fuzzSeeds(3)) {
      const random = createRandom(seed);
      const all = planners(3);
      const lanes = [0, 0, 0];
      for (let step = 0; step < 150; step++) {
        const planner = random.between(0, 2);
        // Another process takes over, which knows only what is in flight.
        if (random.next() < 0.05) all[planner] = sharesOf(planner, 3);
        const shares = all[planner] as PlannerShares;
        lanes[planner] = random.between(0, lanes[planner] ?? 0);
        const own = lanes[planner] ?? 0;
        await shares.sync(demandOf(own, own + random.between(0, 2 * LIMIT)));
        lanes[planner] = Math.max(own, random.between(0, shares.lanesOf('job_1')));
        expect(lanes.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(LIMIT);
      }
    }
  });

  it('get nothing before each of them has told what is in flight', async () => {
    const [first, second] = planners(2);
    await first?.sync(demandOf(0, 5));
    await first?.sync(demandOf(0, 5));
    expect(first?.lanesOf('job_1')).toBe(0);
    await second?.sync(demandOf(8, 8));
    await first?.sync(demandOf(0, 5));
    expect(first?.lanesOf('job_1')).toBe(2);
  });

  it('begin again when their number changes', async () => {
    const [first, second] = planners(2);
    for (const shares of [first, second, first, second]) await shares?.sync(demandOf(0, 5));
    expect([first?.lanesOf('job_1'), second?.lanesOf('job_1')]).toEqual([5, 5]);
    const [other] = planners(3);
    await other?.sync(demandOf(0, 5));
    await other?.sync(demandOf(0, 5));
    expect(other?.lanesOf('job_1')).toBe(0);
  });

  it('send suspects one after the other, and a last chance when nothing else of its job is in flight', async () => {
    const [first, second] = planners(2);
    const wish = new Map([[SUSPECTS, { limit: 1, lanes: 0, wanted: 1 }]]);
    const waiting = { limited: wish, lastChance: { running: undefined, waiting: ['job_1'] } };
    await first?.sync(demandOf(0));
    await second?.sync(demandOf(3));
    await first?.sync(demandOf(0, 0, waiting));
    expect(first?.lanesOf(SUSPECTS)).toBe(1);
    await second?.sync(demandOf(3, 3, { limited: wish }));
    expect(second?.lanesOf(SUSPECTS)).toBe(0);
    expect(second?.quietJobId).toBe('job_1');
    await first?.sync(demandOf(0, 0, waiting));
    expect(first?.isAlone('job_1')).toBe(false);
    await second?.sync(demandOf(0));
    await first?.sync(demandOf(0, 0, waiting));
    expect(first?.isAlone('job_1')).toBe(true);
    const limited = new Map([[SUSPECTS, { limit: 1, lanes: 1, wanted: 1 }]]);
    await first?.sync(demandOf(1, 1, { limited, lastChance: { running: 'job_1', waiting: [] } }));
    await second?.sync(demandOf(0));
    expect(second?.quietJobId).toBe('job_1');
    await first?.sync(demandOf(0));
    await second?.sync(demandOf(0));
    expect(second?.quietJobId).toBeUndefined();
  });
});
