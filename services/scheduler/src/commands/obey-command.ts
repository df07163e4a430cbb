import { AppError, type ScheduleCommand, type ScheduleReply } from '@gleaner/contracts';
import { describeSchedule, type ScheduleTarget, type StoredSchedule, type Stores } from '@gleaner/storage';
import { nextRunOf } from '../cron/next-run-of.ts';
import { searchStart } from '../cron/search-start.ts';
import type { TimeZones } from '../cron/time-zones.ts';
import { type CreateJob, runCommand } from '../runs/run-command.ts';

/** Collaborators of the commands. */
export interface CommandDeps {
  readonly schedules: Stores['schedules'];
  readonly runs: Pick<Stores['scheduleRuns'], 'recordExtraRun'>;
  readonly zones: TimeZones;
  readonly now: () => Date;
  readonly createJob: CreateJob;
}

type CommandOf<Type extends ScheduleCommand['type']> = Extract<ScheduleCommand, { type: Type }>;

/** How often a resume is made again because the schedule was changed by others meanwhile. */
const MAX_RESUME_TRIES = 5;

/**
 * Does what a command says; said again it changes nothing more. Throws INVALID_REQUEST for a cron or timezone that is
 * none, SCHEDULE_NOT_FOUND, and for `run` what creating a job can fail with.
 */
export async function obeyCommand(
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
    case 'delete':
      await deps.schedules.deleteSchedule(targetOf(command));
      return { outcome: 'deleted' };
  }
}

async function create(command: CommandOf<'create'>, { schedules, zones, now }: CommandDeps) {
  const { settings } = command;
  const at = now();
  const nextRunAt = nextRunOf(settings, at, zones);
  return stored(await schedules.createSchedule({ ...targetOf(command), settings, nextRunAt, at }));
}

async function update(
  command: CommandOf<'update'>,
  { schedules, zones, now }: CommandDeps,
): Promise<ScheduleReply> {
  const { settings, revision } = command;
  const at = now();
  const current = await schedules.findSchedule(targetOf(command));
  const nextRunAt = nextRunOf(settings, searchStart(at, current?.lastDueAt), zones);
  if (!current) throw new AppError('SCHEDULE_NOT_FOUND');
  const isRetimed = settings.cron !== current.cron || settings.timezone !== current.timezone;
  const retiming =
    isRetimed && current.status === 'active' ? { nextRun: { from: current.nextRunAt, to: nextRunAt } } : {};
  const updated = await schedules.replaceSettings(targetOf(command), settings, { revision, at, ...retiming });
  return updated ? stored(updated) : { outcome: 'stale' };
}

async function resume(
  target: ScheduleTarget,
  { schedules, zones, now }: CommandDeps,
): Promise<ScheduleReply> {
  for (let tries = 0; tries < MAX_RESUME_TRIES; tries += 1) {
    const current = await schedules.findSchedule(target);
    if (current?.status !== 'paused') return stored(current);
    const at = now();
    const nextRunAt = nextRunOf(current, searchStart(at, current.lastDueAt), zones);
    const resumed = await schedules.resumeSchedule(target, { revision: current.revision, nextRunAt, at });
    if (resumed) return stored(resumed);
  }
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'The schedule is being changed by others all the time; it was not resumed.',
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
  const { jobId } = command;
  const job = await createJob(runCommand(schedule, jobId), signal);
  await runs.recordExtraRun(schedule.id, { jobId, status: job.status, at: now() });
  return { outcome: 'started', job };
}

function stored(schedule: StoredSchedule | null): ScheduleReply {
  if (!schedule) throw new AppError('SCHEDULE_NOT_FOUND');
  return { outcome: 'stored', schedule: describeSchedule(schedule) };
}

function targetOf({ scheduleId: id, accountId }: ScheduleCommand): ScheduleTarget {
  return { id, accountId };
}
