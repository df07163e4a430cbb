import type { CrawlChanges, RunState, ScheduleState } from '@gleaner/contracts';
import { documentSchema } from '../document-schema.ts';

/** Run that is due and not known to have started; the holder of the lease starts it, always under this `jobId`. */
export interface PendingRun {
  readonly jobId: string;
  /** Tick that the run belongs to. */
  readonly dueAt: Date;
  /** Token of the lease that holds the run. */
  readonly token: string;
  /** Time from which another process may take the run. */
  readonly leaseUntil: Date;
  /** Number of times that the run was claimed. */
  readonly attempts: number;
}

/**
 * Stored schedule. Settings have free names (selectors, headers, metadata) and are JSON text, since BSON would reject
 * some names. `cron` and `timezone` are stored beside them, so that ticks read little.
 */
export interface ScheduleDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly settingsJson: string;
  readonly cron: string;
  readonly timezone: string;
  readonly status: ScheduleState;
  /** Rises with every change of settings or status. */
  readonly revision: number;
  /** Null while paused. */
  readonly nextRunAt: Date | null;
  readonly run?: PendingRun;
  readonly lastRunAt: Date | null;
  readonly lastJobId: string | null;
  readonly lastStatus: RunState | null;
  readonly lastErrorJson: string | null;
  /** Changes that the last finished run found; missing until one did compare. */
  readonly lastChanges?: CrawlChanges;
  /** Last claimed tick, so that no change of settings or of the clock repeats it. */
  readonly lastDueAt?: Date;
  /** Jobs that are not known to have finished, oldest first; missing while there are none. */
  readonly liveJobIds?: string[];
  /** Copy of the id while `liveJobIds` exists, so that its sparse index holds only schedules with such jobs. */
  readonly liveKey?: string;
  readonly runCount: number;
  readonly skippedCount: number;
  readonly lastSkippedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const scheduleSchema = documentSchema<ScheduleDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  settingsJson: { type: String, required: true },
  cron: { type: String, required: true },
  timezone: { type: String, required: true },
  status: { type: String, required: true },
  revision: { type: Number, required: true },
  nextRunAt: { type: Date, default: null },
  run: { _id: false, jobId: String, dueAt: Date, token: String, leaseUntil: Date, attempts: Number },
  lastRunAt: { type: Date, default: null },
  lastJobId: { type: String, default: null },
  lastStatus: { type: String, default: null },
  lastErrorJson: { type: String, default: null },
  lastChanges: { type: Map, of: Number },
  lastDueAt: Date,
  liveJobIds: { type: [String], default: undefined },
  liveKey: String,
  runCount: { type: Number, default: 0 },
  skippedCount: { type: Number, default: 0 },
  lastSkippedAt: { type: Date, default: null },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
// Identifiers rise with time, so these indexes list the newest schedules first.
scheduleSchema.index({ accountId: 1, _id: -1 });
scheduleSchema.index({ accountId: 1, status: 1, _id: -1 });
// Queries of a tick; the sparse indexes are empty while nothing runs.
scheduleSchema.index({ status: 1, nextRunAt: 1 });
scheduleSchema.index({ 'run.leaseUntil': 1 }, { sparse: true });
scheduleSchema.index({ liveKey: 1 }, { sparse: true });
