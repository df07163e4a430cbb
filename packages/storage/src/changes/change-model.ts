import { documentSchema } from '../document-schema.ts';

/**
 * One change that a run found, as the JSON text that the API returns. Its id is that of the job and its place, like the id
 * of a page, so that a part of them is read in order. They are written before the job finishes.
 */
export interface ChangeDocument {
  readonly _id: string;
  readonly json: string;
  readonly expiresAt: Date;
}

export const changeSchema = documentSchema<ChangeDocument>({
  _id: { type: String, required: true },
  json: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
changeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
