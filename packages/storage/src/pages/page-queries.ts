import type { ChangeFilter, PageChange, PageKind, SkipReason } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import type { mongo } from 'mongoose';
import type { DriverCollection } from '../document-schema.ts';
import { type HostShare, hostOrderOf, hostsAfter, inShare } from './host-share.ts';
import { crawlFileIdOf, pageIdBounds, pageIdOf, pageIndexOf } from './page-id.ts';
import { PAGE_STATES, type PageDocument, type PageState, WITH_RESULT } from './page-model.ts';
import { type StoredPage, toStoredPage } from './stored-page.ts';

/** Filter of waiting pages. */
export interface WaitingFilter {
  readonly limit: number;
  /** Only pages that may be dispatched by this time. */
  readonly dueBy: Date;
  /** Hosts whose pages are left out. */
  readonly exceptHosts: readonly string[];
  /** Only pages of these hosts. */
  readonly share?: HostShare | undefined;
}

/** Part of the waiting pages of a job in the order of their hosts. */
export interface HostTurn {
  /** Empty at the start of a round over the hosts. */
  readonly afterHost: string;
  readonly limit: number;
  readonly dueBy: Date;
  /** Only pages of these hosts; they are in the order of their hashes. */
  readonly share?: HostShare | undefined;
}

/** Part of the pages of a job. */
export interface PartOfPages {
  readonly states: readonly PageDocument['state'][];
  readonly afterId?: string;
  readonly limit: number;
  readonly skip?: number;
  /** Only pages of a crawl that have changed so. */
  readonly change?: ChangeFilter | undefined;
  /** Only pages whose result comes from one of these kinds of pages. */
  readonly verdicts?: readonly PageKind[] | undefined;
}

/** Number of pages of a job in each state. */
export type PageCounts = Readonly<Record<PageState, number>>;

/** Number of pages that are alike in all of this. */
export interface PageTally {
  readonly state: PageDocument['state'];
  /** Only of pages of crawls, like the next two. */
  readonly skip?: SkipReason;
  readonly change?: PageChange;
  readonly isUnlinked?: boolean;
  /** Only of pages with a result. */
  readonly verdict?: PageKind;
  /** True of pages that finished at the time of the count or later. */
  readonly isRecent: boolean;
  readonly pages: number;
  /** Number of copies of these pages. */
  readonly copies: number;
}

/** Part of the pages of a job to count, up to a number of pages in the order of their ids. */
export interface TallyPart {
  /** Empty for the first part. */
  readonly afterId: string;
  readonly limit: number;
  /** Time from which finished pages are recent. */
  readonly before: Date;
}

/** States of a page that has not finished. */
export const UNFINISHED = ['waiting', 'running'] as const satisfies PageState[];
/** Bound of the indexes that one read looks at, above the number of pages of any job. */
const MAX_INDEXES = 10_000_000;
/** Bound of one read, above the number of pages that run at once. */
const MAX_RUNNING_READ = 20_000;

/** Reads of pages: the ones that wait or run, of all jobs, and the pages of one job. */
export class PageQueries {
  readonly #pages: DriverCollection<PageDocument>;

  constructor(pages: DriverCollection<PageDocument>) {
    this.#pages = pages;
  }

  /** Returns the pages with these ids, in no particular order. */
  async findPages(ids: readonly string[]): Promise<StoredPage[]> {
    if (ids.length === 0) return [];
    const documents = await this.#pages.find({ _id: { $in: [...ids] } }).toArray();
    return documents.map(toStoredPage);
  }

  /** Returns waiting pages of jobs, job by job in the order of their URLs; the limit is for all jobs together. */
  async findWaiting(
    jobIds: readonly string[],
    { limit, dueBy, exceptHosts, share }: WaitingFilter,
  ): Promise<StoredPage[]> {
    if (jobIds.length === 0) return [];
    const documents = await this.#pages
      .find({
        state: 'waiting',
        jobId: { $in: [...jobIds] },
        ...isDueBy(dueBy),
        ...inShare(share),
        ...(exceptHosts.length > 0 && { host: { $nin: [...exceptHosts] } }),
      })
      .sort({ jobId: 1, index: 1 })
      .limit(limit)
      .toArray();
    return documents.map(toStoredPage);
  }

  /** Returns waiting pages of a job by host, depth and index, of the hosts that sort after this one. */
  async findWaitingByHost(
    jobId: string,
    { afterHost, limit, dueBy, share }: HostTurn,
  ): Promise<StoredPage[]> {
    const documents = await this.#pages
      .find({ state: 'waiting', jobId, ...hostsAfter(afterHost, share), ...isDueBy(dueBy) })
      .sort({ [hostOrderOf(share)]: 1, 'crawled.depth': 1, index: 1 })
      .limit(limit)
      .toArray();
    return documents.map(toStoredPage);
  }

  /** Returns pages held by a worker or on their way to one. */
  async findRunning(share?: HostShare): Promise<Pick<StoredPage, 'id' | 'jobId' | 'host' | 'losses'>[]> {
    const documents = await this.#pages
      .find({ state: 'running', ...inShare(share) }, { projection: { jobId: 1, host: 1, losses: 1 } })
      .limit(MAX_RUNNING_READ)
      .toArray();
    return documents.map(({ _id, jobId, host, losses }) => ({ id: _id, jobId, host, losses }));
  }

  /** Returns running pages whose deadline has passed. */
  async findOverdue(now: Date, limit: number): Promise<StoredPage[]> {
    const documents = await this.#pages
      .find({ state: 'running', deadlineAt: { $lte: now } })
      .limit(limit)
      .toArray();
    return documents.map(toStoredPage);
  }

  /** Returns whether a page of a job has not finished: one look at the index, however large the job. */
  async hasUnfinished(jobId: string): Promise<boolean> {
    const unfinished = { state: { $in: [...UNFINISHED] }, jobId };
    return (await this.#pages.findOne(unfinished, { projection: { _id: 1 } })) !== null;
  }

  /** Returns the number of pages of a job in each state. */
  async countPages(jobId: string): Promise<PageCounts> {
    const rows = await this.#pages
      .aggregate<{ _id: PageState; count: number }>([
        { $match: { state: { $in: [...PAGE_STATES] }, jobId } },
        { $group: { _id: '$state', count: { $sum: 1 } } },
      ])
      .toArray();
    const none = Object.fromEntries(PAGE_STATES.map((state) => [state, 0])) as Record<PageState, number>;
    return { ...none, ...Object.fromEntries(rows.map(({ _id, count }) => [_id, count])) };
  }

  /** Counts a part of the pages of a job, robots.txt and sitemaps included; `lastId` is missing when no page is left. */
  async tallyPages(
    jobId: string,
    { afterId, limit, before }: TallyPart,
  ): Promise<{ readonly rows: readonly PageTally[]; readonly lastId?: string }> {
    const { $gte, $lt } = pageIdBounds(jobId);
    const found = await this.#pages
      .aggregate<{
        _id: Omit<PageTally, 'pages' | 'copies'>;
        pages: number;
        copies: number;
        lastId: string;
      }>([
        { $match: { _id: afterId === '' ? { $gte, $lt } : { $gt: afterId, $lt } } },
        { $sort: { _id: 1 } },
        { $limit: limit },
        {
          $group: {
            _id: {
              state: '$state',
              skip: '$crawled.skip',
              change: '$crawled.change',
              isUnlinked: '$crawled.isUnlinked',
              verdict: '$verdict',
              isRecent: { $gte: ['$endedAt', before] },
            },
            pages: { $sum: 1 },
            copies: { $sum: '$copies' },
            lastId: { $max: '$_id' },
          },
        },
      ])
      .toArray();
    const lastId = found
      .map((row) => row.lastId)
      .toSorted()
      .at(-1);
    const rows = found.map(({ _id, pages: count, copies }) => ({ ..._id, pages: count, copies }));
    return { rows, ...defined({ lastId }) };
  }

  /** Returns the number of copies of each of these pages that has any. */
  async findCopies(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const documents = await this.#pages
      .find({ _id: { $in: [...ids] }, copies: { $gt: 0 } }, { projection: { copies: 1 } })
      .toArray();
    return new Map(documents.map(({ _id, copies = 0 }) => [_id, copies]));
  }

  /** Returns fetched pages of a job in order, after the page with this id. */
  async findProcessed(jobId: string, part: Omit<PartOfPages, 'states'>): Promise<StoredPage[]> {
    return await this.findInOrder(jobId, { ...part, states: [...WITH_RESULT, 'visited'] });
  }

  /** Returns pages of a job in these states in order, after the page with this id. */
  async findInOrder(jobId: string, part: PartOfPages): Promise<StoredPage[]> {
    const documents = part.change
      ? await this.#findChanged(jobId, { ...part, change: part.change })
      : await this.#findByIndex(jobId, part);
    return documents.map(toStoredPage);
  }

  /** Finds pages of a job by the index of each state, or of each kind of page, so that others are not looked at. */
  async #findByIndex(
    jobId: string,
    { afterId = '', limit, skip = 0, ...choice }: PartOfPages,
  ): Promise<PageDocument[]> {
    const $gt = afterId === '' ? -1 : pageIndexOf(afterId);
    const most = Math.min(skip + limit, MAX_INDEXES);
    const indexes = await Promise.all(
      filtersOf(jobId, choice).map(async (filter) => {
        const found = await this.#pages
          .find({ ...filter, index: { $gt } }, { projection: { _id: 0, index: 1 } })
          .sort({ index: 1 })
          .limit(most)
          .toArray();
        return found.map(({ index }) => index);
      }),
    );
    const wanted = indexes
      .flat()
      .sort((one, other) => one - other)
      .slice(skip, skip + limit);
    if (wanted.length === 0) return [];
    return await this.#pages
      .find({ _id: { $in: wanted.map((index) => pageIdOf(jobId, index)) } })
      .sort({ _id: 1 })
      .toArray();
  }

  async #findChanged(
    jobId: string,
    {
      afterId = '',
      limit,
      skip = 0,
      states,
      change,
      verdicts,
    }: PartOfPages & { readonly change: ChangeFilter },
  ): Promise<PageDocument[]> {
    const { $gte } = pageIdBounds(jobId);
    const $lt = crawlFileIdOf(jobId, '');
    const after = afterId === '' ? { $gte, $lt } : { $gt: afterId, $lt };
    return await this.#pages
      .find({
        _id: after,
        state: { $in: [...states] },
        ...changedSo(jobId, change),
        ...(verdicts && { verdict: { $in: [...verdicts] } }),
      })
      .sort({ _id: 1 })
      .skip(skip)
      .limit(limit)
      .toArray();
  }
}

/** Returns the filter of pages that may be dispatched by this time. */
export function isDueBy(dueBy: Date): mongo.Filter<PageDocument> {
  return { $or: [{ notBefore: { $exists: false } }, { notBefore: { $lte: dueBy } }] };
}

/** Returns disjoint filters, each answered by an index. */
function filtersOf(
  jobId: string,
  { states, verdicts }: Pick<PartOfPages, 'states' | 'verdicts'>,
): mongo.Filter<PageDocument>[] {
  // Only pages that succeeded have a kind.
  if (verdicts) return states.includes('succeeded') ? verdicts.map((verdict) => ({ jobId, verdict })) : [];
  return states.map((state) => {
    const mayBeCrawlFiles = state === 'waiting' || state === 'running';
    return { state, jobId, ...(mayBeCrawlFiles && { _id: { $lt: crawlFileIdOf(jobId, '') } }) };
  });
}

/** Returns the filter for pages with this change. Unlinked pages that are gone count as gone only. */
function changedSo(jobId: string, change: ChangeFilter): mongo.Filter<PageDocument> {
  if (change !== 'unlinked') return { jobId, 'crawled.change': change };
  return { jobId, 'crawled.change': { $in: ['new', 'changed', 'unchanged'] }, 'crawled.isUnlinked': true };
}
