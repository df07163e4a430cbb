import { defined } from '@gleaner/contracts';
import { deleteSome } from '../database/delete-some.ts';
import { bounded } from '../database/guarded.ts';
import { insertMissing } from '../database/insert-missing.ts';
import { type DriverCollection, documentSchema } from '../document-schema.ts';
import { pageIdBounds } from '../pages/page-id.ts';
import type { PageAttempt } from '../pages/stored-page.ts';

/**
 * Result of one attempt at a page, as the JSON text that the API returns. It is written before the page is marked as
 * succeeded, with page and attempt as its id; only the result of the attempt that the page succeeded with counts.
 */
export interface ResultDocument {
  readonly _id: string;
  readonly json: string;
  /** Screenshot that counts, if several were stored for the attempt. */
  readonly screenshotId?: string;
  /** Attempts with the times of their stages, in JSON. */
  readonly trace?: string;
  readonly expiresAt: Date;
}

export const resultSchema = documentSchema<ResultDocument>({
  _id: { type: String, required: true },
  json: { type: String, required: true },
  screenshotId: String,
  trace: String,
  expiresAt: { type: Date, required: true },
});
resultSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Result of an attempt, to be stored. */
export interface NewResult extends PageAttempt {
  /** The page's result as the API returns it, in JSON. */
  readonly json: string;
  readonly screenshotId?: string | undefined;
  /** Attempts with the times of their stages, in JSON. */
  readonly trace?: string | undefined;
}

/** Result of a page, with the id of the page. */
export interface FoundResult {
  readonly id: string;
  readonly json: string;
}

/** Store of page results; only the job-orchestrator writes it. */
export class ResultStore {
  readonly #results: DriverCollection<ResultDocument>;

  constructor(results: DriverCollection<ResultDocument>) {
    this.#results = results;
  }

  /**
   * Stores results, durably; idempotent. A page that is marked as succeeded later has its result even if the primary
   * changed in between.
   */
  async insertResults(newResults: readonly NewResult[], expiresAt: Date): Promise<void> {
    if (newResults.length === 0) return;
    const documents = newResults.map(({ json, screenshotId, trace, ...attempt }) => ({
      _id: idOf(attempt),
      json,
      ...defined({ screenshotId, trace }),
      expiresAt,
    }));
    await insertMissing(this.#results, documents);
  }

  /** Deletes up to this many results of a job; returns their number. */
  async deleteSome(jobId: string, most: number): Promise<number> {
    return await deleteSome(this.#results, { _id: pageIdBounds(jobId) }, most);
  }

  /** Returns the results of attempts as JSON texts, by page id. */
  async findResults(attempts: readonly PageAttempt[]): Promise<ReadonlyMap<string, string>> {
    if (attempts.length === 0) return new Map();
    const pageIds = new Map(attempts.map((attempt) => [idOf(attempt), attempt.id]));
    const documents = await this.#results.find({ _id: { $in: [...pageIds.keys()] } }).toArray();
    return new Map(documents.map(({ _id, json }) => [pageIds.get(_id) ?? _id, json]));
  }

  /** Returns the trace of an attempt in JSON, or null. */
  async findTrace(attempt: PageAttempt): Promise<string | null> {
    const document = await this.#results.findOne({ _id: idOf(attempt) }, { projection: { trace: 1 } });
    return document?.trace ?? null;
  }

  /** Returns the id of the screenshot of an attempt, or null. */
  async findScreenshotId(attempt: PageAttempt): Promise<string | null> {
    const options = { projection: { screenshotId: 1 } };
    const document = await this.#results.findOne({ _id: idOf(attempt) }, options);
    return document?.screenshotId ?? null;
  }
}

/** Results for exports, each read from the cursor within the time of one operation. */
export class ResultStream {
  readonly #results: DriverCollection<ResultDocument>;

  constructor(results: DriverCollection<ResultDocument>) {
    this.#results = results;
  }

  /** Yields the results of attempts in the order of their pages; memory holds at most one batch of the cursor (16 MiB). */
  async *streamResults(attempts: readonly PageAttempt[]): AsyncGenerator<FoundResult, void, void> {
    if (attempts.length === 0) return;
    const pageIds = new Map(attempts.map((attempt) => [idOf(attempt), attempt.id]));
    const cursor = this.#results.find({ _id: { $in: [...pageIds.keys()] } }).sort({ _id: 1 });
    try {
      for (;;) {
        const document = await bounded(() => cursor.next());
        if (!document) return;
        yield { id: pageIds.get(document._id) ?? document._id, json: document.json };
      }
    } finally {
      await cursor.close();
    }
  }
}

function idOf({ id, attempt }: PageAttempt): string {
  return `${id}#${attempt}`;
}
