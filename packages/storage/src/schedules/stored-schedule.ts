import {
  type Failure,
  type HealthState,
  type Schedule,
  type ScheduleSettings,
  takingTurns,
} from '@gleaner/contracts';
import type { ScheduleDocument } from './schedule-model.ts';

/** Stored schedule with its id and parsed settings. */
export type StoredSchedule = Omit<ScheduleDocument, '_id' | 'settingsJson' | 'lastErrorJson'> & {
  readonly id: string;
  readonly settings: ScheduleSettings;
  readonly lastError: Failure | null;
};

/** Converts a document. */
export function toStoredSchedule({
  _id,
  settingsJson,
  lastErrorJson,
  ...rest
}: ScheduleDocument): StoredSchedule {
  return {
    id: _id,
    ...rest,
    // Both were validated before they were written.
    settings: JSON.parse(settingsJson) as ScheduleSettings,
    lastError: lastErrorJson === null ? null : (JSON.parse(lastErrorJson) as Failure),
  };
}

/** Converts documents. Settings may have a megabyte each, so other work gets its turn between them. */
export async function toStoredSchedules(documents: readonly ScheduleDocument[]): Promise<StoredSchedule[]> {
  const takeTurns = takingTurns();
  const converted: StoredSchedule[] = [];
  for (const document of documents) {
    converted.push(toStoredSchedule(document));
    await takeTurns();
  }
  return converted;
}

/** Returns a schedule as the API shows it, without its account and the leases of its runs. Its health is stored elsewhere. */
export function describeSchedule(schedule: StoredSchedule, health: HealthState = 'ok'): Schedule {
  const { id, settings, status, nextRunAt, lastRunAt, lastJobId, lastStatus, lastError } = schedule;
  const { runCount, skippedCount, lastSkippedAt, createdAt, updatedAt } = schedule;
  return {
    id,
    ...settings,
    selectors: settings.selectors ?? null,
    webhook: settings.webhook ?? null,
    status,
    health,
    nextRunAt: nextRunAt?.toISOString() ?? null,
    lastRunAt: lastRunAt?.toISOString() ?? null,
    lastJobId,
    lastStatus,
    lastError,
    lastChanges: schedule.lastChanges ?? null,
    runCount,
    skippedCount,
    lastSkippedAt: lastSkippedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
