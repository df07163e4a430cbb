import type { Model } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { documentSchema } from '../document-schema.ts';

/** Trace of one scrape; `_id` is made of account and request id. Traces of pages of jobs are stored with their results. */
export interface TraceDocument {
  readonly _id: string;
  /** Request without its secrets, outcome and attempts. */
  readonly json: string;
  readonly expiresAt: Date;
}

export const traceSchema = documentSchema<TraceDocument>({
  _id: { type: String, required: true },
  json: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
traceSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Names one trace: the request id is the caller's own where it sent one. */
export interface TraceName {
  readonly accountId: string;
  readonly requestId: string;
}

/** A trace to keep. */
export interface NewTrace extends TraceName {
  readonly json: string;
}

/** Store of the traces of scrapes, which the server deletes when they are too old; only the gateway writes it. */
export class TraceStore {
  readonly #traces: Model<TraceDocument>;

  constructor(traces: Model<TraceDocument>) {
    this.#traces = traces;
  }

  /** Keeps traces, together; of several with one name, the first counts. */
  async insertTraces(newTraces: readonly NewTrace[], expiresAt: Date): Promise<void> {
    if (newTraces.length === 0) return;
    const inserts = newTraces.map(({ json, ...name }) => ({
      insertOne: { document: { _id: idOf(name), json, expiresAt } },
    }));
    try {
      await this.#traces.bulkWrite(inserts, {
        ordered: false,
        throwOnValidationError: true,
        writeConcern: WRITE_CONCERNS.counter,
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Returns the JSON of a trace that is still kept, or null. */
  async findTrace(name: TraceName, now: Date): Promise<string | null> {
    const found = await this.#traces.findOne({ _id: idOf(name), expiresAt: { $gt: now } }).lean();
    return found?.json ?? null;
  }
}

function idOf({ accountId, requestId }: TraceName): string {
  return `${accountId} ${requestId}`;
}
