import { documentSchema } from '../document-schema.ts';

/** The robots.txt of an origin as it was last read, for all crawls. */
export interface RobotsDocument {
  /** Origin, such as `https://example.com`. */
  readonly _id: string;
  /** Rules for Gleaner in JSON; they are many in some files. */
  readonly json: string;
  readonly readAt: Date;
  readonly expiresAt: Date;
}

export const robotsSchema = documentSchema<RobotsDocument>({
  _id: { type: String, required: true },
  json: { type: String, required: true },
  readAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
robotsSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
