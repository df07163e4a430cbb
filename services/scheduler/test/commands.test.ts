import { AppError, createId, type ScheduleCommand, settingsOf } from '@gleaner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ACCOUNT, PAGE, startTestBed, type TestBed } from './support/test-bed.ts';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed();
});
beforeEach(() => {
  bed.orchestrator.commands.length = 0;
  bed.orchestrator.obstruct(undefined);
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

describe('the commands', () => {
  it('create a schedule with its defaults and its next run', async () => {
    const schedule = await bed.create({ cron: '0 9 * * 1-5', timezone: 'America/New_York' });
    expect(schedule).toEqual({
      id: expect.stringMatching(/^sch_/),
      name: 'Untitled schedule',
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
      runCount: 0,
      skippedCount: 0,
      lastSkippedAt: null,
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
    });
  });

  it('create one schedule, however often they are said', async () => {
    const settings = settingsOf({ url: PAGE, cron: '0 9 * * *' });
    const command: ScheduleCommand = { type: 'create', ...target(createId('sch')), settings };
    const replies = [await bed.command(command), await bed.command(command)];
    expect(replies[1]).toEqual(replies[0]);
  });

  it('refuse cron and timezone together, with a suggestion for each', async () => {
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

  it('leave everything as it was when an update is wrong', async () => {
    const { id } = await bed.create({ cron: '0 9 * * *' });
    const before = await bed.find(id);
    await expect(update(id, { cron: '0 0 30 2 *' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(update(id, { timezone: 'Nowhere' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await bed.find(id)).toEqual(before);
  });

  it('change nothing by an update of a record that has changed meanwhile', async () => {
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

  it('pause and resume, any number of times; a resumed schedule runs next at its time from now', async () => {
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

  it('run a schedule now, paused or not, without touching its next run; said again it is the same run', async () => {
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

  it('pass on why a run could not be started, and count none', async () => {
    const { id } = await bed.create({});
    bed.orchestrator.obstruct(() => {
      throw new AppError('INSUFFICIENT_CREDITS');
    });
    const command = { type: 'run' as const, ...target(id), jobId: createId('job') };
    await expect(bed.command(command)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    expect(await bed.find(id)).toMatchObject({ runCount: 0, lastJobId: null });
  });

  it('delete for good, and not twice', async () => {
    const { id } = await bed.create({});
    for (let count = 0; count < 2; count += 1)
      expect(await bed.command({ type: 'delete', ...target(id) })).toEqual({ outcome: 'deleted' });
    expect(await bed.stores.schedules.findSchedule({ id, accountId: ACCOUNT })).toBeNull();
  });

  it.each(['update', 'pause', 'resume', 'run', 'delete'] as const)(
    'do not reach the schedule of another account: %s',
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
