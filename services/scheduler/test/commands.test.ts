import { AppError, createId, type ScheduleCommand, settingsOf } from '@gleaner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { handleCommand } from '../src/handle-command.ts';
import { runTick } from '../src/tick/run-tick.ts';
import { ACCOUNT, PAGE, startTestBed, type TestBed } from './support/test-bed.ts';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed();
});
beforeEach(() => {
  bed.orchestrator.commands.length = 0;
  bed.orchestrator.intercept(undefined);
  bed.setClock('2026-03-01T12:00:00Z');
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const target = (scheduleId: string) => ({ scheduleId, accountId: ACCOUNT });

async function update(id: string, changes: object) {
  const { settings, revision } = await bed.find(id);
  return await bed.command({
    type: 'update',
    ...target(id),
    settings: { ...settings, ...changes },
    revision,
  });
}

describe('schedule commands', () => {
  it('create a schedule with its defaults and its next run', async () => {
    const schedule = await bed.create({ cron: '0 9 * * 1-5', timezone: 'America/New_York' });
    expect(schedule).toEqual({
      id: expect.stringMatching(/^sch_/),
      name: 'Untitled schedule',
      selectors: null,
      webhook: null,
      url: PAGE,
      cron: '0 9 * * 1-5',
      timezone: 'America/New_York',
      overlap: 'skip',
      status: 'active',
      nextRunAt: '2026-03-02T14:00:00.000Z',
      lastRunAt: null,
      lastJobId: null,
      lastStatus: null,
      lastError: null,
      health: 'ok',
      lastChanges: null,
      runCount: 0,
      skippedCount: 0,
      lastSkippedAt: null,
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
    });
  });

  it('preview the next times, also across a clock change, and create nothing', async () => {
    bed.setClock('2026-03-28T12:00:00Z');
    const timing = { cron: '30 2 * * *', timezone: 'europe/berlin', count: 3 };
    expect(await bed.command({ type: 'preview', timing })).toEqual({
      outcome: 'previewed',
      timezone: 'Europe/Berlin',
      // 02:30 does not exist on 29 March: the run follows right after the gap.
      runs: ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z'],
    });
    const few = await bed.command({ type: 'preview', timing: { cron: '0 0 * * *' } });
    expect(few).toMatchObject({ timezone: 'UTC', runs: { length: 5 } });
  });

  it.each([
    ['cron', { cron: '61 * * * *' }],
    ['timezone', { cron: '0 9 * * *', timezone: 'Mars/Olympus' }],
  ])('refuse to preview a wrong %s', async (path, timing) => {
    await expect(bed.command({ type: 'preview', timing })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path }],
    });
  });

  it('create one schedule when the same command comes twice', async () => {
    const settings = settingsOf({ url: PAGE, cron: '0 9 * * *' });
    const command: ScheduleCommand = { type: 'create', ...target(createId('sch')), settings };
    const replies = [await bed.command(command), await bed.command(command)];
    expect(replies[1]).toEqual(replies[0]);
  });

  it('reject an invalid cron and timezone together, with a suggestion for each', async () => {
    await expect(bed.create({ cron: '61 * * * *', timezone: 'UTC+25' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: [
        { path: 'cron', message: expect.stringContaining('"61"') },
        { path: 'timezone', message: expect.stringContaining('UTC+25') },
      ],
      suggestion: expect.stringMatching(/0 to 59.*Europe\/Berlin/),
    });
  });

  it('update the settings, and the next run when cron or timezone change', async () => {
    const { id } = await bed.create({ cron: '0 9 * * *', headers: { 'X-Team': 'a' } });
    bed.setClock('2026-03-01T13:00:00Z');
    expect(await update(id, { name: 'Renamed' })).toMatchObject({
      schedule: {
        name: 'Renamed',
        nextRunAt: '2026-03-02T09:00:00.000Z',
        updatedAt: '2026-03-01T13:00:00.000Z',
      },
    });
    expect(await update(id, { cron: '30 * * * *' })).toMatchObject({
      schedule: { nextRunAt: '2026-03-01T13:30:00.000Z', headers: { 'X-Team': 'a' } },
    });
    expect(await update(id, { cron: '0 9 * * *', timezone: 'Asia/Kolkata' })).toMatchObject({
      schedule: { nextRunAt: '2026-03-02T03:30:00.000Z' },
    });
  });

  it('change nothing when an update is invalid', async () => {
    const { id } = await bed.create({ cron: '0 9 * * *' });
    const before = await bed.find(id);
    await expect(update(id, { cron: '0 0 30 2 *' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(update(id, { timezone: 'Nowhere' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await bed.find(id)).toEqual(before);
  });

  it('store the time zone as IANA spells it', async () => {
    const created = await bed.create({ timezone: 'europe/berlin' });
    expect(created.timezone).toBe('Europe/Berlin');
    expect(await update(created.id, { timezone: 'asia/kolkata' })).toMatchObject({
      schedule: { timezone: 'Asia/Kolkata' },
    });
  });

  it('ask node-cron about a new expression, and not about one that does not change', async () => {
    const { id } = await bed.create({ cron: '0 9 * * *' });
    const { settings, revision } = await bed.find(id);
    const upgraded = { ...bed.parts(), secondOpinion: () => false };
    const { signal } = new AbortController();
    const renamed = {
      type: 'update' as const,
      ...target(id),
      settings: { ...settings, name: 'B' },
      revision,
    };
    expect(await handleCommand(renamed, upgraded, signal)).toMatchObject({ schedule: { name: 'B' } });
    const retimed = { ...renamed, settings: { ...settings, cron: '0 8 * * *' }, revision: revision + 1 };
    await expect(handleCommand(retimed, upgraded, signal)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    for (const type of ['pause', 'resume'] as const)
      await handleCommand({ type, ...target(id) }, upgraded, signal);
    await runTick({ ...upgraded, now: () => new Date('2026-03-02T09:00:00Z') }, signal);
    expect(await bed.find(id)).toMatchObject({ status: 'active', runCount: 1 });
  });

  it('reply "stale" to an update of a record that has been changed since it was read', async () => {
    const { id } = await bed.create({});
    const { settings, revision } = await bed.find(id);
    await update(id, { name: 'First' });
    const late = {
      type: 'update' as const,
      ...target(id),
      settings: { ...settings, name: 'Late' },
      revision,
    };
    expect(await bed.command(late)).toEqual({ outcome: 'stale' });
    expect((await bed.find(id)).settings.name).toBe('First');
  });

  it('pause and resume repeatedly, and compute the next run of a resumed schedule from now', async () => {
    const { id } = await bed.create({ cron: '0 * * * *' });
    for (let count = 0; count < 2; count += 1) {
      expect(await bed.command({ type: 'pause', ...target(id) })).toMatchObject({
        schedule: { status: 'paused', nextRunAt: null, updatedAt: '2026-03-01T12:00:00.000Z' },
      });
    }
    expect(await update(id, { cron: '15 * * * *' })).toMatchObject({ schedule: { nextRunAt: null } });
    for (const moment of ['2026-03-04T08:20:00Z', '2026-03-04T08:25:00Z']) {
      bed.setClock(moment);
      expect(await bed.command({ type: 'resume', ...target(id) })).toMatchObject({
        schedule: {
          status: 'active',
          nextRunAt: '2026-03-04T09:15:00.000Z',
          updatedAt: '2026-03-04T08:20:00.000Z',
        },
      });
    }
  });

  it('run a paused schedule once per job id, without changing its next run', async () => {
    const { id } = await bed.create({ cron: '0 9 * * *' });
    await bed.command({ type: 'pause', ...target(id) });
    const command = { type: 'run' as const, ...target(id), jobId: createId('job') };
    for (let count = 0; count < 2; count += 1) {
      expect(await bed.command(command)).toMatchObject({
        outcome: 'started',
        job: { id: command.jobId, status: 'pending', scheduleId: id, totalUrls: 1 },
      });
    }
    expect(await bed.find(id)).toMatchObject({
      lastJobId: command.jobId,
      lastStatus: 'pending',
      runCount: 1,
      nextRunAt: null,
    });
  });

  it('run a schedule under a key of the caller, and a repeated run is not its last one again', async () => {
    const { id } = await bed.create({});
    const first = { type: 'run' as const, ...target(id), jobId: createId('job'), idempotencyKey: 'once' };
    const started = await bed.command(first);
    expect(bed.orchestrator.commands).toMatchObject([{ idempotencyKey: 'once', isExtraRun: true }]);
    const later = createId('job');
    await bed.command({ type: 'run', ...target(id), jobId: later });
    expect(await bed.command({ ...first, jobId: createId('job') })).toEqual(started);
    expect(await bed.find(id)).toMatchObject({ lastJobId: later, runCount: 2 });
  });

  it('run a crawl that begins at the URL of the schedule', async () => {
    const crawl = { limit: 20, rules: [{ match: '/a', selectors: { title: 'h1' } }] };
    const { id } = await bed.create({ cron: '0 9 * * *', crawl });
    await bed.command({ type: 'run', ...target(id), jobId: createId('job') });
    expect(bed.orchestrator.commands).toMatchObject([
      { type: 'create', scheduleId: id, request: { urls: [PAGE], crawl } },
    ]);
  });

  it('pass on the error when a run cannot be started, and do not count it', async () => {
    const { id } = await bed.create({});
    bed.orchestrator.intercept(() => {
      throw new AppError('INSUFFICIENT_CREDITS');
    });
    const command = { type: 'run' as const, ...target(id), jobId: createId('job') };
    await expect(bed.command(command)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    expect(await bed.find(id)).toMatchObject({ runCount: 0, lastJobId: null });
  });

  it('hasten the next run once, and go on with the cron after it', async () => {
    const { id } = await bed.create({ cron: '0 9 * * *' });
    const hasten = (at: string) => bed.command({ type: 'hasten', ...target(id), at });
    expect(await hasten('2026-03-03T12:00:00Z')).toEqual({ outcome: 'hastened' });
    expect((await bed.find(id)).nextRunAt).toEqual(new Date('2026-03-02T09:00:00Z'));
    for (let count = 0; count < 2; count += 1) await hasten('2026-03-01T12:00:30Z');
    expect((await bed.find(id)).nextRunAt).toEqual(new Date('2026-03-01T12:00:30Z'));
    bed.setClock('2026-03-01T12:00:31Z');
    await runTick(bed.parts(), new AbortController().signal);
    expect(bed.orchestrator.commands).toMatchObject([{ scheduleId: id }]);
    await hasten('2026-03-01T12:00:30Z');
    expect(await bed.find(id)).toMatchObject({ nextRunAt: new Date('2026-03-02T09:00:00Z'), runCount: 1 });
    await bed.command({ type: 'pause', ...target(id) });
    await hasten('2026-03-01T12:01:00Z');
    expect((await bed.find(id)).nextRunAt).toBeNull();
  });

  it('delete a schedule, and accept the same deletion again', async () => {
    const { id } = await bed.create({});
    for (let count = 0; count < 2; count += 1)
      expect(await bed.command({ type: 'delete', ...target(id) })).toEqual({ outcome: 'deleted' });
    expect(await bed.stores.schedules.findSchedule({ id, accountId: ACCOUNT })).toBeNull();
  });

  it.each(['update', 'pause', 'resume', 'run', 'delete'] as const)(
    'do not affect the schedule of another account: %s',
    async (type) => {
      const { id } = await bed.create({}, 'acc_other');
      const before = await bed.find(id, 'acc_other');
      const commands = {
        update: { type: 'update' as const, settings: before.settings, revision: before.revision },
        pause: { type: 'pause' as const },
        resume: { type: 'resume' as const },
        run: { type: 'run' as const, jobId: createId('job') },
        delete: { type: 'delete' as const },
      };
      const outcome = bed.command({ ...commands[type], ...target(id) });
      if (type === 'delete') await outcome;
      else await expect(outcome).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
      expect(await bed.find(id, 'acc_other')).toEqual(before);
    },
  );
});
