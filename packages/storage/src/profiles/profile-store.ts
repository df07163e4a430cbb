import type { Model } from 'mongoose';
import { isDuplicateKey } from '../database/translate-error.ts';
import { exactly } from '../document-schema.ts';
import type { Page } from '../keys/key-store.ts';
import { type ProfileDocument, type Standing, type StoredProfile, toStoredProfile } from './profile-model.ts';
import { type SessionChange, sessionUpdate } from './profile-sessions.ts';

/** Settings of a profile; null removes a setting. */
export type ProfileSettings = {
  readonly [Name in 'loginUrl' | 'checkJson' | 'sealedActions' | 'secretNames' | 'proxy' | 'ttlMs']?:
    | NonNullable<ProfileDocument[Name]>
    | null
    | undefined;
} & { readonly name?: string | undefined };

/** A profile to create. */
export interface NewProfile {
  readonly id: string;
  readonly accountId: string;
  readonly settings: ProfileSettings & { readonly name: string };
  readonly session: SessionChange;
}

/**
 * Store of profiles. The gateway writes their settings and the job-orchestrator their logins; both store what
 * pages leave in a session. Every write names what it replaces.
 */
export class ProfileStore {
  readonly #profiles: Model<ProfileDocument>;

  constructor(profiles: Model<ProfileDocument>) {
    this.#profiles = profiles;
  }

  /** Stores a profile. Returns null if the account has another one of that name. */
  async insertProfile(
    { id, accountId, settings, session }: NewProfile,
    now: Date,
  ): Promise<StoredProfile | null> {
    const { set, inc } = sessionUpdate(session, Boolean(settings.sealedActions), now);
    const { set: ofSettings } = settingsUpdate(settings);
    const document = {
      _id: id,
      accountId,
      name: settings.name,
      status: 'expired',
      createdAt: now,
      updatedAt: now,
      ...ofSettings,
      ...set,
      ...inc,
      provenSession: inc.logins,
    } as ProfileDocument;
    try {
      await this.#profiles.create(document);
      return toStoredProfile(document);
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** Changes settings of a profile and, if given, its session. Returns null if it is gone; 'taken' if the name is another one's. */
  async updateProfile(
    { id, accountId, logins }: Pick<StoredProfile, 'id' | 'accountId' | 'logins'>,
    { settings, session, canSignIn }: ProfileChange,
    now: Date,
  ): Promise<StoredProfile | 'taken' | null> {
    const ofSettings = settingsUpdate(settings);
    const ofSession = session && sessionUpdate(session, canSignIn, now);
    const unset = [...ofSettings.unset, ...(ofSession?.unset ?? [])];
    try {
      const document = await this.#profiles
        .findOneAndUpdate(
          { _id: exactly(id), accountId: exactly(accountId) },
          {
            $set: { ...ofSettings.set, ...ofSession?.set, updatedAt: now },
            ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, 1])) }),
            ...(ofSession && { $inc: ofSession.inc }),
            $max: { provenSession: logins },
          },
          { returnDocument: 'after' },
        )
        .lean();
      return document && toStoredProfile(document);
    } catch (error) {
      if (isDuplicateKey(error)) return 'taken';
      throw error;
    }
  }

  /** Returns a profile of an account, or null. */
  async findProfile(accountId: string, id: string): Promise<StoredProfile | null> {
    const document = await this.#profiles.findOne({ _id: exactly(id), accountId: exactly(accountId) }).lean();
    return document && toStoredProfile(document);
  }

  /** Returns the profiles with these ids, of any account. */
  async findProfiles(ids: readonly string[]): Promise<StoredProfile[]> {
    if (ids.length === 0) return [];
    const found = await this.#profiles.find({ _id: { $in: ids.map(String) } }).lean();
    return found.map(toStoredProfile);
  }

  /** Returns the same without their states. */
  async findStandings(ids: readonly string[]): Promise<Standing[]> {
    if (ids.length === 0) return [];
    const found = await this.#profiles
      .find({ _id: { $in: ids.map(String) } })
      .select('-sealedState')
      .lean();
    return found.map(toStoredProfile);
  }

  /** Returns a part of the account's profiles, newest first, and their total number. */
  async listProfiles(
    accountId: string,
    { limit, offset }: Page,
  ): Promise<{ profiles: StoredProfile[]; total: number }> {
    const [found, total] = await Promise.all([
      this.#profiles.find({ accountId }).sort({ createdAt: -1, _id: -1 }).skip(offset).limit(limit).lean(),
      this.#profiles.countDocuments({ accountId }),
    ]);
    return { profiles: found.map(toStoredProfile), total };
  }

  /** Deletes a profile with its session. Returns false if the account has none with this id. */
  async deleteProfile(accountId: string, id: string): Promise<boolean> {
    const { deletedCount } = await this.#profiles.deleteOne({
      _id: exactly(id),
      accountId: exactly(accountId),
    });
    return deletedCount > 0;
  }
}

/** Change of a profile. */
export interface ProfileChange {
  readonly settings: ProfileSettings;
  readonly session?: SessionChange | undefined;
  /** With the new settings, steps can sign in. */
  readonly canSignIn: boolean;
}

function settingsUpdate(settings: ProfileSettings) {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    set: Object.fromEntries(given.filter(([, value]) => value !== null)),
    unset: given.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
}
