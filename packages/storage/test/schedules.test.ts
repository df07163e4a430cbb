import { randomUUID } from 'node:crypto';
import { AppError, createId, type JobState, settingsOf, toFailure } from '@gleaner/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createStores, type Database, type DueSchedule, type Stores } from '../src/index.ts';
import { dueFilter, liveFilter } from '../src/schedules/schedule-run-store.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

// Far in the future, so that stored documents do not expire by the server's clock.
const NOW = new Date('2099-01-01T12:00:00Z');
const NEXT = new Date('2099-01-01T13:00:00Z');
const LEASE_END = new Date('2099-01-01T12:00:30Z');
const SETTINGS = settingsOf({ url: 'https://example.com/', cron: '0 * * * *' });

describe.each(BACKENDS)('schedules on $name', ({ start }) => {
  let database: Database;
  let schedules: Stores['schedules'];
  let runs: Stores['scheduleRuns'];

  const { connect } = useBackend(start, (connected) => {
    database = connected;
    ({ schedules, scheduleRuns: runs } = createStores(connected));
  });
  beforeEach(async () => {
    await database.models.schedules.deleteMany({});
  });

  const lease = () => ({ token: randomUUID(), until: LEASE_END });
  const claimOf = (due: DueSchedule) => ({ ...due, nextRunAt: NEXT, jobId: createId('job') });

  async function create(nextRunAt: Date, settings = SETTINGS) {
    const target = { id: createId('sch'), accountId: 'acc_1' };
    return await schedules.createSchedule({ ...target, settings, nextRunAt, at: NOW });
  }

  const startOf = (id: string, jobId = '') =>
    ({ id, jobId, outcome: 'started', status: 'pending', at: NOW }) as const;

  async function findDueOne(): Promise<DueSchedule> {
    const [due] = await runs.findDue(NOW, 10);
    if (!due) throw new Error('Nothing is due.');
    return due;
  }

  it('stores settings with names that BSON would reject', async () => {
    const settings = { ...SETTINGS, selectors: { 'a.b': 'h1', $x: 'h2' }, headers: { 'X.Y': '1' } };
    const { id } = await create(NEXT, settings);
    expect((await schedules.findSchedule({ id, accountId: 'acc_1' }))?.settings).toEqual(settings);
  });

  it.each([[{ $ne: null }], [/.*/], [undefined], ['sch_none']])('returns null for the id %p', async (id) => {
    await create(NEXT);
    expect(await schedules.findSchedule({ id: id as string, accountId: 'acc_1' })).toBeNull();
  });

  it('finds due schedules, the longest overdue first, without paused and later ones', async () => {
    const late = await create(new Date(NOW.getTime() - 1000));
    const later = await create(new Date(NOW.getTime() - 60_000));
    const paused = await create(NOW);
    await create(new Date(NOW.getTime() + 1));
    await schedules.pauseSchedule({ id: paused.id, accountId: 'acc_1' }, NOW);
    expect((await runs.findDue(NOW, 10)).map(({ id }) => id)).toEqual([later.id, late.id]);
    expect(await runs.findDue(NOW, 1)).toHaveLength(1);
  });

  it('finds due schedules by an index, and reads no other documents', async () => {
    for (let count = 0; count < 50; count += 1) await create(NEXT);
    const due = await create(NOW);
    const plan = await database.models.schedules.collection
      .find(dueFilter(NOW))
      .sort({ nextRunAt: 1 })
      .limit(200)
      .explain('executionStats');
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('"IXSCAN"');
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('"SORT"');
    expect(plan.executionStats.totalDocsExamined).toBe(1);
    expect((await runs.findDue(NOW, 200)).map(({ id }) => id)).toEqual([due.id]);
  });

  it.each([
    ['pending runs', { 'run.leaseUntil': { $lte: NOW } }],
    ['live runs', liveFilter('')],
  ])('finds %s by an index that is empty while there are none', async (_case, filter) => {
    for (let count = 0; count < 20; count += 1) await create(NEXT);
    const plan = await database.models.schedules.collection.find(filter).explain('executionStats');
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('"IXSCAN"');
    expect(plan.executionStats).toMatchObject({ totalDocsExamined: 0, totalKeysExamined: 0 });
  });

  it('gives a tick to one of several concurrent claims', async () => {
    const { id } = await create(NOW);
    const due = await findDueOne();
    const others = await Promise.all([1, 2, 3].map(async () => createStores(await connect())));
    const claimed = await Promise.all(
      others.map(({ scheduleRuns }) => scheduleRuns.claim([claimOf(due)], lease())),
    );
    expect(claimed.flat().map((schedule) => schedule.id)).toEqual([id]);
    expect(claimed.flat()[0]).toMatchObject({ nextRunAt: NEXT, run: { dueAt: NOW, attempts: 1 } });
  });

  it('rejects a claim made before the settings changed', async () => {
    const { id } = await create(NOW);
    const due = await findDueOne();
    await schedules.replaceSettings({ id, accountId: 'acc_1' }, SETTINGS, { revision: 0, at: NOW });
    expect(await runs.claim([claimOf(due)], lease())).toEqual([]);
  });

  it('merges a tick into the pending run, and rejects the claim if that run has just started', async () => {
    const { id } = await create(NOW);
    const [first] = await runs.claim([claimOf(await findDueOne())], lease());
    await database.models.schedules.updateOne({ _id: id }, { nextRunAt: NOW });
    const due = await findDueOne();
    expect(due.pendingJobId).toBe(first?.run.jobId);
    expect(await runs.claim([claimOf(due)], lease())).toEqual([]);
    expect(await runs.findDue(NOW, 10)).toEqual([]);

    await database.models.schedules.updateOne({ _id: id }, { nextRunAt: NOW });
    await runs.recordEnds([startOf(id, first?.run.jobId)]);
    await runs.claim([claimOf(due)], lease());
    expect(await findDueOne()).toMatchObject({ id, pendingJobId: undefined });
  });

  it('gives a run to one other process once its lease has expired', async () => {
    await create(NOW);
    const [first] = await runs.claim([claimOf(await findDueOne())], lease());
    expect(await runs.takeOver(NOW, lease(), 10)).toEqual([]);
    const later = { until: new Date(LEASE_END.getTime() + 30_000) };
    const taken = await Promise.all(
      [1, 2, 3].map(() => runs.takeOver(LEASE_END, { token: randomUUID(), ...later }, 10)),
    );
    expect(taken.flat()).toHaveLength(1);
    expect(taken.flat()[0]?.run).toMatchObject({ jobId: first?.run.jobId, attempts: 2 });
  });

  it('counts a start once when it is recorded repeatedly', async () => {
    const { id } = await create(NOW);
    const [claimed] = await runs.claim([claimOf(await findDueOne())], lease());
    const started = startOf(id, claimed?.run.jobId);
    await Promise.all([1, 2, 3].map(() => runs.recordEnds([started])));
    expect(await schedules.findSchedule({ id, accountId: 'acc_1' })).toMatchObject({ runCount: 1 });
    const last = { lastJobId: started.jobId, lastStatus: 'pending' };
    expect(await runs.findLive('', 10)).toEqual([{ id, jobIds: [started.jobId], ...last }]);
    expect(await runs.findLive(id, 10)).toEqual([]);
  });

  it('follows several runs until each has finished, and shows the state of the last one', async () => {
    const { id } = await create(NOW);
    const statesOf = (statuses: Record<string, JobState>) =>
      new Map(Object.entries(statuses).map(([jobId, status]) => [jobId, { status }]));
    const look = async (statuses: Record<string, JobState>) => {
      await runs.recordStates(await runs.findLive('', 10), statesOf(statuses));
      const { lastStatus, liveJobIds } = (await schedules.findSchedule({ id, accountId: 'acc_1' })) ?? {};
      return [lastStatus, liveJobIds];
    };
    for (const jobId of ['job_a', 'job_b']) {
      await runs.recordExtraRun(id, { jobId, status: 'pending', at: NOW });
      await runs.recordExtraRun(id, { jobId: 'job_a', status: 'pending', at: NOW });
    }
    expect(await look({ job_a: 'running', job_b: 'completed' })).toEqual(['completed', ['job_a']]);
    expect(await look({ job_a: 'failed' })).toEqual(['completed', undefined]);
    expect(await runs.findLive('', 10)).toEqual([]);
    expect(await schedules.findSchedule({ id, accountId: 'acc_1' })).toMatchObject({ runCount: 2 });
  });

  it('ignores states read before another run was started or refused', async () => {
    const { id } = await create(NOW);
    await runs.recordExtraRun(id, { jobId: 'job_a', status: 'pending', at: NOW });
    const before = await runs.findLive('', 10);
    const [claimed] = await runs.claim([claimOf(await findDueOne())], lease());
    const failure = toFailure(new AppError('INSUFFICIENT_CREDITS'));
    const jobId = claimed?.run.jobId ?? '';
    await runs.recordEnds([{ id, jobId, outcome: 'refused', failure, at: NOW }]);
    await runs.recordStates(before, new Map([['job_a', { status: 'completed' as const }]]));
    expect(await schedules.findSchedule({ id, accountId: 'acc_1' })).toMatchObject({
      lastStatus: 'refused',
      liveJobIds: ['job_a'],
    });
  });

  it('moves the next run only if it is still at the known time', async () => {
    const { id } = await create(NOW);
    const target = { id, accountId: 'acc_1' };
    const to = new Date(NEXT.getTime() + 60_000);
    await runs.claim([claimOf(await findDueOne())], lease());
    const replace = (from: Date) =>
      schedules.replaceSettings(target, SETTINGS, { revision: 0, at: NOW, nextRun: { from, to } });
    expect(await replace(NOW)).toBeNull();
    expect(await replace(NEXT)).toMatchObject({ nextRunAt: to, lastDueAt: NOW });
  });
});
