import { readConfig } from '@gleaner/config';
import { createId, settingsOf } from '@gleaner/contracts';
import { createMetrics } from '@gleaner/service-kit';
import { eventually, untilReady } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { SCHEDULER_SETTINGS } from '../src/config.ts';
import { startScheduler } from '../src/start-scheduler.ts';
import type { ScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { ACCOUNT, PAGE, startTestBed, type TestBed } from './support/test-bed.ts';

describe('startScheduler', () => {
  it('carries out commands and ticks until it is stopped', async () => {
    await using bed = await startTestBed();
    const { broker, database, logger, stores, orchestrator } = bed;
    const metrics = createMetrics('scheduler');
    const config = readConfig(SCHEDULER_SETTINGS, {});
    const scheduler = await startScheduler({ config, logger, metrics, broker, database });
    await untilReady(broker);

    const target = { scheduleId: createId('sch'), accountId: ACCOUNT };
    const settings = settingsOf({ url: PAGE, cron: '0 0 1 1 *' });
    const reply = await broker.request(
      'schedules.commands',
      { type: 'create', ...target, settings },
      { timeoutMs: 60_000 },
    );
    expect(reply).toMatchObject({ outcome: 'stored', schedule: { id: target.scheduleId, status: 'active' } });

    const overdue = { id: createId('sch'), accountId: ACCOUNT, settings, at: new Date() };
    await stores.schedules.createSchedule({ ...overdue, nextRunAt: new Date(Date.now() - 1000) });
    await eventually(async () => expect(await bed.find(overdue.id)).toMatchObject({ runCount: 1 }));
    await expectOneJob(overdue.id, orchestrator, bed);
    await eventually(async () => {
      const { text } = await metrics.render();
      expect(text).toMatch(/gleaner_schedule_runs_total\{outcome="started",service="scheduler"\} 1/);
    });

    await scheduler.stop(AbortSignal.timeout(30_000));
    const later = { ...overdue, id: createId('sch'), nextRunAt: new Date(Date.now() - 1000) };
    await stores.schedules.createSchedule(later);
    expect(await broker.consumerCount('schedules.commands')).toBe(0);
    expect(await bed.find(later.id)).toMatchObject({ runCount: 0 });
  });

  it('postpones runs while no orchestrator is running, and starts them afterwards', async () => {
    await using bed = await startTestBed();
    const { broker, database, logger, stores, orchestrator } = bed;
    await orchestrator.stop();
    const config = readConfig(SCHEDULER_SETTINGS, { RUN_RETRY_DELAY_MS: '100' });
    const metrics = createMetrics('scheduler');
    const scheduler = await startScheduler({ config, logger, metrics, broker, database });
    const settings = settingsOf({ url: PAGE, cron: '0 0 1 1 *' });
    const schedule = { id: createId('sch'), accountId: ACCOUNT, settings, at: new Date() };
    await stores.schedules.createSchedule({ ...schedule, nextRunAt: new Date(Date.now() - 1000) });
    await eventually(async () => {
      expect((await bed.find(schedule.id)).run?.attempts).toBeGreaterThan(1);
    });
    const run = { type: 'run', scheduleId: schedule.id, accountId: ACCOUNT, jobId: createId('job') } as const;
    await expect(broker.request('schedules.commands', run, { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'No job-orchestrator is running.',
    });
    const successor = await bed.startOrchestrator();
    await eventually(async () => expect(await bed.find(schedule.id)).toMatchObject({ runCount: 1 }));
    await expectOneJob(schedule.id, successor, bed);
    await scheduler.stop(AbortSignal.timeout(30_000));
  });
});

/** Expects one job, of this schedule; its command may have come again after a lost reply. */
async function expectOneJob(id: string, { commands }: ScriptedOrchestrator, bed: TestBed): Promise<void> {
  const started = new Set(commands.map(({ scheduleId, jobId }) => `${scheduleId} ${jobId}`));
  expect([...started]).toEqual([`${id} ${(await bed.find(id)).lastJobId}`]);
  expect(await bed.database.models.jobs.countDocuments({})).toBe(1);
}
