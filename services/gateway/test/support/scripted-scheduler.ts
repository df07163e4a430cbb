import type { Broker } from '@gleaner/broker';
import { AppError, type ScheduleCommand, type ScheduleReply } from '@gleaner/contracts';
import { describeSchedule, type StoredSchedule, type Stores } from '@gleaner/storage';
import { untilReady } from '@gleaner/test-kit';

/** Handles a command for the scripted scheduler. */
export type ScheduleScript = (command: ScheduleCommand) => ScheduleReply | Promise<ScheduleReply>;

/** A scheduler on the real broker and database that starts no runs. */
export interface ScriptedScheduler {
  /** Commands that it received, in order. */
  readonly commands: ScheduleCommand[];
  /** Uses the script for the next command only. */
  followOnce(script: ScheduleScript): void;
  stop(): Promise<void>;
}

/** Next run of every schedule of this scheduler. */
export const NEXT_RUN_AT = '2030-01-01T09:00:00.000Z';

/** Starts the scheduler; it stores settings without checking cron or timezone. */
export async function startScriptedScheduler(broker: Broker, stores: Stores): Promise<ScriptedScheduler> {
  const commands: ScheduleCommand[] = [];
  let next: ScheduleScript | undefined;
  const subscription = broker.respond(
    'schedules.commands',
    async ({ body }) => {
      commands.push(body);
      const script = next ?? ((command) => answerPlainly(command, stores));
      next = undefined;
      return await script(body);
    },
    { concurrency: 10 },
  );
  await untilReady(broker);
  return {
    commands,
    followOnce: (script) => {
      next = script;
    },
    stop: () => subscription.stop(0),
  };
}

async function answerPlainly(command: ScheduleCommand, { schedules }: Stores): Promise<ScheduleReply> {
  if (command.type === 'preview') return { outcome: 'previewed', timezone: 'UTC', runs: [NEXT_RUN_AT] };
  const target = { id: command.scheduleId, accountId: command.accountId };
  const now = { at: new Date(), nextRunAt: new Date(NEXT_RUN_AT) };
  switch (command.type) {
    case 'create':
      return stored(await schedules.createSchedule({ ...target, settings: command.settings, ...now }));
    case 'update': {
      const { settings, revision } = command;
      const updated = await schedules.replaceSettings(target, settings, { revision, at: now.at });
      return updated ? stored(updated) : { outcome: 'stale' };
    }
    case 'pause':
      return stored(await schedules.pauseSchedule(target, now.at));
    case 'resume': {
      const paused = await schedules.findSchedule(target);
      const revised = { revision: paused?.revision ?? 0, ...now };
      return stored((await schedules.resumeSchedule(target, revised)) ?? paused);
    }
    case 'hasten':
      await schedules.hastenSchedule(target, new Date(command.at));
      return { outcome: 'hastened' };
    case 'run':
      return { outcome: 'started', job: pendingJob(command.jobId, command.scheduleId) };
    case 'delete':
      await schedules.deleteSchedule(target);
      return { outcome: 'deleted' };
  }
}

function stored(schedule: StoredSchedule | null): ScheduleReply {
  if (!schedule) throw new AppError('SCHEDULE_NOT_FOUND');
  return { outcome: 'stored', schedule: describeSchedule(schedule) };
}

function pendingJob(id: string, scheduleId: string) {
  const counters = { totalUrls: 1, completedUrls: 0, failedUrls: 0, creditsUsed: 0 };
  const createdAt = '2026-01-31T12:00:00.000Z';
  return { id, name: 'A run', status: 'pending' as const, ...counters, scheduleId, createdAt };
}
