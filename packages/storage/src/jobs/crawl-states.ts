import type { CrawlWarning, SkipReason, StopReason } from '@gleaner/contracts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import type { Clock } from '../database/database-clock.ts';
import type { DriverCollection } from '../document-schema.ts';
import type { CrawlState, JobDocument, StartedPages } from './job-model.ts';
import { ACTIVE } from './job-queries.ts';

/** Bounds of the pages that a job may start. */
export interface StartBounds {
  /** Most pages with a result. */
  readonly limit: number;
  readonly maxCredits?: number | undefined;
  /** The most that a page may cost. */
  readonly creditsPerPage: number;
  /** Milliseconds after its start from which a crawl starts nothing more. */
  readonly maxDurationMs?: number | undefined;
}

/** Answer to a reservation: the number of pages that may start, and the reason for granting no more. */
export interface StartsReserved {
  readonly granted: number;
  /** Undefined if all were granted, or the job is not active. */
  readonly refusedBecause?: StopReason | undefined;
  /** Its started pages after it; null if the job is gone, or its waiting pages are to fail. */
  readonly pages: (StartedPages & Partial<CrawlState>) | null;
}

const MAX_TRIES = 20;
const MAX_WARNINGS = 20;
/** Patterns that one crawl can close; the job's document holds them. */
const MAX_PATTERNS = 200;

/** Store of the states of crawls, which are fields of their jobs. */
export class CrawlStates {
  readonly #jobs: DriverCollection<JobDocument>;
  readonly #clock: Clock;

  constructor(jobs: DriverCollection<JobDocument>, clock: Clock) {
    this.#jobs = jobs;
    this.#clock = clock;
  }

  /**
   * Reserves the start of pages that have never been dispatched, as many as the bounds allow. A crash afterwards leaves
   * too many reserved, never too few.
   */
  async reserveStarts(id: string, wanted: number, bounds: StartBounds): Promise<StartsReserved> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const job = await this.#jobs.findOne({ _id: id, status: { $in: ACTIVE } });
      const pages = job?.crawl ?? job?.budget;
      if (!job || !pages || job.cancelRequestedAt || job.restFailure) return { granted: 0, pages: null };
      const { room, refusedBecause } = roomFor(job, pages, { ...bounds, nowMs: this.#clock.nowMs() });
      const granted = Math.min(wanted, room);
      if (granted <= 0) return { granted: 0, pages, refusedBecause };
      const started = job.crawl ? 'crawl.started' : 'budget.started';
      const { modifiedCount } = await this.#jobs.updateOne(
        { _id: id, [started]: pages.started, 'crawl.stoppedBy': { $exists: false } },
        { $inc: { [started]: granted } },
        // The durable claim of these pages, which comes next, makes it durable too.
        { writeConcern: WRITE_CONCERNS.counter },
      );
      if (modifiedCount === 0) continue;
      const reserved = { ...pages, started: pages.started + granted };
      return { granted, pages: reserved, refusedBecause: granted < wanted ? refusedBecause : undefined };
    }
    return { granted: 0, pages: null };
  }

  /** Corrects the number of started pages of a crawl or a budget, unless it has changed since it was read. */
  async correctStarted(id: string, of: 'crawl' | 'budget', from: number, to: number): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id, status: { $in: ACTIVE }, [`${of}.started`]: from },
      { $set: { [`${of}.started`]: to } },
    );
  }

  /** Notes that nothing more of a crawl is dispatched; the first reason stands. */
  async stopCrawl(id: string, reason: StopReason): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id, status: { $in: ACTIVE }, 'crawl.stoppedBy': { $exists: false } },
      { $set: { 'crawl.stoppedBy': reason } },
    );
  }

  /** Reserves indexes for new pages of a crawl; returns the first of them. */
  async reserveIndexes(id: string, count: number): Promise<number> {
    const document = await this.#jobs.findOneAndUpdate(
      { _id: id },
      { $inc: { 'crawl.nextIndex': count } },
      { projection: { 'crawl.nextIndex': 1 }, returnDocument: 'before' },
    );
    if (!document?.crawl) throw new Error(`The crawl ${id} is gone.`);
    return document.crawl.nextIndex;
  }

  /** Adds a host to a crawl unless it has this many; returns whether the host belongs to it. */
  async addHost(id: string, host: string, maxHosts: number): Promise<boolean> {
    const { matchedCount } = await this.#jobs.updateOne(
      { _id: id, $or: [{ 'crawl.hosts': host }, { [`crawl.hosts.${maxHosts - 1}`]: { $exists: false } }] },
      { $addToSet: { 'crawl.hosts': host } },
    );
    return matchedCount === 1;
  }

  /** Adds a place that a start URL redirects to. */
  async addPlace(id: string, place: string): Promise<void> {
    await this.#jobs.updateOne({ _id: id }, { $addToSet: { 'crawl.places': place } });
  }

  /** Adds a warning to a crawl, once; beyond a number of them, none. */
  async warnOfCrawl(id: string, warning: CrawlWarning): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id, [`crawl.warnings.${MAX_WARNINGS - 1}`]: { $exists: false } },
      { $addToSet: { 'crawl.warnings': warning } },
    );
  }

  /** Notes that no further links of this pattern are followed; returns whether they were until now. */
  async closePattern(id: string, pattern: string): Promise<boolean> {
    const { modifiedCount } = await this.#jobs.updateOne(
      { _id: id, [`crawl.closedPatterns.${MAX_PATTERNS - 1}`]: { $exists: false } },
      { $addToSet: { 'crawl.closedPatterns': pattern } },
    );
    return modifiedCount === 1;
  }

  /** Notes that URLs match these patterns of a crawl. */
  async notePatterns(id: string, indexes: readonly number[]): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id },
      { $addToSet: { 'crawl.matchedPatterns': { $each: [...indexes] } } },
    );
  }

  /** Notes how far the sweep for pages that nothing leads to any more has come, and the number of pages that it has added since. */
  async noteSweep(id: string, { sweptTo, added }: { readonly sweptTo: string; readonly added: number }) {
    await this.#jobs.updateOne(
      { _id: id, status: { $in: ACTIVE } },
      { $set: { 'crawl.sweptTo': sweptTo }, $inc: { totalUrls: added } },
    );
  }

  /** Records that the unlinked pages have been added to the pages of a crawl. */
  async noteSwept(id: string): Promise<void> {
    await this.#jobs.updateOne(
      { _id: id },
      { $set: { 'crawl.isSwept': true } },
      { writeConcern: WRITE_CONCERNS.durable },
    );
  }

  /** Adds skipped pages to the counters of a crawl. */
  async countSkips(id: string, reason: SkipReason, count: number): Promise<void> {
    if (count === 0) return;
    await this.#jobs.updateOne(
      { _id: id, status: { $in: ACTIVE } },
      { $inc: { completedUrls: count, [`crawl.skipped.${reason}`]: count } },
    );
  }
}

function roomFor(
  { creditsUsed, startedAt }: Pick<JobDocument, 'creditsUsed' | 'startedAt'>,
  { started, fetched, stoppedBy }: StartedPages & Pick<CrawlState, 'stoppedBy'>,
  {
    limit,
    maxCredits,
    creditsPerPage,
    maxDurationMs = Number.POSITIVE_INFINITY,
    nowMs,
  }: StartBounds & { readonly nowMs: number },
): { readonly room: number; readonly refusedBecause: StopReason } {
  if (stoppedBy) return { room: 0, refusedBecause: stoppedBy };
  const runsForMs = startedAt ? nowMs - startedAt.getTime() : 0;
  if (runsForMs >= maxDurationMs) return { room: 0, refusedBecause: 'duration' };
  const byLimit = limit - started;
  if (maxCredits === undefined) return { room: byLimit, refusedBecause: 'limit' };
  // Pages whose charge is not counted yet count with the most that they may cost.
  const spent = creditsUsed + Math.max(0, started - fetched) * creditsPerPage;
  const byCredits = Math.floor((maxCredits - spent) / creditsPerPage);
  return byCredits < byLimit
    ? { room: byCredits, refusedBecause: 'credits' }
    : { room: byLimit, refusedBecause: 'limit' };
}
