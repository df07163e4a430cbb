import type { Failure, Schedule, ScheduleSettings } from '@gleaner/contracts';
import type { ScheduleDocument } from './schedule-model.ts';

/** A schedule as it is stored, under its id and with its settings read. */
export type StoredSchedule = Omit<ScheduleDocument, '_id' | 'settingsJson' | 'lastErrorJson'> & {
  readonly id: string;
  readonly settings: ScheduleSettings;
  readonly lastError: Failure | null;
};

/** What a document holds. */
export function toStoredSchedule({
  _id,
  settingsJson,
  lastErrorJson,
  ...rest
}: ScheduleDocument): StoredSchedule {
  return {
    id: _id,
    ...rest,
    // Both were checked before they were written.
    settings: JSON.parse(settingsJson) as ScheduleSettings,
    lastError: lastErrorJson === null ? null : (JSON.parse(lastErrorJson) as Failure),
  };
}

/** A schedule as it is shown: never whose it is, nor how its runs are handed about. */
export function describeSchedule(schedule: StoredSchedule): Schedule {
  const { id, settings, status, nextRunAt, lastRunAt, lastJobId, lastStatus, lastError } = schedule;
  const { runCount, skippedCount, lastSkippedAt, createdAt, updatedAt } = schedule;
  return {
    id,
    ...settings,
    status,
    nextRunAt: nextRunAt?.toISOString() ?? null,
    lastRunAt: lastRunAt?.toISOString() ?? null,
    lastJobId,
    lastStatus,
    lastError,
    runCount,
    skippedCount,
    lastSkippedAt: lastSkippedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
