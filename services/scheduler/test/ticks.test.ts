import { AppError, createId } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTicks, runTick } from '../src/tick/run-tick.ts';
import { killable } from './support/killable.ts';
import { ACCOUNT, PAGE, startTestBed, type TestBed } from './support/test-bed.ts';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed();
});
beforeEach(async () => {
  await bed.database.models.schedules.deleteMany({});
  bed.orchestrator.commands.length = 0;
  bed.orchestrator.intercept(undefined);
  bed.setClock('2026-01-01T00:00:30Z');
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const target = (scheduleId: string) => ({ scheduleId, accountId: ACCOUNT });
const startedBy = (id: string) => bed.orchestrator.commands.filter(({ scheduleId }) => scheduleId === id);

describe('a tick', () => {
  it('starts a due schedule as a job of one URL with every option, and sets its next run', async () => {
    const options = { selectors: { 'a.b': 'h1' }, headers: { 'X-$a': '1' }, render: true, waitFor: 100 };
    const webhook = { url: 'https://hooks.example/', metadata: { 'dotted.name': 'x' } };
    const { id, nextRunAt } = await bed.create({ name: 'Prices', cron: '*/5 * * * *', ...options, webhook });
    expect(nextRunAt).toBe('2026-01-01T00:05:00.000Z');
    await bed.tickAt('2026-01-01T00:04:59.999Z');
    expect(startedBy(id)).toEqual([]);
    await bed.tickAt('2026-01-01T00:05:00Z');
    const [command] = startedBy(id);
    expect(command).toEqual({
      type: 'create',
      jobId: expect.stringMatching(/^job_/),
      accountId: ACCOUNT,
      keyId: null,
      request: { name: 'Prices', urls: [PAGE], ...options, webhook },
      scheduleId: id,
      idempotencyKey: `${id}:2026-01-01T00:05:00.000Z`,
    });
    expect(await bed.find(id)).toMatchObject({
      nextRunAt: new Date('2026-01-01T00:10:00Z'),
      lastRunAt: new Date('2026-01-01T00:05:00Z'),
      lastJobId: command?.jobId,
      lastStatus: 'pending',
      runCount: 1,
    });
    expect(await bed.find(id)).not.toHaveProperty('run');
  });

  it('starts a due schedule of several URLs as one job of them', async () => {
    const urls = ['https://example.com/a', 'https://example.com/b', 'https://example.com/a'];
    const { id } = await bed.create({ urls, selectors: { a: 'h1' } });
    await bed.tickAt('2026-01-01T00:05:00Z');
    await bed.tickAt('2026-01-01T00:05:00.500Z');
    expect(startedBy(id).map(({ request }) => request)).toEqual([
      { name: 'Untitled schedule', urls, selectors: { a: 'h1' } },
    ]);
    expect(await bed.find(id)).toMatchObject({ runCount: 1, settings: { urls } });
  });

  it('starts each due schedule once when several schedulers tick at the same time', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 450; count += 1) ids.push((await bed.create({ cron: '0 0 1 1 *' })).id);
    let clockMs = Date.parse('2027-01-01T00:00:00Z');
    bed.setClock(new Date(clockMs));
    const { signal } = new AbortController();
    // A busy machine may end a tick or lose a reply: later ticks go on once leases and delays are over.
    await Promise.allSettled([1, 2, 3].map(() => runTick(bed.parts(), signal)));
    const { schedules, jobs } = bed.database.models;
    await eventually(async () => {
      clockMs += 60_000;
      await bed.tickAt(new Date(clockMs));
      expect(await schedules.countDocuments({ runCount: 1 })).toBe(ids.length);
    });
    // The command of a lost reply is sent again, for the same job.
    const started = new Map(bed.orchestrator.commands.map(({ jobId, scheduleId }) => [jobId, scheduleId]));
    expect([...started.values()].sort()).toEqual(ids.sort());
    const stored = await jobs.find({ scheduleId: { $in: ids } }, { scheduleId: 1 }).lean();
    expect(stored.map(({ scheduleId }) => scheduleId).sort()).toEqual(ids);
  });

  it('starts one run for all that were missed while no scheduler was running', async () => {
    const { id } = await bed.create({ overlap: 'allow' });
    await bed.tickAt('2026-01-03T07:00:20Z');
    await bed.tickAt('2026-01-03T07:00:21Z');
    expect(startedBy(id)).toHaveLength(1);
    expect((await bed.find(id)).nextRunAt).toEqual(new Date('2026-01-03T07:01:00Z'));
  });

  it('does not start paused or deleted schedules', async () => {
    const paused = await bed.create({});
    const deleted = await bed.create({});
    await bed.command({ type: 'pause', ...target(paused.id) });
    await bed.command({ type: 'delete', ...target(deleted.id) });
    await bed.tickAt('2026-01-01T01:00:00Z');
    expect(bed.orchestrator.commands).toEqual([]);
  });

  it('skips a run while the previous one has not finished, and counts it', async () => {
    const { id } = await bed.create({});
    await bed.tickAt('2026-01-01T00:01:00Z');
    const first = await bed.find(id);
    await bed.orchestrator.move(first.lastJobId ?? '', 'running');
    await bed.tickAt('2026-01-01T00:02:00Z');
    expect(startedBy(id)).toHaveLength(1);
    expect(await bed.find(id)).toMatchObject({
      lastJobId: first.lastJobId,
      lastStatus: 'running',
      runCount: 1,
      skippedCount: 1,
      lastSkippedAt: new Date('2026-01-01T00:02:00Z'),
      nextRunAt: new Date('2026-01-01T00:03:00Z'),
    });
    await bed.orchestrator.move(first.lastJobId ?? '', 'completed');
    await bed.tickAt('2026-01-01T00:03:00Z');
    expect(startedBy(id)).toHaveLength(2);
    expect(await bed.find(id)).toMatchObject({ runCount: 2, skippedCount: 1 });
  });

  it('skips a run while any earlier one has not finished, even after a later extra run has', async () => {
    const { id } = await bed.create({});
    await bed.tickAt('2026-01-01T00:01:00Z');
    const first = (await bed.find(id)).lastJobId ?? '';
    const extra = createId('job');
    await bed.command({ type: 'run', ...target(id), jobId: extra });
    await bed.orchestrator.move(extra, 'completed');
    await bed.tickAt('2026-01-01T00:02:00Z');
    expect(await bed.find(id)).toMatchObject({ runCount: 2, skippedCount: 1, lastStatus: 'completed' });
    await bed.orchestrator.move(first, 'completed');
    await bed.tickAt('2026-01-01T00:03:00Z');
    expect(await bed.find(id)).toMatchObject({ runCount: 3, skippedCount: 1, lastStatus: 'pending' });
  });

  it('starts a run during the previous one when overlap is allowed', async () => {
    const { id } = await bed.create({ overlap: 'allow' });
    await bed.tickAt('2026-01-01T00:01:00Z');
    await bed.tickAt('2026-01-01T00:02:00Z');
    expect(startedBy(id)).toHaveLength(2);
    expect(await bed.find(id)).toMatchObject({ runCount: 2, skippedCount: 0 });
  });

  it('copies the status of the last job until it has finished', async () => {
    const { id } = await bed.create({});
    await bed.tickAt('2026-01-01T00:01:00Z');
    const jobId = (await bed.find(id)).lastJobId ?? '';
    for (const status of ['running', 'failed'] as const) {
      await bed.orchestrator.move(jobId, status);
      await bed.tickAt('2026-01-01T00:01:01Z');
      expect((await bed.find(id)).lastStatus).toBe(status);
    }
    expect(await bed.find(id)).not.toHaveProperty('liveJobIds');
    expect(await bed.find(id)).not.toHaveProperty('liveKey');
  });

  it('keeps the last known status of a job that no longer exists', async () => {
    const { id } = await bed.create({});
    await bed.tickAt('2026-01-01T00:01:00Z');
    await bed.database.models.jobs.deleteMany({ scheduleId: id });
    await bed.tickAt('2026-01-01T00:01:01Z');
    expect(await bed.find(id)).toMatchObject({ lastStatus: 'pending' });
    await bed.tickAt('2026-01-01T00:02:00Z');
    expect(await bed.find(id)).toMatchObject({ runCount: 2, skippedCount: 0 });
  });

  it('retries a run that could not be started with the same job id, after growing delays', async () => {
    const { id } = await bed.create({ cron: '0 * * * *' });
    bed.orchestrator.intercept(() => {
      throw new AppError('SERVICE_UNAVAILABLE');
    });
    await bed.tickAt('2026-01-01T01:00:00Z');
    await bed.tickAt('2026-01-01T01:00:04Z');
    expect(startedBy(id)).toHaveLength(1);
    await bed.tickAt('2026-01-01T01:00:05Z');
    await bed.tickAt('2026-01-01T01:00:10Z');
    expect(startedBy(id)).toHaveLength(2);
    bed.orchestrator.intercept(undefined);
    await bed.tickAt('2026-01-01T01:00:15Z');
    const commands = startedBy(id);
    expect(commands).toHaveLength(3);
    expect(new Set(commands.map(({ jobId, idempotencyKey }) => `${jobId} ${idempotencyKey}`)).size).toBe(1);
    expect(await bed.find(id)).toMatchObject({ runCount: 1, lastStatus: 'pending', lastError: null });
  });

  it('makes ticks that pass while a run is postponed part of that run', async () => {
    const { id } = await bed.create({});
    bed.orchestrator.intercept(() => {
      throw new AppError('SERVICE_UNAVAILABLE');
    });
    for (const minute of [1, 2, 3]) await bed.tickAt(new Date(Date.UTC(2026, 0, 1, 0, minute)));
    bed.orchestrator.intercept(undefined);
    await bed.tickAt('2026-01-01T00:03:59Z');
    expect(new Set(startedBy(id).map(({ jobId }) => jobId)).size).toBe(1);
    expect(await bed.find(id)).toMatchObject({ runCount: 1, nextRunAt: new Date('2026-01-01T00:04:00Z') });
  });

  it('gives a tick its own run when the job of the pending one exists already', async () => {
    const { id } = await bed.create({ overlap: 'allow' });
    const dying = killable(bed.parts(), (point) => point === 'after createJobs');
    bed.setClock('2026-01-01T00:01:50Z');
    await Promise.race([runTick(dying.parts, AbortSignal.timeout(60_000)), dying.death]);
    await bed.tickAt('2026-01-01T00:02:00Z');
    expect(startedBy(id).map(({ idempotencyKey }) => idempotencyKey?.slice(-13, -8))).toEqual([
      '00:01',
      '00:02',
    ]);
    expect(await bed.find(id)).toMatchObject({
      runCount: 2,
      nextRunAt: new Date('2026-01-01T00:03:00Z'),
      liveJobIds: startedBy(id).map(({ jobId }) => jobId),
    });
    expect(await bed.find(id)).not.toHaveProperty('run');
  });

  it('does not repeat a tick when the clock is set back and the schedule is changed', async () => {
    const { id } = await bed.create({ overlap: 'allow' });
    await bed.tickAt('2026-01-01T00:01:00Z');
    bed.setClock('2026-01-01T00:00:40Z');
    const { settings, revision } = await bed.find(id);
    const settingsAfter = { ...settings, cron: '* 0-12 * * *' };
    await bed.command({ type: 'update', ...target(id), settings: settingsAfter, revision });
    expect((await bed.find(id)).nextRunAt).toEqual(new Date('2026-01-01T00:02:00Z'));
    await bed.command({ type: 'pause', ...target(id) });
    await bed.command({ type: 'resume', ...target(id) });
    for (const time of ['00:00:50', '00:01:00', '00:01:59', '00:02:00']) {
      await bed.tickAt(`2026-01-01T${time}Z`);
    }
    expect(startedBy(id).map(({ idempotencyKey }) => idempotencyKey?.slice(-13, -8))).toEqual([
      '00:01',
      '00:02',
    ]);
  });

  it('counts a tick once when it already has a job of another id', async () => {
    const { id } = await bed.create({ overlap: 'allow' });
    await bed.tickAt('2026-01-01T00:01:00Z');
    const first = startedBy(id)[0];
    const nextRunAt = new Date('2026-01-01T00:01:00Z');
    await bed.database.models.schedules.updateOne({ _id: id }, { nextRunAt });
    await bed.tickAt('2026-01-01T00:01:10Z');
    expect(await bed.find(id)).toMatchObject({ runCount: 1, lastJobId: first?.jobId });
    expect(await bed.find(id)).not.toHaveProperty('run');
  });

  it('stores the error when a job is refused, and goes on at the next time', async () => {
    const { id } = await bed.create({});
    bed.orchestrator.intercept(() => {
      throw new AppError('INSUFFICIENT_CREDITS', { message: 'The job may cost 1 credits; there are 0.' });
    });
    await bed.tickAt('2026-01-01T00:01:00Z');
    expect(await bed.find(id)).toMatchObject({
      lastStatus: 'refused',
      lastJobId: null,
      lastRunAt: new Date('2026-01-01T00:01:00Z'),
      lastError: { code: 'INSUFFICIENT_CREDITS', message: 'The job may cost 1 credits; there are 0.' },
      runCount: 0,
      nextRunAt: new Date('2026-01-01T00:02:00Z'),
    });
    bed.orchestrator.intercept(undefined);
    await bed.tickAt('2026-01-01T00:02:00Z');
    expect(await bed.find(id)).toMatchObject({ lastStatus: 'pending', lastError: null, runCount: 1 });
  });

  it('does not start a pending run once its schedule is paused', async () => {
    const { id } = await bed.create({});
    bed.orchestrator.intercept(() => {
      throw new AppError('SERVICE_UNAVAILABLE');
    });
    await bed.tickAt('2026-01-01T00:01:00Z');
    await bed.command({ type: 'pause', ...target(id) });
    bed.orchestrator.intercept(undefined);
    await bed.tickAt('2026-01-01T00:02:00Z');
    await bed.command({ type: 'resume', ...target(id) });
    await bed.tickAt('2026-01-01T00:02:30Z');
    expect(startedBy(id)).toHaveLength(1);
    expect(await bed.find(id)).toMatchObject({ runCount: 0 });
  });

  it('records a run whose job was created, although its schedule is paused before that is known', async () => {
    const { id } = await bed.create({});
    let created = '';
    bed.orchestrator.intercept(async ({ jobId }) => {
      created = jobId;
      const fields = {
        accountId: ACCOUNT,
        keyId: null,
        name: 'Answer lost',
        totalUrls: 1,
        optionsJson: '{}',
      };
      await bed.stores.jobs.insertDraft({ id: jobId, ...fields, createdAt: new Date() });
      await bed.stores.jobs.publishDrafts([jobId]);
      throw new AppError('SERVICE_UNAVAILABLE');
    });
    await bed.tickAt('2026-01-01T00:01:00Z');
    expect(await bed.find(id)).toMatchObject({ runCount: 0 });
    await bed.command({ type: 'pause', ...target(id) });
    bed.orchestrator.intercept(undefined);
    await bed.tickAt('2026-01-01T00:02:00Z');
    expect(await bed.find(id)).toMatchObject({
      status: 'paused',
      runCount: 1,
      lastJobId: created,
      lastStatus: 'pending',
    });
    await bed.tickAt('2026-01-01T00:03:00Z');
    expect(await bed.find(id)).toMatchObject({ runCount: 1 });
  });

  it('finds the job of a run that was created before the settings changed', async () => {
    const { id } = await bed.create({});
    bed.orchestrator.intercept(async ({ jobId }) => {
      const fields = { accountId: ACCOUNT, keyId: null, name: 'Earlier', totalUrls: 1, optionsJson: '{}' };
      await bed.stores.jobs.insertDraft({ id: jobId, ...fields, createdAt: new Date() });
      await bed.stores.jobs.publishDrafts([jobId]);
      throw new AppError('IDEMPOTENCY_CONFLICT');
    });
    await bed.tickAt('2026-01-01T00:01:00Z');
    expect(await bed.find(id)).toMatchObject({ lastStatus: 'pending', runCount: 1 });
  });

  it('pauses a schedule whose time zone no longer exists, and starts the others', async () => {
    const broken = await bed.create({});
    const sound = await bed.create({});
    await bed.database.models.schedules.updateOne({ _id: broken.id }, { timezone: 'Mars/Olympus' });
    await bed.tickAt('2026-01-01T00:01:00Z');
    expect(startedBy(sound.id)).toHaveLength(1);
    expect(await bed.find(broken.id)).toMatchObject({ status: 'paused', runCount: 0 });
  });
});

describe('the ticks of a scheduler', () => {
  const { signal } = new AbortController();
  const HOUR_MS = 3_600_000;

  it('rest while nothing is due, until a command has come', async () => {
    const ticks = createTicks(bed.parts(), HOUR_MS);
    await ticks.tick(signal);
    const { id } = await bed.create({});
    bed.setClock('2026-01-01T00:01:00Z');
    await ticks.tick(signal);
    expect(startedBy(id)).toEqual([]);
    ticks.wake();
    await ticks.tick(signal);
    expect(startedBy(id)).toHaveLength(1);
  });

  it('do not rest longer than until the next schedule is due', async () => {
    const { id } = await bed.create({});
    bed.setClock('2026-01-01T00:00:59.500Z');
    const ticks = createTicks(bed.parts(), HOUR_MS);
    await ticks.tick(signal);
    bed.setClock('2026-01-01T00:01:00Z');
    await ticks.tick(signal);
    expect(startedBy(id)).toHaveLength(1);
  });

  it('do not rest after a command that came during a tick', async () => {
    const parts = bed.parts();
    const findDue: typeof parts.runs.findDue = async (...args) => {
      ticks.wake();
      return await parts.runs.findDue(...args);
    };
    const ticks = createTicks({ ...parts, runs: { ...parts.runs, findDue } }, HOUR_MS);
    await ticks.tick(signal);
    const { id } = await bed.create({});
    bed.setClock('2026-01-01T00:01:00Z');
    await ticks.tick(signal);
    expect(startedBy(id)).toHaveLength(1);
  });
});
