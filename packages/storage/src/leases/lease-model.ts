import { documentSchema } from '../document-schema.ts';

/** Role held by one process until a time that it may extend. */
export interface LeaseDocument {
  readonly _id: string;
  readonly owner: string;
  readonly until: Date;
  /** Values that the holder measured last, for every process to show. */
  readonly readings?: LeaseReadings;
}

/** Values that the holder of a role has measured. */
export interface LeaseReadings {
  readonly at: Date;
  readonly values: Readonly<Record<string, number>>;
}

export const leaseSchema = documentSchema<LeaseDocument>({
  _id: { type: String, required: true },
  owner: { type: String, required: true },
  until: { type: Date, required: true },
  readings: { _id: false, type: { at: Date, values: { type: Map, of: Number } }, required: false },
});
