import type { RunState, ScheduleState } from '@gleaner/contracts';
import { Schema } from 'mongoose';

/** A run that is due and not known to be started: whoever holds the lease starts it, always under this `jobId`. */
export interface PendingRun {
  readonly jobId: string;
  /** The tick that it belongs to. */
  readonly dueAt: Date;
  /** Of whoever took it last. */
  readonly token: string;
  /** From when on somebody else may take it. */
  readonly leaseUntil: Date;
  /** How often it was taken. */
  readonly attempts: number;
}

/**
 * A schedule as it is stored. What holds free names (selectors, headers, metadata) is kept as JSON text: BSON would
 * refuse some of them. `cron` and `timezone` stand beside it, so that ticks read little.
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
  /** The tick that was taken last, so that no change of settings or of the clock makes it come again. */
  readonly lastDueAt?: Date;
  /** Jobs that are not known to have ended, oldest first; missing while there are none. */
  readonly liveJobIds?: string[];
  /** The id once more while there are such jobs: the index over it names the few that have some. */
  readonly liveKey?: string;
  readonly runCount: number;
  readonly skippedCount: number;
  readonly lastSkippedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const scheduleSchema = new Schema<ScheduleDocument>(
  {
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
    lastDueAt: Date,
    liveJobIds: { type: [String], default: undefined },
    liveKey: String,
    runCount: { type: Number, default: 0 },
    skippedCount: { type: Number, default: 0 },
    lastSkippedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
// Identifiers rise with time, so these list the newest first.
scheduleSchema.index({ accountId: 1, _id: -1 });
scheduleSchema.index({ accountId: 1, status: 1, _id: -1 });
// What a tick asks for; the sparse ones hold nothing while nothing runs.
scheduleSchema.index({ status: 1, nextRunAt: 1 });
scheduleSchema.index({ 'run.leaseUntil': 1 }, { sparse: true });
scheduleSchema.index({ liveKey: 1 }, { sparse: true });
