import type { ScheduleSettings, ScheduleState } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { confirmWrites } from '../database/confirm-writes.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { exactly } from '../document-schema.ts';
import type { Page } from '../keys/key-store.ts';
import type { ScheduleDocument } from './schedule-model.ts';
import { type StoredSchedule, toStoredSchedule, toStoredSchedules } from './stored-schedule.ts';

/** Schedule of an account; a schedule of another account is not found. */
export interface ScheduleTarget {
  readonly id: string;
  readonly accountId: string;
}

/** Fields of a new schedule. */
export interface NewSchedule extends ScheduleTarget {
  readonly settings: ScheduleSettings;
  readonly nextRunAt: Date;
  readonly at: Date;
}

/** Change to one revision; it does not apply to a later one. */
export interface Revised {
  readonly revision: number;
  readonly nextRunAt: Date;
  readonly at: Date;
}

/** Replacement of the settings of this revision; with `nextRun`, only if the next run is still at `from`. */
export interface Replacement extends Omit<Revised, 'nextRunAt'> {
  readonly nextRun?: { readonly from: Date | null; readonly to: Date };
}

/** Filter of a list of schedules. */
export interface ScheduleFilter extends Page {
  readonly status?: ScheduleState | undefined;
}

/** Store of schedules; only the scheduler writes it. Every write survives a crash of the database. */
export class ScheduleStore {
  readonly #schedules: Model<ScheduleDocument>;

  constructor(schedules: Model<ScheduleDocument>) {
    this.#schedules = schedules;
  }

  /** Stores a new schedule; one that an earlier attempt has stored stays as it is. */
  async createSchedule(schedule: NewSchedule): Promise<StoredSchedule> {
    const document = toDocument(schedule);
    try {
      await this.#schedules.create(document);
      return toStoredSchedule(document);
    } catch (error) {
      const earlier = isDuplicateKey(error) ? await this.findSchedule(schedule) : null;
      if (!earlier) throw error;
      await confirmWrites(this.#schedules.db);
      return earlier;
    }
  }

  /** Returns the account's schedule, or null. */
  async findSchedule(target: ScheduleTarget): Promise<StoredSchedule | null> {
    const document = await this.#schedules.findOne(filterOf(target)).lean();
    return document && toStoredSchedule(document);
  }

  /** Returns a part of the account's schedules, newest first, and their total number. */
  async listSchedules(
    accountId: string,
    { status, limit, offset }: ScheduleFilter,
  ): Promise<{ schedules: StoredSchedule[]; total: number }> {
    const filter = { accountId: exactly(accountId), ...(status && { status: { $eq: status } }) };
    const [documents, total] = await Promise.all([
      this.#schedules.find(filter).sort({ _id: -1 }).skip(offset).limit(limit).lean(),
      this.#schedules.countDocuments(filter),
    ]);
    return { schedules: await toStoredSchedules(documents), total };
  }

  /** Replaces the settings, and the next run if it changes; returns null if the schedule has changed since it was read. */
  async replaceSettings(
    target: ScheduleTarget,
    settings: ScheduleSettings,
    { revision, at, nextRun }: Replacement,
  ): Promise<StoredSchedule | null> {
    const condition = { revision, ...(nextRun && { nextRunAt: nextRun.from }) };
    const changes = {
      ...settingFields(settings),
      updatedAt: at,
      ...(nextRun && { nextRunAt: nextRun.to }),
    };
    return await this.#change(target, condition, changes);
  }

  /** Pauses the schedule; idempotent. Returns the schedule after that, or null if it is missing. */
  async pauseSchedule(target: ScheduleTarget, at: Date): Promise<StoredSchedule | null> {
    const paused = { status: 'paused', nextRunAt: null, updatedAt: at } as const;
    return (await this.#change(target, { status: 'active' }, paused)) ?? (await this.findSchedule(target));
  }

  /** Resumes the schedule; returns null if it is not paused or has another revision. */
  async resumeSchedule(target: ScheduleTarget, { revision, nextRunAt, at }: Revised) {
    const active = { status: 'active', nextRunAt, updatedAt: at } as const;
    return await this.#change(target, { status: 'paused', revision }, active);
  }

  /** Lets an active schedule run by this time, unless it would anyway, or has claimed a tick of then or later; idempotent. */
  async hastenSchedule(target: ScheduleTarget, at: Date): Promise<void> {
    await this.#schedules.updateOne(
      {
        ...filterOf(target),
        status: 'active',
        nextRunAt: { $gt: at },
        $or: [{ lastDueAt: { $exists: false } }, { lastDueAt: { $lt: at } }],
      },
      { $set: { nextRunAt: at } },
    );
  }

  /** Deletes a schedule; idempotent. */
  async deleteSchedule(target: ScheduleTarget): Promise<void> {
    await this.#schedules.deleteOne(filterOf(target));
  }

  async #change(
    target: ScheduleTarget,
    condition: Partial<Pick<ScheduleDocument, 'status' | 'revision' | 'nextRunAt'>>,
    changes: Partial<ScheduleDocument>,
  ): Promise<StoredSchedule | null> {
    const document = await this.#schedules
      .findOneAndUpdate(
        { ...filterOf(target), ...condition },
        { $set: changes, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean();
    return document && toStoredSchedule(document);
  }
}

function filterOf({ id, accountId }: ScheduleTarget) {
  return { _id: exactly(id), accountId: exactly(accountId) };
}

function settingFields(settings: ScheduleSettings) {
  const { cron, timezone } = settings;
  return { settingsJson: JSON.stringify(settings), cron, timezone };
}

function toDocument({ id, accountId, settings, nextRunAt, at }: NewSchedule): ScheduleDocument {
  return {
    _id: id,
    accountId,
    ...settingFields(settings),
    status: 'active',
    revision: 0,
    nextRunAt,
    lastRunAt: null,
    lastJobId: null,
    lastStatus: null,
    lastErrorJson: null,
    runCount: 0,
    skippedCount: 0,
    lastSkippedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}
