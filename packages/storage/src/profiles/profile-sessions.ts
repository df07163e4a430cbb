import type { ErrorCode } from '@gleaner/contracts';
import type { Models } from '../models.ts';
import { type ProfileDocument, type StoredProfile, toStoredProfile } from './profile-model.ts';

/** A login that a process has taken. */
export interface TakenLogin {
  readonly profileId: string;
  readonly loginId: string;
}

/** Fields of a login that is wanted or under way. */
const NO_LOGIN = { loginDueAt: 1, loginId: 1, loginTries: 1 } as const;

/**
 * Steps of the sessions of profiles. Each is one conditional write, so that of many processes that see a session expire one
 * begins a login, and a state never replaces one of a later session.
 */
export function sessionOperations(profiles: Models['profiles']) {
  return {
    /**
     * Wants a new login instead of a session, which is named by its number; of any session where none is named. Returns
     * false, changing nothing, if another session has begun, a login is wanted already, failed, or only a person can sign in.
     */
    async wantLogin(id: string, session: number | undefined, now: Date): Promise<boolean> {
      const which =
        session === undefined
          ? { status: { $ne: 'signing-in' as const } }
          : { logins: session, status: { $in: ['ready' as const, 'expired' as const] } };
      const { matchedCount } = await profiles.updateOne(
        { _id: id, ...which, sealedActions: { $exists: true } },
        {
          $set: { status: 'signing-in', loginDueAt: now, loginTries: 0, updatedAt: now },
          $unset: { loginId: 1 },
        },
      );
      return matchedCount > 0;
    },

    /** Marks a session as expired that only a person can renew. Returns false if another session has begun. */
    async expireSession(id: string, session: number, now: Date): Promise<boolean> {
      const { matchedCount } = await profiles.updateOne(
        { _id: id, logins: session, status: 'ready', sealedActions: { $exists: false } },
        { $set: { status: 'expired', updatedAt: now } },
      );
      return matchedCount > 0;
    },

    /** Takes a login that is due until a time, after which another process may take it. Returns null if none is. */
    async takeLogin(loginId: string, now: Date, until: Date): Promise<StoredProfile | null> {
      const document = await profiles
        .findOneAndUpdate(
          { loginDueAt: { $lte: now } },
          { $set: { loginId, loginDueAt: until }, $inc: { loginTries: 1 } },
          { sort: { loginDueAt: 1 }, returnDocument: 'after' },
        )
        .lean();
      return document && toStoredProfile(document);
    },

    /** Stores the session that a login has opened. Returns false if the login was taken from its process. */
    async openSession(
      { profileId, loginId }: TakenLogin,
      { sealedState, now, expiresAt }: { sealedState: string; now: Date; expiresAt: Date | undefined },
    ): Promise<boolean> {
      const { matchedCount } = await profiles.updateOne(
        { _id: profileId, loginId },
        {
          $set: {
            ...{ status: 'ready', sealedState, signedInAt: now, updatedAt: now },
            ...(expiresAt && { expiresAt }),
          },
          $unset: { ...NO_LOGIN, lastError: 1, ...(!expiresAt && { expiresAt: 1 }) },
          $inc: { logins: 1, revision: 1 },
        },
      );
      return matchedCount > 0;
    },

    /** Puts off a login that has not succeeded; with a time in the past, it is due at once. */
    async postponeLogin({ profileId, loginId }: TakenLogin, loginDueAt: Date): Promise<void> {
      await profiles.updateOne({ _id: profileId, loginId }, { $set: { loginDueAt }, $unset: { loginId: 1 } });
    },

    /** Gives up a login: the profile has failed. Returns false if the login was taken from its process. */
    async failLogin(
      { profileId, loginId }: TakenLogin,
      lastError: { readonly code: ErrorCode; readonly message: string },
      now: Date,
    ): Promise<boolean> {
      const { matchedCount } = await profiles.updateOne(
        { _id: profileId, loginId },
        { $set: { status: 'failed', lastError, updatedAt: now }, $unset: NO_LOGIN },
      );
      return matchedCount > 0;
    },

    /** Notes that a page was signed in with a session. */
    async proveSession(id: string, session: number): Promise<void> {
      await profiles.updateOne({ _id: id }, { $max: { provenSession: session } });
    },

    /** Replaces the state of a revision by the one that a page has left. Returns false if another was stored since. */
    async saveState(id: string, revision: number, sealedState: string): Promise<boolean> {
      const { matchedCount } = await profiles.updateOne(
        { _id: id, revision, status: 'ready' },
        { $set: { sealedState }, $inc: { revision: 1 } },
      );
      return matchedCount > 0;
    },
  };
}

/** Ending of the session of a profile: a new login is wanted, or a person has to sign in; or its replacement by an uploaded state. */
export type SessionChange = 'ended' | { readonly sealedState: string; readonly expiresAt: Date | undefined };

/** Returns the update that ends the session of a profile, or replaces it. */
export function sessionUpdate(change: SessionChange, canSignIn: boolean, now: Date) {
  const next: Partial<ProfileDocument> =
    change === 'ended'
      ? canSignIn
        ? { status: 'signing-in', loginDueAt: now, loginTries: 0 }
        : { status: 'expired' }
      : { status: 'ready', sealedState: change.sealedState, signedInAt: now };
  const isOpen = change !== 'ended';
  return {
    set: { ...next, ...(isOpen && change.expiresAt && { expiresAt: change.expiresAt }) },
    unset: [
      ...['loginId', 'expiresAt', 'lastError', 'sealedState', 'loginDueAt', 'loginTries'].filter(
        (name) => !(name in next) && !(name === 'expiresAt' && isOpen && change.expiresAt),
      ),
    ],
    inc: { revision: 1, ...(isOpen && { logins: 1 }) },
  };
}
