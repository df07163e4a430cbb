import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type ProfileUse, type ScrapeResult } from '@gleaner/contracts';
import { profileUseOf, type StoredProfile, type Stores } from '@gleaner/storage';

/** Collaborators of the use of a profile. */
export interface UseProfileDeps {
  readonly clock: Stores['clock'];
  readonly profiles: Stores['profiles'];
}

/** Bounds and choices of one use. */
export interface ProfileUseOptions {
  readonly isSaved: boolean;
  /** The page may be attempted again after its request was sent. */
  readonly mayRepeat: boolean;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Time between two looks at a login that is under way. */
const LOOK_MS = 200;
/** Sessions, and states of one, that a scrape is attempted with. */
const MAX_SESSIONS = 2;
const MAX_STATES = 3;

/**
 * Scrapes with the session of a profile, once it is signed in. Where the page is not, one login is wanted by all that see it,
 * and the page is attempted again with the new session. Throws PROFILE_EXPIRED where that fails as well, TIMEOUT at the deadline.
 */
export async function useProfile(
  profile: StoredProfile,
  scrape: (use: ProfileUse) => Promise<ScrapeResult>,
  options: ProfileUseOptions,
  deps: UseProfileDeps,
): Promise<ScrapeResult> {
  const { clock, profiles } = deps;
  let current = await untilReady(profile, options, deps);
  const failed = new Set<number>();
  for (let states = 1; ; states += 1) {
    try {
      const result = await scrape(profileUseOf(current, options.isSaved));
      const { leftState } = result;
      const isNews = leftState !== undefined || current.provenSession < current.logins;
      const end = { signedIn: current.logins, leftState };
      if (isNews) await profiles.settleSession(profile.id, [end], clock.now());
      return result;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'PROFILE_EXPIRED') throw error;
      const used = { session: current.logins, revision: current.revision };
      failed.add(used.session);
      const isLost = failed.size >= MAX_SESSIONS || states >= MAX_STATES;
      await profiles.settleSession(profile.id, [{ signedOut: used, isLost }], clock.now());
      if (isLost || !options.mayRepeat) throw error;
      current = await untilReady(await find(profile, deps), options, deps);
    }
  }
}

/** Waits until a profile is signed in; wants a login if its session is over. Throws PROFILE_EXPIRED if it cannot be. */
async function untilReady(
  profile: StoredProfile,
  { deadlineMs, signal }: ProfileUseOptions,
  deps: UseProfileDeps,
): Promise<StoredProfile> {
  const { clock, profiles } = deps;
  let current = profile;
  for (;;) {
    const { id, status, logins, expiresAt } = current;
    const isOver = expiresAt !== undefined && expiresAt <= clock.now();
    if (status === 'ready' && !isOver) return current;
    if (status === 'failed' || (status === 'expired' && !current.sealedActions)) throw notSignedIn(current);
    if (status !== 'signing-in') await profiles.renewSession(id, logins, clock.now());
    if (Date.now() + LOOK_MS > deadlineMs) {
      const message = `The time ran out while the profile ${current.name} was signing in.`;
      throw new AppError('TIMEOUT', { message });
    }
    await sleep(LOOK_MS, undefined, { signal });
    current = await find(current, deps);
  }
}

async function find({ accountId, id }: StoredProfile, { profiles }: UseProfileDeps): Promise<StoredProfile> {
  const found = await profiles.findProfile(accountId, id);
  if (!found) throw new AppError('PROFILE_NOT_FOUND');
  return found;
}

function notSignedIn({ name, status, lastError }: StoredProfile): AppError {
  const why =
    status === 'failed'
      ? `its last login failed: ${lastError?.message ?? 'without a reason'}`
      : 'only a person can sign in';
  return new AppError('PROFILE_EXPIRED', { message: `The profile ${name} is not signed in: ${why}` });
}
