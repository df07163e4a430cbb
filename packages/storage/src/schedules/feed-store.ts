import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Model } from 'mongoose';
import { documentSchema, exactly } from '../document-schema.ts';
import { hashKey } from '../keys/generate-key.ts';

/** Token of the feeds of a schedule: stored in plain text, since its owner sees it again, and it opens nothing but what lies beside it. */
export interface FeedDocument {
  /** Id of the schedule. */
  readonly _id: string;
  readonly accountId: string;
  readonly token: string;
  readonly createdAt: Date;
}

export const feedSchema = documentSchema<FeedDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  token: { type: String, required: true },
  createdAt: { type: Date, required: true },
});

/** Stored token with the id of its schedule. */
export type StoredFeed = Omit<FeedDocument, '_id'> & { readonly scheduleId: string };

/** Schedule of an account whose feeds are opened. */
type FeedTarget = Pick<StoredFeed, 'scheduleId' | 'accountId'>;

const TOKEN_BYTES = 24;

/** Store of the tokens of feeds; only the gateway writes it. */
export class FeedStore {
  readonly #feeds: Model<FeedDocument>;

  constructor(feeds: Model<FeedDocument>) {
    this.#feeds = feeds;
  }

  /** Returns the token of a schedule, and makes it the first time. */
  async ensureFeed({ scheduleId, accountId }: FeedTarget, now: Date): Promise<StoredFeed> {
    const document = await this.#feeds
      .findOneAndUpdate(
        { _id: exactly(scheduleId), accountId: exactly(accountId) },
        { $setOnInsert: { token: generateToken(), createdAt: now } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean();
    return toStored(document);
  }

  /** Replaces the token of a schedule. */
  async rotateFeed({ scheduleId, accountId }: FeedTarget, now: Date): Promise<StoredFeed> {
    const document = await this.#feeds
      .findOneAndUpdate(
        { _id: exactly(scheduleId), accountId: exactly(accountId) },
        { $set: { token: generateToken(), createdAt: now } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean();
    return toStored(document);
  }

  /** Returns the feed of a schedule that a token opens; null for another token, in the same time. */
  async openFeed(scheduleId: string, token: string): Promise<StoredFeed | null> {
    const document = await this.#feeds.findOne({ _id: exactly(scheduleId) }).lean();
    const isRight = timingSafeEqual(digestOf(token), digestOf(document?.token ?? generateToken()));
    return document && isRight ? toStored(document) : null;
  }

  /** Deletes the token of a schedule; idempotent. */
  async removeFeed({ scheduleId, accountId }: FeedTarget): Promise<void> {
    await this.#feeds.deleteOne({ _id: exactly(scheduleId), accountId: exactly(accountId) });
  }
}

function generateToken(): string {
  return `glf_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

function digestOf(token: string): Buffer {
  return Buffer.from(hashKey(token), 'hex');
}

function toStored({ _id: scheduleId, ...rest }: FeedDocument): StoredFeed {
  return { scheduleId, ...rest };
}
