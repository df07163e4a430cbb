import type { ErrorCode, ProfileState, ProfileUse } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { documentSchema } from '../document-schema.ts';

/**
 * Profile of an account: how to sign in at a site, and the session. What signs in, and what is signed in, is encrypted with a
 * key that the database does not have.
 */
export interface ProfileDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Unique in the account. */
  readonly name: string;
  readonly loginUrl?: string;
  /** Sign of a page that is signed in, as JSON. */
  readonly checkJson?: string;
  /** Steps that sign in, as encrypted JSON; missing where only a person can. */
  readonly sealedActions?: string;
  /** Names of the secrets that the steps write. */
  readonly secretNames?: readonly string[];
  readonly proxy?: string;
  readonly ttlMs?: number;
  readonly status: ProfileState;
  /** Number of sessions so far; the present one is known by it. */
  readonly logins: number;
  /** Latest session with a signed-in page, or begun or requested by the account itself. */
  readonly provenSession: number;
  /** Rises with every write of the state. */
  readonly revision: number;
  /** Cookies and storage of the session, as encrypted JSON. */
  readonly sealedState?: string;
  readonly signedInAt?: Date;
  readonly expiresAt?: Date;
  readonly lastError?: { readonly code: ErrorCode; readonly message: string };
  /** Time from which a process may claim the wanted login: at once, after a pause, or once its claimant has died. */
  readonly loginDueAt?: Date;
  /** Id of the login that is under way. */
  readonly loginId?: string;
  /** Id of the login that opened the present session. */
  readonly openedBy?: string;
  /** Number of processes in a row that took the login and reported no result. */
  readonly loginTakes?: number;
  /** Number of failed attempts at the login. */
  readonly loginFailures?: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const profileSchema = documentSchema<ProfileDocument>({
  _id: { type: String, required: true },
  accountId: { type: String, required: true },
  name: { type: String, required: true },
  loginUrl: String,
  checkJson: String,
  sealedActions: String,
  secretNames: { type: [String], default: undefined },
  proxy: String,
  ttlMs: Number,
  status: { type: String, required: true },
  logins: { type: Number, required: true },
  provenSession: { type: Number, required: true },
  revision: { type: Number, required: true },
  sealedState: String,
  signedInAt: Date,
  expiresAt: Date,
  lastError: { _id: false, type: { code: String, message: String }, required: false },
  loginDueAt: Date,
  loginId: String,
  openedBy: String,
  loginTakes: Number,
  loginFailures: Number,
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
profileSchema.index({ accountId: 1, name: 1 }, { unique: true });
// Logins that are due, of all accounts.
profileSchema.index({ loginDueAt: 1 }, { partialFilterExpression: { loginDueAt: { $exists: true } } });

/** Stored profile of an account. */
export type StoredProfile = Omit<ProfileDocument, '_id'> & { readonly id: string };

export function toStoredProfile({ _id: id, ...fields }: ProfileDocument): StoredProfile {
  return { id, ...fields };
}

/** Profile without its state, which is large. */
export type Standing = Omit<StoredProfile, 'sealedState'>;

/** Returns what a scraper gets of a profile. */
export function profileUseOf(
  { id, logins: session, revision, sealedState, checkJson }: StoredProfile,
  isSaved: boolean,
): ProfileUse {
  return {
    id,
    session,
    revision,
    isSaved,
    ...defined({ state: sealedState }),
    ...(checkJson !== undefined && { check: JSON.parse(checkJson) }),
  };
}
