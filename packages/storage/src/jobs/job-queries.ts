import { type JobState, LIMITS } from '@gleaner/contracts';
import type { DriverCollection } from '../document-schema.ts';
import type { Page } from '../keys/key-store.ts';
import type { JobDocument } from './job-model.ts';
import { searchFilter } from './job-search.ts';
import { type JobProgress, type StoredJob, toStoredJob } from './stored-job.ts';

/** Filter of a list of jobs. */
export interface JobFilter extends Page {
  readonly status?: JobState | undefined;
  /** Only runs of this schedule. */
  readonly scheduleId?: string | undefined;
  /** Only jobs that have, for each word, a word of the name or a host that begins with it. */
  readonly search?: string | undefined;
}

/** One run of a schedule. */
export interface RunOfSchedule {
  readonly accountId: string;
  readonly scheduleId: string;
  readonly jobId: string;
}

/** States of a job that has not finished. */
export const ACTIVE: JobDocument['status'][] = ['pending', 'running'];
const FINISHED: JobDocument['status'][] = ['completed', 'partial', 'failed', 'cancelled'];
const SHOWN: JobDocument['status'][] = [...ACTIVE, ...FINISHED];
const EPOCH = new Date(0);
const NOT_EXPIRED = { status: { $ne: 'expired' as const } };
/** Fields of a job that must not be found any more once it has expired. */
export const UNSET_ON_EXPIRY = { checkedAt: 1, idempotency: 1 } as const;

const UNLISTED = { optionsJson: 0, crawlJson: 0, webhookJson: 0, rulesJson: 0, events: 0 };

/** Reads of jobs, and the end of jobs after their retention. */
export class JobQueries {
  readonly #jobs: DriverCollection<JobDocument>;

  constructor(jobs: DriverCollection<JobDocument>) {
    this.#jobs = jobs;
  }

  /** Returns the account's job, or null. */
  async findJob(accountId: string, id: string): Promise<StoredJob | null> {
    const document = await this.#jobs.findOne({
      _id: { $eq: id },
      accountId: { $eq: accountId },
      status: { $in: SHOWN },
    });
    return document && toStoredJob(document);
  }

  /** Returns the id and the options of the account's job with this Idempotency-Key, unless the key has expired; null without one. */
  async findJobOfKey(
    accountId: string,
    idempotencyKey: string,
    now: Date,
  ): Promise<Pick<JobDocument, '_id' | 'optionsJson'> | null> {
    const filter = {
      accountId: { $eq: accountId },
      'idempotency.key': { $eq: idempotencyKey },
      createdAt: { $gte: new Date(now.getTime() - LIMITS.idempotencyMs) },
    };
    return await this.#jobs.findOne(filter, { projection: { optionsJson: 1 } });
  }

  /** Returns a part of the account's jobs, newest first, without what may be large, and their total number. */
  async listJobs(
    accountId: string,
    { status, scheduleId, search, limit, offset }: JobFilter,
  ): Promise<{ jobs: JobProgress[]; total: number }> {
    const filter = {
      accountId: { $eq: accountId },
      status: status ? { $eq: status } : { $in: SHOWN },
      ...(scheduleId !== undefined && { scheduleId: { $eq: scheduleId } }),
      ...(search !== undefined && searchFilter(search)),
    };
    const [documents, total] = await Promise.all([
      this.#jobs.find(filter, { projection: UNLISTED }).sort({ _id: -1 }).skip(offset).limit(limit).toArray(),
      this.#jobs.countDocuments(filter),
    ]);
    return { jobs: documents.map(toStoredJob), total };
  }

  /** Returns the finished runs of a schedule with news, newest first, of its last `among` runs: messages of rules, or changes. */
  async findNews(
    { accountId, scheduleId }: Omit<RunOfSchedule, 'jobId'>,
    { limit, among }: { readonly limit: number; readonly among: number },
  ): Promise<JobProgress[]> {
    const runs = { accountId: { $eq: accountId }, scheduleId: { $eq: scheduleId } };
    const [oldest] = await this.#jobs
      .find(runs, { projection: { _id: 1 } })
      .sort({ _id: -1 })
      .skip(among - 1)
      .limit(1)
      .toArray();
    const hasNews = [
      { told: { $exists: true } },
      ...(['added', 'removed', 'changed'] as const).map((kind) => ({ [`comparison.${kind}`]: { $gt: 0 } })),
    ];
    const documents = await this.#jobs
      .find(
        { ...runs, ...(oldest && { _id: { $gte: oldest._id } }), status: { $in: FINISHED }, $or: hasNews },
        { projection: UNLISTED },
      )
      .sort({ _id: -1 })
      .limit(limit)
      .toArray();
    return documents.map(toStoredJob);
  }

  /** Returns the jobs with these ids, in no particular order; missing ones are left out. */
  async findJobs(ids: readonly string[]): Promise<StoredJob[]> {
    if (ids.length === 0) return [];
    const documents = await this.#jobs.find({ _id: { $in: [...ids] }, ...NOT_EXPIRED }).toArray();
    return documents.map(toStoredJob);
  }

  /** Returns the jobs among these with sendable pages: neither finished nor cancelled. */
  async findSendable(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const sendable = {
      _id: { $in: [...ids] },
      status: { $in: ACTIVE },
      cancelRequestedAt: { $exists: false },
    };
    const documents = await this.#jobs.find(sendable, { projection: { _id: 1 } }).toArray();
    return new Set(documents.map(({ _id }) => _id));
  }

  /** Returns the jobs with these ids without their options, which may be large; in no particular order. */
  async findProgress(ids: readonly string[]): Promise<JobProgress[]> {
    if (ids.length === 0) return [];
    const documents = await this.#jobs
      .find({ _id: { $in: [...ids] }, ...NOT_EXPIRED }, { projection: UNLISTED })
      .toArray();
    return documents.map(toStoredJob);
  }

  /** Returns the schedule's last run before this one in which a page succeeded, or null; crawls are left out. */
  async findRunBefore({ accountId, scheduleId, jobId }: RunOfSchedule): Promise<StoredJob | null> {
    const [document] = await this.#jobs
      .find({
        accountId,
        scheduleId,
        status: { $in: ['completed', 'partial'] },
        crawlJson: { $exists: false },
        _id: { $lt: jobId },
      })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    return document ? toStoredJob(document) : null;
  }

  /** Returns the schedule's last crawl before this run that has finished, in any state, or null. */
  async findCrawlBefore({ accountId, scheduleId, jobId }: RunOfSchedule): Promise<StoredJob | null> {
    const [document] = await this.#jobs
      .find({
        accountId,
        scheduleId,
        status: { $in: FINISHED },
        crawlJson: { $exists: true },
        _id: { $lt: jobId },
      })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    return document ? toStoredJob(document) : null;
  }

  /**
   * Returns the ids of jobs whose pages may be dispatched, by account, up to `perAccount` of each: the oldest, and of a
   * larger number the newest at every fifth place, so that new jobs are seen however many take long.
   */
  async findActiveIds(perAccount: number): Promise<string[][]> {
    const active = {
      checkedAt: { $gt: EPOCH },
      status: { $in: ACTIVE },
      cancelRequestedAt: { $exists: false },
      restFailure: { $exists: false },
    };
    const rows = await this.#jobs
      .aggregate<{ oldest: string[]; newest: string[] }>([
        { $match: active },
        { $sort: { _id: 1 } },
        { $group: { _id: '$accountId', ids: { $push: '$_id' } } },
        {
          $project: { oldest: { $slice: ['$ids', perAccount] }, newest: { $slice: ['$ids', -perAccount] } },
        },
      ])
      .toArray();
    return rows.map(({ oldest, newest }) => inTurns(oldest, newest.toReversed(), perAccount));
  }

  /** Returns jobs whose retention is over, the longest over first. */
  async findRetired(now: Date, limit: number): Promise<Pick<StoredJob, 'id' | 'accountId'>[]> {
    const documents = await this.#jobs
      .find({ retainedUntil: { $lte: now } }, { projection: { accountId: 1 } })
      .sort({ retainedUntil: 1 })
      .limit(limit)
      .toArray();
    return documents.map(({ _id, accountId }) => ({ id: _id, accountId }));
  }

  /** Hides a job after its retention period, so that its pages and results can be deleted. */
  async expire(id: string): Promise<void> {
    await this.#jobs.updateOne({ _id: id }, { $set: { status: 'expired' }, $unset: UNSET_ON_EXPIRY });
  }

  /** Deletes a job of which nothing else is left. */
  async deleteExpired(id: string): Promise<void> {
    await this.#jobs.deleteOne({ _id: id, status: 'expired' });
  }
}

const NEWEST_AT_EVERY = 5;

/** Returns up to so many ids: the newest at every fifth place, the oldest at all others, each once. */
function inTurns(oldest: readonly string[], newest: readonly string[], most: number): string[] {
  const chosen = new Set<string>();
  const [fromOldest, fromNewest] = [oldest.values(), newest.values()];
  for (let place = 1; place <= 2 * most && chosen.size < most; place += 1) {
    const { value } = (place % NEWEST_AT_EVERY === 0 ? fromNewest : fromOldest).next();
    if (value !== undefined) chosen.add(value);
  }
  return [...chosen];
}
