import { Schema } from 'mongoose';

/** The requests of one slice of the window; all of them came at or before `lastMs`. */
export interface SliceCount {
  readonly lastMs: number;
  readonly count: number;
}

/** A place among the requests in flight, until it is freed or expires. */
export interface FlightSlot {
  readonly operationId: string;
  readonly expiresMs: number;
}

/** How the last request fared. */
export type RateLimitVerdict = 'allowed' | 'rate' | 'concurrency';

/** What one key has used of one class of calls; `_id` is `<keyId>:<class>`. Times are milliseconds since 1970. */
export interface RateLimitDocument {
  readonly _id: string;
  /** The slice that requests are counted in now. */
  readonly open: SliceCount & { readonly slice: number };
  /** Those before it, as long as they count. */
  readonly closed: SliceCount[];
  readonly slots: FlightSlot[];
  /** How many more requests the open slice may count under this limit, without a look at what is over. */
  readonly room: { readonly limit: number; readonly left: number };
  readonly verdict: RateLimitVerdict;
  /** When nothing of this counts any more, and the server may delete it. */
  readonly expiresAt: Date;
}

export const rateLimitSchema = new Schema<RateLimitDocument>(
  {
    _id: { type: String, required: true },
    open: { _id: false, slice: Number, lastMs: Number, count: Number },
    closed: [{ _id: false, slice: Number, lastMs: Number, count: Number }],
    slots: [{ _id: false, operationId: String, expiresMs: Number }],
    room: { _id: false, limit: Number, left: Number },
    verdict: { type: String, enum: ['allowed', 'rate', 'concurrency'], required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
rateLimitSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
