import {
  AppError,
  type ScheduleCommand,
  type ScheduleReply,
  type TargetedScheduleCommand,
} from '@gleaner/contracts';
import { describeSchedule, type ScheduleTarget, type StoredSchedule, type Stores } from '@gleaner/storage';
import { checkTiming, type SecondOpinion } from './cron/check-timing.ts';
import { type NextRuns, searchStart, type Timing } from './cron/next-run.ts';
import { type CreateJob, runCommand } from './runs/run-command.ts';

/** Collaborators of the commands. */
export interface CommandDeps {
  readonly schedules: Stores['schedules'];
  readonly runs: Pick<Stores['scheduleRuns'], 'recordExtraRun'>;
  readonly nextRuns: NextRuns;
  /** Default node-cron's. */
  readonly secondOpinion?: SecondOpinion;
  readonly now: () => Date;
  readonly createJob: CreateJob;
}

type CommandOf<Type extends ScheduleCommand['type']> = Extract<ScheduleCommand, { type: Type }>;

const DEFAULT_TIMEZONE = 'UTC';
const PREVIEWED_RUNS = 5;

/** A resume is attempted this often when the schedule is modified concurrently. */
const MAX_RESUME_ATTEMPTS = 5;

/**
 * Runs a command; the same command again changes nothing more. Throws INVALID_REQUEST for an invalid cron or timezone,
 * SCHEDULE_NOT_FOUND, and for `run` the errors of creating a job.
 */
export async function handleCommand(
  command: ScheduleCommand,
  deps: CommandDeps,
  signal: AbortSignal,
): Promise<ScheduleReply> {
  switch (command.type) {
    case 'create':
      return await create(command, deps);
    case 'update':
      return await update(command, deps);
    case 'pause':
      return stored(await deps.schedules.pauseSchedule(targetOf(command), deps.now()));
    case 'resume':
      return await resume(targetOf(command), deps);
    case 'run':
      return await run(command, deps, signal);
    case 'hasten':
      await deps.schedules.hastenSchedule(targetOf(command), new Date(command.at));
      return { outcome: 'hastened' };
    case 'preview':
      return preview(command, deps);
    case 'delete':
      await deps.schedules.deleteSchedule(targetOf(command));
      return { outcome: 'deleted' };
  }
}

async function create(
  command: CommandOf<'create'>,
  { schedules, nextRuns, secondOpinion, now }: CommandDeps,
): Promise<ScheduleReply> {
  const settings = { ...command.settings, ...checkTiming(command.settings, secondOpinion) };
  const at = now();
  const nextRunAt = nextRuns.find(settings, at);
  return stored(await schedules.createSchedule({ ...targetOf(command), settings, nextRunAt, at }));
}

async function update(
  command: CommandOf<'update'>,
  { schedules, nextRuns, secondOpinion, now }: CommandDeps,
): Promise<ScheduleReply> {
  const { revision } = command;
  const at = now();
  const current = await schedules.findSchedule(targetOf(command));
  if (!current) throw new AppError('SCHEDULE_NOT_FOUND');
  const timing = isSameTiming(command.settings, current) ? {} : checkTiming(command.settings, secondOpinion);
  const settings = { ...command.settings, ...timing };
  const retiming =
    isSameTiming(settings, current) || current.status !== 'active'
      ? {}
      : {
          nextRun: {
            from: current.nextRunAt,
            to: nextRuns.find(settings, searchStart(at, current.lastDueAt)),
          },
        };
  const updated = await schedules.replaceSettings(targetOf(command), settings, { revision, at, ...retiming });
  return updated ? stored(updated) : { outcome: 'stale' };
}

function isSameTiming(one: Timing, other: Timing): boolean {
  return one.cron === other.cron && one.timezone === other.timezone;
}

async function resume(
  target: ScheduleTarget,
  { schedules, nextRuns, now }: CommandDeps,
): Promise<ScheduleReply> {
  for (let attempt = 0; attempt < MAX_RESUME_ATTEMPTS; attempt += 1) {
    const current = await schedules.findSchedule(target);
    if (current?.status !== 'paused') return stored(current);
    const at = now();
    const nextRunAt = nextRuns.find(current, searchStart(at, current.lastDueAt));
    const resumed = await schedules.resumeSchedule(target, { revision: current.revision, nextRunAt, at });
    if (resumed) return stored(resumed);
  }
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'The schedule was modified concurrently; it was not resumed.',
    retryAfterSeconds: 1,
  });
}

async function run(
  command: CommandOf<'run'>,
  { schedules, runs, now, createJob }: CommandDeps,
  signal: AbortSignal,
): Promise<ScheduleReply> {
  const schedule = await schedules.findSchedule(targetOf(command));
  if (!schedule) throw new AppError('SCHEDULE_NOT_FOUND');
  const { jobId, idempotencyKey } = command;
  const job = await createJob({ ...runCommand(schedule, jobId, idempotencyKey), isExtraRun: true }, signal);
  const { lastRunAt } = schedule;
  // A repeated command is not to be the last run again.
  const isRecorded = job.id !== jobId && lastRunAt !== null && lastRunAt >= new Date(job.createdAt);
  if (!isRecorded) await runs.recordExtraRun(schedule.id, { jobId: job.id, status: job.status, at: now() });
  return { outcome: 'started', job };
}

function preview(
  { timing: { cron, timezone = DEFAULT_TIMEZONE, count = PREVIEWED_RUNS } }: CommandOf<'preview'>,
  { nextRuns, secondOpinion, now }: CommandDeps,
): ScheduleReply {
  const timing = checkTiming({ cron, timezone }, secondOpinion);
  const runs: Date[] = [];
  while (runs.length < count) runs.push(nextRuns.find(timing, runs.at(-1) ?? now()));
  return { outcome: 'previewed', timezone: timing.timezone, runs: runs.map((at) => at.toISOString()) };
}

function stored(schedule: StoredSchedule | null): ScheduleReply {
  if (!schedule) throw new AppError('SCHEDULE_NOT_FOUND');
  return { outcome: 'stored', schedule: describeSchedule(schedule) };
}

function targetOf({ scheduleId: id, accountId }: TargetedScheduleCommand): ScheduleTarget {
  return { id, accountId };
}
