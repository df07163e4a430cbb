import { createRandom, eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runTick } from '../src/tick/run-tick.ts';
import { type DeathPoint, type KillableScheduler, killable } from './support/killable.ts';
import { startTestBed, type TestBed } from './support/test-bed.ts';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed();
});
beforeEach(async () => {
  await bed.database.models.schedules.deleteMany({});
  await bed.database.models.jobs.deleteMany({});
  bed.setClock('2026-01-01T00:00:30Z');
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const MINUTE_MS = 60_000;
const AFTER_LEASE_MS = 31_000;
const never = new AbortController().signal;

/** Runs a tick to its end, or to the death of its scheduler. */
async function tick(scheduler: KillableScheduler): Promise<void> {
  await Promise.race([runTick(scheduler.parts, never), scheduler.death]);
}

/** Returns the ids of the jobs of a schedule that were requested for each tick, read from their idempotency keys. */
async function jobsPerTick(id: string): Promise<Map<string, Set<string>>> {
  const ticks = new Map<string, Set<string>>();
  for (const { scheduleId, idempotencyKey = '', jobId } of bed.orchestrator.commands) {
    if (scheduleId !== id) continue;
    const tickAt = idempotencyKey.slice(id.length + 1);
    ticks.set(tickAt, (ticks.get(tickAt) ?? new Set()).add(jobId));
  }
  return ticks;
}

/** Expects one stored job for every minute from the first to the last, and that the schedule counts them. */
async function expectEachTickOnce(id: string, minutes: number): Promise<void> {
  const ticks = await jobsPerTick(id);
  const expected = Array.from({ length: minutes }, (_, index) =>
    new Date(START_MS + (index + 1) * MINUTE_MS).toISOString(),
  );
  expect([...ticks.keys()].sort()).toEqual(expected);
  expect([...ticks.values()].filter((jobs) => jobs.size !== 1)).toEqual([]);
  expect(await bed.database.models.jobs.countDocuments({ scheduleId: id })).toBe(minutes);
  expect(await bed.find(id)).toMatchObject({
    runCount: minutes,
    nextRunAt: new Date(START_MS + (minutes + 1) * MINUTE_MS),
  });
  expect(await bed.find(id)).not.toHaveProperty('run');
}

describe('a scheduler', () => {
  const POINTS: DeathPoint[] = [
    'before claim',
    'after claim',
    'before createJobs',
    'after createJobs',
    'before recordEnds',
    'after recordEnds',
  ];
  it.each(POINTS)('that dies %s loses no run and starts none twice', async (point) => {
    const { id } = await bed.create({ overlap: 'allow' });
    bed.setClock('2026-01-01T00:01:00Z');
    const dying = killable(bed.parts(), (here) => here === point);
    await tick(dying);
    expect(dying.isDead).toBe(true);
    await bed.tickAt('2026-01-01T00:01:10Z');
    await bed.tickAt(new Date(START_MS + MINUTE_MS + AFTER_LEASE_MS));
    await expectEachTickOnce(id, 1);
  });

  it('that stalls changes nothing when it resumes after another has taken over', async () => {
    const { id } = await bed.create({ overlap: 'allow' });
    bed.setClock('2026-01-01T00:01:00Z');
    const gate = Promise.withResolvers<void>();
    const parts = bed.parts();
    const stalled = runTick(
      {
        ...parts,
        createJobs: async (commands, signal) => {
          await gate.promise;
          return await parts.createJobs(commands, signal);
        },
      },
      never,
    );
    await bed.tickAt('2026-01-01T00:01:45Z');
    gate.resolve();
    await stalled;
    await expectEachTickOnce(id, 1);
  });
});

describe('two schedulers killed at random', () => {
  const MINUTES = 25;
  const SCHEDULES = 4;
  const LEASE_MS = 10_000;
  const DEATHS_PER_HUNDRED_STEPS = 4;

  it.each([1, 2, 3, 20260101])('lose no tick and start none twice (seed %d)', async (seed) => {
    const random = createRandom(seed);
    const ids: string[] = [];
    for (let count = 0; count < SCHEDULES; count += 1) ids.push((await bed.create({ overlap: 'allow' })).id);
    const parts = { ...bed.parts(), leaseMs: LEASE_MS };
    const spawn = () => killable(parts, () => random.below(100) < DEATHS_PER_HUNDRED_STEPS);
    let deaths = 0;
    let schedulers = [spawn(), spawn()];
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      const startMs = START_MS + minute * MINUTE_MS;
      for (const laterMs of [0, LEASE_MS, 2 * LEASE_MS]) {
        bed.setClock(new Date(startMs + laterMs));
        await Promise.all(schedulers.map(tick));
        deaths += schedulers.filter(({ isDead }) => isDead).length;
        schedulers = schedulers.map((scheduler) => (scheduler.isDead ? spawn() : scheduler));
      }
      // No scheduler dies here: a run that waits beyond the next tick is merged with it, which another test covers.
      let nowMs = startMs + 3 * LEASE_MS;
      await eventually(async () => {
        bed.setClock(new Date(nowMs));
        nowMs += 1;
        // The lease of a tick ended by a busy machine is over by then.
        await runTick({ ...parts, leaseMs: 1 }, never);
      });
    }
    expect(deaths).toBeGreaterThan(10);
    for (const id of ids) await expectEachTickOnce(id, MINUTES);
  });
});
