import { documentSchema } from '../document-schema.ts';

/** Requests of one slice of the window, all of them at or before `lastMs`. */
export interface SliceCount {
  readonly lastMs: number;
  readonly count: number;
}

/** Slot of a request in flight, until it is freed or expires. */
export interface FlightSlot {
  readonly operationId: string;
  readonly expiresMs: number;
}

/** Decision on the last request. */
export type RateLimitVerdict = 'allowed' | 'rate' | 'concurrency';

/** Usage of one class of calls by one key; `_id` is `<keyId>:<class>`. Times are milliseconds since 1970. */
export interface RateLimitDocument {
  readonly _id: string;
  /** Slice that requests are counted in now. */
  readonly open: SliceCount & { readonly slice: number };
  /** Earlier slices, as long as they count. */
  readonly closed: SliceCount[];
  readonly slots: FlightSlot[];
  /** Requests that the open slice may still count under this limit, without expiring earlier slices first. */
  readonly room: { readonly limit: number; readonly left: number };
  readonly verdict: RateLimitVerdict;
  /** Time from which nothing here counts any more, and the server may delete it. */
  readonly expiresAt: Date;
}

export const rateLimitSchema = documentSchema<RateLimitDocument>({
  _id: { type: String, required: true },
  open: { _id: false, slice: Number, lastMs: Number, count: Number },
  closed: [{ _id: false, slice: Number, lastMs: Number, count: Number }],
  slots: [{ _id: false, operationId: String, expiresMs: Number }],
  room: { _id: false, limit: Number, left: Number },
  verdict: { type: String, enum: ['allowed', 'rate', 'concurrency'], required: true },
  expiresAt: { type: Date, required: true },
});
rateLimitSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
