import {
  type Action,
  AppError,
  createId,
  defined,
  LIMITS,
  type Profile,
  type ProfileLogin,
  purposeOfLogin,
  purposeOfState,
  REDACTED,
  type StorageState,
  secretsIn,
  tidyState,
} from '@gleaner/contracts';
import type { SecretBox } from '@gleaner/service-kit';
import type { ProfileSettings, StoredProfile, Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { JsonWithHeaders } from '../../responses/responses.ts';
import type { Handlers } from '../handler.ts';
import { paginate } from '../paginate.ts';
import type { ScrapeRules } from '../scrape/check-scrape-request.ts';
import { findSealedSecrets } from '../secrets/find-sealed-secrets.ts';
import { checkProfile } from './check-profile.ts';

/** Collaborators of the handlers. */
export interface ProfileDeps extends Pick<Stores, 'clock' | 'profiles' | 'secrets'> {
  readonly rules: ScrapeRules;
  /** Undefined if the operator has set no SECRETS_KEY. */
  readonly secretBox: SecretBox | undefined;
}

type ProfileRoute =
  | 'createProfile'
  | 'listProfiles'
  | 'getProfile'
  | 'updateProfile'
  | 'deleteProfile'
  | 'loginProfile'
  | 'getProfileState';

/** Id of a profile in its account. */
type Place = Pick<StoredProfile, 'id' | 'accountId'>;

/** Handlers of profiles. */
export const profileHandlers: Handlers<ProfileRoute, ProfileDeps> = {
  async createProfile({ caller, body }, deps) {
    const { clock, profiles, rules } = deps;
    const box = requireBox(deps);
    checkProfile(body, rules);
    const { name, login, storageState, proxy, ttl } = body;
    const accountId = caller.account.id;
    await findSealedSecrets({ 'login.actions': login?.actions }, accountId, deps);
    const { total } = await profiles.listProfiles(accountId, { limit: 1, offset: 0 });
    if (total >= LIMITS.maxProfilesPerAccount) throw tooManyProfiles();
    const place = { id: createId('prof'), accountId };
    const now = clock.now();
    const profile = await profiles.insertProfile(
      {
        ...place,
        settings: { name, proxy, ttlMs: ttl, ...settingsOfLogin(login, place, box) },
        session: storageState ? openedBy(storageState, ttl, { place, box, now }) : 'ended',
      },
      now,
    );
    if (!profile) throw nameTaken(name);
    const location = `/v1/profiles/${profile.id}`;
    return new JsonWithHeaders({ success: true, profile: describe(profile, deps) }, { Location: location });
  },

  async listProfiles({ caller, query: { limit = LIMITS.defaultPageSize, offset = 0 } }, deps) {
    const { profiles, total } = await deps.profiles.listProfiles(caller.account.id, { limit, offset });
    const pagination = paginate({ limit, offset }, { count: profiles.length, total });
    return { success: true, profiles: profiles.map((profile) => describe(profile, deps)), pagination };
  },

  async getProfile({ caller, params }, deps) {
    return { success: true, profile: describe(await findProfile(caller, params.id, deps), deps) };
  },

  async updateProfile({ caller, params, body }, deps) {
    const { clock, profiles, rules } = deps;
    const box = requireBox(deps);
    checkProfile(body, rules);
    const current = await findProfile(caller, params.id, deps);
    const { name, login, storageState, proxy, ttl } = body;
    await findSealedSecrets({ 'login.actions': login?.actions }, caller.account.id, deps);
    const now = clock.now();
    const opened =
      storageState &&
      openedBy(storageState, ttl === undefined ? current.ttlMs : ttl, { place: current, box, now });
    const isElsewhere = proxy !== undefined && (proxy ?? undefined) !== current.proxy;
    const isMended = login !== undefined && current.status !== 'ready';
    const settings = { name, proxy, ttlMs: ttl, ...settingsOfLogin(login, current, box) };
    const { sealedActions = current.sealedActions } = settings;
    const profile = await profiles.updateProfile(
      current,
      {
        settings,
        session: opened ?? (isElsewhere || isMended ? 'ended' : undefined),
        canSignIn: Boolean(sealedActions),
      },
      now,
    );
    if (!profile) throw new AppError('PROFILE_NOT_FOUND');
    if (profile === 'taken') throw nameTaken(name ?? current.name);
    return { success: true, profile: describe(profile, deps) };
  },

  async deleteProfile({ caller, params: { id = '' } }, { profiles }) {
    if (!(await profiles.deleteProfile(caller.account.id, id))) throw new AppError('PROFILE_NOT_FOUND');
    return undefined;
  },

  async loginProfile({ caller, params }, deps) {
    requireBox(deps);
    const profile = await findProfile(caller, params.id, deps);
    if (!profile.sealedActions) throw cannotSignIn(profile);
    await deps.profiles.requestLogin(profile, deps.clock.now());
    return { success: true, profile: describe(await findProfile(caller, params.id, deps), deps) };
  },

  async getProfileState({ caller, params }, deps) {
    const box = requireBox(deps);
    const profile = await findProfile(caller, params.id, deps);
    return { success: true, storageState: openState(profile, box) };
  },
};

async function findProfile(
  { account }: Caller,
  id: string | undefined,
  { profiles }: ProfileDeps,
): Promise<StoredProfile> {
  const profile = await profiles.findProfile(account.id, id ?? '');
  if (!profile) throw new AppError('PROFILE_NOT_FOUND');
  return profile;
}

/** Returns the state of a profile, empty if it has none. Throws INVALID_REQUEST if it was encrypted with another key. */
function openState(profile: StoredProfile, box: SecretBox): StorageState {
  const { id, accountId, sealedState } = profile;
  if (sealedState === undefined) return { cookies: [], origins: [] };
  const json = box.open(purposeOfState(accountId, id), sealedState);
  if (json !== undefined) {
    const { cookies, origins }: StorageState = JSON.parse(json);
    return { cookies, origins };
  }
  throw new AppError('INVALID_REQUEST', {
    message: `The state of the profile ${profile.name} was encrypted with another SECRETS_KEY.`,
    suggestion: 'Sign in again, or ask the operator to set the key that it was stored with.',
  });
}

function settingsOfLogin(
  login: ProfileLogin | null | undefined,
  { id, accountId }: Place,
  box: SecretBox,
): Omit<ProfileSettings, 'name'> {
  if (login === undefined) return {};
  const { url = null, check = null, actions = [] } = login ?? {};
  const canSignIn = actions.length > 0;
  return {
    loginUrl: url && new URL(url).href,
    checkJson: check && JSON.stringify(check),
    secretNames: canSignIn ? [...new Set(secretsIn(actions).map(({ name }) => name))] : null,
    sealedActions: canSignIn ? box.seal(purposeOfLogin(accountId, id), JSON.stringify(actions)) : null,
  };
}

function openedBy(
  storageState: StorageState,
  ttlMs: number | null | undefined,
  { place: { id, accountId }, box, now }: { place: Place; box: SecretBox; now: Date },
) {
  const state = tidyState(storageState, now.getTime());
  return {
    sealedState: box.seal(purposeOfState(accountId, id), JSON.stringify(state)),
    ...(ttlMs && { expiresAt: new Date(now.getTime() + ttlMs) }),
  };
}

function describe(profile: StoredProfile, { secretBox, clock }: ProfileDeps): Profile {
  const { id, name, loginUrl, checkJson, proxy, ttlMs, logins, signedInAt, expiresAt, lastError } = profile;
  const actions = shownActions(profile, secretBox);
  const isOver = profile.status === 'ready' && expiresAt && expiresAt <= clock.now();
  return {
    id,
    name,
    status: isOver ? 'expired' : profile.status,
    ...(loginUrl !== undefined &&
      checkJson !== undefined && {
        login: { url: loginUrl, check: JSON.parse(checkJson), ...defined({ actions }) },
      }),
    proxy: proxy ?? null,
    ttl: ttlMs ?? null,
    signedInAt: signedInAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    ...(lastError && { lastError: { code: lastError.code, message: lastError.message } }),
    logins,
    createdAt: profile.createdAt.toISOString(),
    updatedAt: profile.updatedAt.toISOString(),
  };
}

/** Returns the steps of a login without the texts that they write; undefined if there are none, or the key is another one. */
function shownActions(
  { id, accountId, sealedActions }: StoredProfile,
  box: SecretBox | undefined,
): readonly Action[] | undefined {
  const json = sealedActions && box?.open(purposeOfLogin(accountId, id), sealedActions);
  if (!json) return undefined;
  return JSON.parse(json, (name, value) =>
    name === 'value' && typeof value === 'string' ? REDACTED : value,
  );
}

function requireBox({ secretBox }: ProfileDeps): SecretBox {
  if (secretBox) return secretBox;
  throw new AppError('INVALID_REQUEST', {
    message: 'This service keeps no profiles, because it has no key to encrypt them with.',
    suggestion: 'Ask the operator to set SECRETS_KEY for the gateway and the scrapers.',
  });
}

function cannotSignIn({ name }: StoredProfile): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The profile ${name} has no actions that sign in.`,
    suggestion: 'Add login.actions, or upload a storageState, with PATCH /v1/profiles/:id.',
  });
}

function nameTaken(name: string): AppError {
  const details = [{ path: 'name', message: 'is the name of another profile of this account' }];
  return new AppError('INVALID_REQUEST', {
    message: `The account has a profile with the name ${name} already.`,
    suggestion: 'Choose another name, or change that profile with PATCH /v1/profiles/:id.',
    details,
  });
}

function tooManyProfiles(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The account has ${LIMITS.maxProfilesPerAccount} profiles, which is the most that it may have.`,
    suggestion: 'Delete profiles that are no longer needed: DELETE /v1/profiles/:id.',
  });
}
