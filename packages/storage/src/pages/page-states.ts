import type { Failure } from '@gleaner/contracts';
import type { mongo } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { deleteSome } from '../database/delete-some.ts';
import type { DriverCollection } from '../document-schema.ts';
import { pageIdBounds } from './page-id.ts';
import type { PageDocument } from './page-model.ts';
import { UNFINISHED } from './page-queries.ts';
import { updatesOf } from './page-updates.ts';
import type { PageEnd } from './stored-page.ts';

/**
 * Store of the states of pages; only the job-orchestrator writes it. Claims and ends of attempts are durable: of an attempt
 * whose claim was lost, a later one would have the number and the result.
 */
export class PageStates {
  readonly #pages: DriverCollection<PageDocument>;

  constructor(pages: DriverCollection<PageDocument>) {
    this.#pages = pages;
  }

  /** Starts the next attempt at each of these pages that is still waiting; returns their number. */
  async claim(ids: readonly string[], deadlineAt: Date): Promise<number> {
    if (ids.length === 0) return 0;
    const { modifiedCount } = await this.#pages.updateMany(
      { _id: { $in: [...ids] }, state: 'waiting' },
      { $set: { state: 'running', deadlineAt }, $inc: { attempt: 1 }, $unset: { notBefore: 1 } },
      { writeConcern: WRITE_CONCERNS.durable },
    );
    return modifiedCount;
  }

  /** Ends attempts, each unless its page is no longer running it; returns the number of ends that took effect. */
  async end(ends: readonly PageEnd[], at: Date): Promise<number> {
    if (ends.length === 0) return 0;
    const { modifiedCount } = await this.#pages.bulkWrite(updatesOf(ends, at), {
      ordered: false,
      writeConcern: WRITE_CONCERNS.durable,
    });
    return modifiedCount;
  }

  /** Fails the waiting ones of the pages; returns their number. */
  async failPages(ids: readonly string[], failure: Failure, at: Date): Promise<number> {
    if (ids.length === 0) return 0;
    const { modifiedCount } = await this.#pages.updateMany(
      { _id: { $in: [...ids] }, state: 'waiting' },
      { $set: { state: 'failed', failure, endedAt: at }, $unset: { notBefore: 1 } },
      { writeConcern: WRITE_CONCERNS.durable },
    );
    return modifiedCount;
  }

  /** Fails up to this many waiting pages of a job; returns the number of those that it came upon. */
  async failSome(
    jobId: string,
    most: number,
    { failure, at }: { readonly failure: Failure; readonly at: Date },
  ) {
    const update = {
      $set: { state: 'failed' as const, failure, endedAt: at },
      $unset: { notBefore: 1 as const },
    };
    return await this.#updateSome({ state: 'waiting', jobId }, most, update);
  }

  /** Cancels up to this many pages of a job that have not finished; returns the number of those that it came upon. */
  async cancelSome(jobId: string, most: number, at: Date): Promise<number> {
    return await this.#updateSome({ state: { $in: [...UNFINISHED] }, jobId }, most, cancellation(at));
  }

  /** Cancels up to this many pages of a job that are at work. */
  async cancelRunning(jobId: string, most: number, at: Date): Promise<void> {
    await this.#updateSome({ state: 'running', jobId }, most, cancellation(at));
  }

  /** Deletes up to this many pages of a job; returns their number. */
  async deleteSome(jobId: string, most: number): Promise<number> {
    return await deleteSome(this.#pages, { _id: pageIdBounds(jobId) }, most);
  }

  /** Updates up to this many of the pages, durably, each while it is in one of the states; returns the number that it came upon. */
  async #updateSome(
    filter: Pick<mongo.Filter<PageDocument>, 'state' | 'jobId'>,
    most: number,
    update: mongo.UpdateFilter<PageDocument>,
  ): Promise<number> {
    const found = await this.#pages
      .find(filter, { projection: { _id: 1 } })
      .limit(most)
      .toArray();
    if (found.length === 0) return 0;
    const ids = found.map(({ _id }) => _id);
    const options = { writeConcern: WRITE_CONCERNS.durable };
    await this.#pages.updateMany({ ...filter, _id: { $in: ids } }, update, options);
    return ids.length;
  }
}

function cancellation(at: Date) {
  return {
    $set: { state: 'cancelled' as const, endedAt: at },
    $unset: { notBefore: 1 as const, deadlineAt: 1 as const },
  };
}
