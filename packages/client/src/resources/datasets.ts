import type { Caller } from '../caller.ts';
import type { Dataset, DatasetRecord } from '../generated/openapi.ts';
import type { CallOptions, QueryOf, ResultOf } from '../operation-types.ts';
import { readChunks } from '../read-lines.ts';

/** A part of the changes of a dataset, and the revision to read on from. */
export type RecordChanges = Omit<ResultOf<'listRecords'>, 'success'>;

/** Most records that are read at once. */
const LARGEST_PAGE = 1000;

/** Datasets: the tables that jobs, crawls and schedules keep. */
export class Datasets {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists the datasets by name. */
  async list(options?: CallOptions): Promise<Dataset[]> {
    return (await this.#caller.call('listDatasets', {}, options)).datasets;
  }

  /** Returns a dataset. */
  async get(name: string, options?: CallOptions): Promise<Dataset> {
    return (await this.#caller.call('getDataset', { path: { name } }, options)).dataset;
  }

  /**
   * Yields the changes since a revision, a page at a time, to the end of the feed. Apply the records of a page, keep its `next`
   * with them, and give it as `since` the next time: nothing is missed. REVISION_GONE asks to begin again.
   */
  async *changes(
    name: string,
    query: Omit<QueryOf<'listRecords'>, 'format'> = {},
    options?: CallOptions,
  ): AsyncGenerator<RecordChanges> {
    let since = query.since ?? 0;
    for (;;) {
      const each = { limit: LARGEST_PAGE, ...query, since };
      const input = { path: { name }, query: each };
      const { success, ...page } = await this.#caller.call('listRecords', input, options);
      yield page;
      if (!page.hasMore) return;
      since = page.next;
    }
  }

  /** Yields the records with changes since a revision; without one, all records. */
  async *records(
    name: string,
    query: Omit<QueryOf<'listRecords'>, 'format'> = {},
    options?: CallOptions,
  ): AsyncGenerator<DatasetRecord> {
    for await (const { records } of this.changes(name, query, options)) yield* records;
  }

  /** Yields the bytes of a file: without `since`, of the whole table of the records that are there. */
  async *download(
    name: string,
    query: QueryOf<'listRecords'> & { readonly format: 'csv' | 'parquet' | 'ndjson' },
    options?: CallOptions,
  ): AsyncGenerator<Uint8Array> {
    yield* readChunks(await this.#caller.open('listRecords', { path: { name }, query }, options));
  }

  /** Returns the states of a record, newest first. */
  async history(
    name: string,
    key: string,
    options?: CallOptions,
  ): Promise<ResultOf<'getRecordHistory'>['history']> {
    return (await this.#caller.call('getRecordHistory', { path: { name, key } }, options)).history;
  }

  /** Deletes a dataset with all its records. */
  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#caller.call('deleteDataset', { path: { name } }, options);
  }
}
