import type { ErrorCode, UsedState } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { type ProfileDocument, type StoredProfile, toStoredProfile } from './profile-model.ts';

/** A login that a process has taken. */
export interface TakenLogin {
  readonly profileId: string;
  readonly loginId: string;
}

/** News of a session from a page that was fetched with it. */
export type SessionEnd =
  | {
      /** Session that the page was signed in with. */
      readonly signedIn: number;
      /** State left by the page, instead of the state of a revision. */
      readonly leftState?: { readonly revision: number; readonly state: string } | undefined;
    }
  | {
      /** State with which the page was not signed in. */
      readonly signedOut: UsedState;
      /** The page is given up, so that no further session is tried for it. */
      readonly isLost: boolean;
    };

/** Fields of a login that is wanted or under way. */
const NO_LOGIN = { loginDueAt: 1, loginId: 1, loginTakes: 1, loginFailures: 1 } as const;
/** Consecutive sessions without a signed-in page after which logins do not help. */
const MAX_UNPROVEN = 2;
/** A login that is due this much later than one may be was taken before a clock was set back. */
const SET_BACK_MS = 60_000;
const UNPROVEN = {
  code: 'PROFILE_EXPIRED',
  message: `Pages failed the check of the profile with ${MAX_UNPROVEN} sessions in a row: the sign of a page that is signed in is on none of them, or the logins do not sign in.`,
} as const;

/**
 * Steps of the sessions of profiles. Each is one conditional write, so that of many processes that see a session expire one
 * begins a login, and a state never replaces one of a later session.
 */
export class ProfileSessions {
  readonly #profiles: Model<ProfileDocument>;

  constructor(profiles: Model<ProfileDocument>) {
    this.#profiles = profiles;
  }

  /** Replaces the state of a revision by the one that a page has left. Returns false if another was stored since. */
  async saveState(id: string, revision: number, sealedState: string): Promise<boolean> {
    const { matchedCount } = await this.#profiles.updateOne(
      { _id: id, revision, status: 'ready' },
      { $set: { sealedState }, $inc: { revision: 1 } },
    );
    return matchedCount > 0;
  }

  /**
   * Updates the session of a profile from the reports of pages: stores the state they have left, records
   * that it signs in, and ends it when it is over. New sessions are counted first, so that no page of the
   * same time gives one up.
   */
  async settleSession(id: string, ends: readonly SessionEnd[], now: Date): Promise<void> {
    let proven = 0;
    for (const end of ends) {
      if (!('signedIn' in end)) continue;
      if (end.leftState) await this.saveState(id, end.leftState.revision, end.leftState.state);
      proven = Math.max(proven, end.signedIn);
    }
    if (proven > 0) await this.#proveSession(id, proven);
    for (const end of ends) {
      if ('signedIn' in end) continue;
      if (end.isLost) await this.#failUnproven(id, end.signedOut, now);
      else await this.#endSession(id, end.signedOut, now);
    }
  }

  /** Begins a new session instead of one that is over by its `ttl`, unless that was done. */
  async renewSession(id: string, session: number, now: Date): Promise<void> {
    await this.#renew(id, { logins: session }, now);
  }

  /** Wants a login because the account asks for it, unless one is under way. */
  async requestLogin({ id, logins }: Pick<StoredProfile, 'id' | 'logins'>, now: Date): Promise<void> {
    await this.#profiles.updateOne(
      { _id: id, status: { $ne: 'signing-in' }, sealedActions: { $exists: true } },
      { ...loginWanted(now), $max: { provenSession: logins } },
    );
  }

  /**
   * Claims a due login until `until`, except logins of some accounts; returns null if none is due. Another
   * process may claim it afterwards.
   */
  async takeLogin(
    loginId: string,
    { now, until, except }: { now: Date; until: Date; except: readonly string[] },
  ): Promise<StoredProfile | null> {
    const document = await this.#profiles
      .findOneAndUpdate(
        {
          accountId: { $nin: [...except] },
          $or: [
            { loginDueAt: { $lte: now } },
            { loginDueAt: { $gt: new Date(until.getTime() + SET_BACK_MS) } },
          ],
        },
        { $set: { loginId, loginDueAt: until }, $inc: { loginTakes: 1 } },
        { sort: { loginDueAt: 1 }, returnDocument: 'after' },
      )
      .lean();
    return document && toStoredProfile(document);
  }

  /** Stores the session that a login has opened, once. Returns false if the login was taken from its process. */
  async openSession(
    { profileId, loginId }: TakenLogin,
    { sealedState, now, expiresAt }: { sealedState: string; now: Date; expiresAt: Date | undefined },
  ): Promise<boolean> {
    const { matchedCount } = await this.#profiles.updateOne(
      { _id: profileId, loginId },
      {
        $set: {
          status: 'ready',
          sealedState,
          signedInAt: now,
          updatedAt: now,
          openedBy: loginId,
          ...defined({ expiresAt }),
        },
        $unset: { ...NO_LOGIN, lastError: 1, ...(!expiresAt && { expiresAt: 1 }) },
        $inc: { logins: 1, revision: 1 },
      },
    );
    return matchedCount > 0 || (await this.#profiles.exists({ _id: profileId, openedBy: loginId })) !== null;
  }

  /** Postpones an unsuccessful login and records its number of failures. */
  async postponeLogin(
    { profileId, loginId }: TakenLogin,
    { loginDueAt, loginFailures }: { readonly loginDueAt: Date; readonly loginFailures: number },
  ): Promise<void> {
    await this.#profiles.updateOne(
      { _id: profileId, loginId },
      { $set: { loginDueAt, loginFailures, loginTakes: 0 }, $unset: { loginId: 1 } },
    );
  }

  /** Gives up a login: the profile has failed. Returns false if the login was taken from its process. */
  async failLogin(
    { profileId, loginId }: TakenLogin,
    lastError: { readonly code: ErrorCode; readonly message: string },
    now: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.#profiles.updateOne(
      { _id: profileId, loginId },
      { $set: { status: 'failed', lastError, updatedAt: now }, $unset: NO_LOGIN },
    );
    return matchedCount > 0;
  }

  /** Updates a session that has not been renewed; returns false if it has, or if the rest of the condition does not hold. */
  async #updateOpen(
    { id, ...rest }: { readonly id: string } & QueryFilter<ProfileDocument>,
    update: UpdateQuery<ProfileDocument>,
  ): Promise<boolean> {
    const filter = { status: { $in: ['ready', 'expired'] as const }, ...rest, _id: id };
    return (await this.#profiles.updateOne(filter, update)).matchedCount > 0;
  }

  /** Wants a login instead of a session; marks as expired one that only a person can renew. */
  async #renew(id: string, session: QueryFilter<ProfileDocument>, now: Date): Promise<void> {
    const canSignIn = { sealedActions: { $exists: true } };
    if (await this.#updateOpen({ id, ...session, ...canSignIn }, loginWanted(now))) return;
    const byPerson = { status: 'ready' as const, sealedActions: { $exists: false } };
    await this.#updateOpen({ id, ...session, ...byPerson }, { $set: { status: 'expired', updatedAt: now } });
  }

  /** Gives up a profile whose latest sessions no page was signed in with. Returns false if there are too few of them. */
  async #failUnproven(id: string, { session, revision }: UsedState, now: Date): Promise<boolean> {
    const provenSession = { $lte: session - MAX_UNPROVEN };
    return await this.#updateOpen(
      { id, logins: session, revision, provenSession, sealedActions: { $exists: true } },
      { $set: { status: 'failed', lastError: UNPROVEN, updatedAt: now } },
    );
  }

  /** Ends a session that a page was not signed in with, unless another state has replaced that of the page. */
  async #endSession(id: string, used: UsedState, now: Date): Promise<void> {
    if (await this.#failUnproven(id, used, now)) return;
    await this.#renew(id, { logins: used.session, revision: used.revision }, now);
  }

  /** Notes that a page was signed in with a session. */
  async #proveSession(id: string, session: number): Promise<void> {
    await this.#profiles.updateOne(
      { _id: id, provenSession: { $lt: session } },
      { $max: { provenSession: session } },
    );
  }
}

/** Returns the update that wants a login. */
function loginWanted(now: Date) {
  return {
    $set: {
      status: 'signing-in' as const,
      loginDueAt: now,
      loginTakes: 0,
      loginFailures: 0,
      updatedAt: now,
    },
    $unset: { loginId: 1 as const },
  };
}

/** Ending of the session of a profile: a new login is wanted, or a person has to sign in; or its replacement by an uploaded state. */
export type SessionChange = 'ended' | { readonly sealedState: string; readonly expiresAt?: Date };

const OF_SESSION = [
  ...(['loginId', 'loginDueAt', 'loginTakes', 'loginFailures'] as const),
  ...(['lastError', 'sealedState', 'expiresAt'] as const),
];

/** Returns the update that ends the session of a profile, or replaces it. */
export function sessionUpdate(change: SessionChange, canSignIn: boolean, now: Date) {
  const ended = canSignIn ? loginWanted(now).$set : { status: 'expired' as const };
  const set: Partial<ProfileDocument> =
    change === 'ended' ? ended : { ...change, status: 'ready', signedInAt: now };
  return {
    set,
    unset: OF_SESSION.filter((name) => !(name in set)),
    inc: { revision: 1, logins: change === 'ended' ? 0 : 1 },
  };
}
