import type { Failure, RobotsFound } from '@gleaner/contracts';
import type { Model } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
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

/** Rules of an origin, or the reason why they could not be read: then nothing of it may be fetched. */
export type StoredRobots = Pick<RobotsFound, 'rules' | 'crawlDelayMs'> & {
  readonly unreachable?: Failure;
};

/** Rules with the origin that they hold for, and the time until when. */
export interface FoundRobots {
  readonly origin: string;
  readonly robots: StoredRobots;
  readonly expiresAt: Date;
  readonly readAt: Date;
}

/** Store of robots.txt files; only the job-orchestrator uses it. */
export class RobotsStore {
  readonly #files: Model<RobotsDocument>;

  constructor(files: Model<RobotsDocument>) {
    this.#files = files;
  }

  /** Stores the rules of an origin instead of older ones, durably. */
  async put({ origin, robots, expiresAt, readAt }: FoundRobots): Promise<void> {
    await this.#files.updateOne(
      { _id: origin },
      { $set: { json: JSON.stringify(robots), readAt, expiresAt } },
      { upsert: true, writeConcern: WRITE_CONCERNS.durable },
    );
  }

  /** Returns the unexpired rules of the origins. */
  async find(origins: readonly string[], now: Date): Promise<FoundRobots[]> {
    if (origins.length === 0) return [];
    const documents = await this.#files.find({ _id: { $in: [...origins] }, expiresAt: { $gt: now } }).lean();
    return documents.map(({ _id, json, readAt, expiresAt }) => ({
      origin: _id,
      robots: JSON.parse(json) as StoredRobots,
      readAt,
      expiresAt,
    }));
  }
}
