import { documentSchema } from '../document-schema.ts';

/** Role held by one process until a time that it may extend. */
export interface LeaseDocument {
  readonly _id: string;
  readonly owner: string;
  readonly until: Date;
}

export const leaseSchema = documentSchema<LeaseDocument>({
  _id: { type: String, required: true },
  owner: { type: String, required: true },
  until: { type: Date, required: true },
});
