import { randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import { documentSchema } from '../document-schema.ts';
import { hashKey } from './generate-key.ts';

/** Browser session, code for opening one, or ticket for one address; `_id` is the SHA-256 of its secret, in hex. */
export interface SessionDocument {
  readonly _id: string;
  readonly kind: 'session' | 'code' | 'ticket';
  /** SHA-256 of the API key that it stands for. */
  readonly keyHash: string;
  /** Path and query that a ticket opens. */
  readonly target?: string;
  readonly createdAt: Date;
  /** Time from which it is not valid, and the server may delete it. */
  readonly expiresAt: Date;
}

export const sessionSchema = documentSchema<SessionDocument>({
  _id: { type: String, required: true },
  kind: { type: String, enum: ['session', 'code', 'ticket'], required: true },
  keyHash: { type: String, required: true },
  target: { type: String },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const SECRET_BYTES = 32;
/** A session ends after this time without use, */
const IDLE_MS = 12 * 3_600_000;
/** and after this time in any case. */
const LONGEST_MS = 7 * 86_400_000;
const CODE_MS = 10 * 60_000;
const TICKET_MS = 60_000;
/** Use is written down when it moves the end by this much, so that most calls write nothing. */
const NOTED_MS = 60_000;

/** Session that was found by its secret. */
export interface StoredSession {
  /** SHA-256 of its API key. */
  readonly keyHash: string;
  readonly expiresAt: Date;
}

/** A secret, stored as its hash, and the end of its validity. */
export interface NewSecret {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Store of sessions, of codes for one session, and of tickets for one address. It keeps only the SHA-256 of their secrets. */
export class SessionStore {
  readonly #sessions: Model<SessionDocument>;

  constructor(sessions: Model<SessionDocument>) {
    this.#sessions = sessions;
  }

  /** Opens a session for the API key with this hash. */
  async openSession(keyHash: string, now: Date): Promise<NewSecret> {
    return await this.#create({ kind: 'session', keyHash }, now, IDLE_MS);
  }

  /** Returns a session that is valid now, and moves its end; or null. */
  async useSession(secret: string, now: Date): Promise<StoredSession | null> {
    const id = hashKey(secret);
    const found = await this.#sessions.findOne({ _id: id, kind: 'session', expiresAt: { $gt: now } }).lean();
    if (!found) return null;
    const lastMs = found.createdAt.getTime() + LONGEST_MS;
    const expiresAt = new Date(Math.min(now.getTime() + IDLE_MS, lastMs));
    if (expiresAt.getTime() - found.expiresAt.getTime() < NOTED_MS) return found;
    await this.#sessions.updateOne({ _id: id }, { $set: { expiresAt } });
    return { keyHash: found.keyHash, expiresAt };
  }

  /** Ends a session. */
  async closeSession(secret: string): Promise<void> {
    await this.#sessions.deleteOne({ _id: hashKey(secret) });
  }

  /** Creates a code that opens one session for the API key with this hash. */
  async createCode(keyHash: string, now: Date): Promise<NewSecret> {
    return await this.#create({ kind: 'code', keyHash }, now, CODE_MS);
  }

  /** Uses up a code and returns the hash of its API key; null when it is unknown, used or too old. */
  async redeemCode(code: string, now: Date): Promise<string | null> {
    const found = await this.#sessions
      .findOneAndDelete({ _id: hashKey(code), kind: 'code', expiresAt: { $gt: now } })
      .lean();
    return found?.keyHash ?? null;
  }

  /** Creates a ticket with which the API key with this hash opens an address once. */
  async createTicket(keyHash: string, target: string, now: Date): Promise<NewSecret> {
    return await this.#create({ kind: 'ticket', keyHash, target }, now, TICKET_MS);
  }

  /** Uses up a ticket and returns the hash of its API key; null when it is unknown, used, too old or for another address. */
  async redeemTicket(ticket: string, target: string, now: Date): Promise<string | null> {
    const found = await this.#sessions
      .findOneAndDelete({ _id: hashKey(ticket), kind: 'ticket', target, expiresAt: { $gt: now } })
      .lean();
    return found?.keyHash ?? null;
  }

  async #create(
    given: Pick<SessionDocument, 'kind' | 'keyHash' | 'target'>,
    now: Date,
    ms: number,
  ): Promise<NewSecret> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + ms);
    await this.#sessions.create({ _id: hashKey(secret), ...given, createdAt: now, expiresAt });
    return { secret, expiresAt };
  }
}
