import {
  type Action,
  AppError,
  type LeftState,
  LIMITS,
  type ProfileCheck,
  purposeOfLogin,
  purposeOfState,
  type ScrapeCommand,
  type StateCookie,
  type StorageState,
  tidyState,
  type Verdict,
} from '@gleaner/contracts';
import { compileUrlPattern } from '@gleaner/frontier';
import type { SecretBox } from '@gleaner/service-kit';

/** A session with what has signed in: plain fetches claim to be the same browser, and no page goes through another proxy. */
export interface SessionState extends StorageState {
  readonly userAgent?: string;
  readonly proxy?: string;
}

/** Facts of a page that tell whether it is signed in. */
interface SeenPage {
  readonly url: string;
  /** Something matched the selector; undefined where none was looked for. */
  readonly matches: boolean | undefined;
  readonly verdict: Verdict;
}

/** The profile of one page, decrypted. */
export interface OpenProfile {
  readonly state: SessionState;
  /** Selector that tells whether the page is signed in; undefined if none does. */
  readonly selector: string | undefined;
  /** Steps of a login; undefined for any other page. */
  readonly actions: readonly Action[] | undefined;
  /** Throws PROFILE_EXPIRED unless the page passes the check. */
  requireSignedIn(page: SeenPage): void;
  /** Returns the state to store after the page; undefined if nothing has changed, or nothing is wanted. */
  leave(state: SessionState, finalUrl: string): LeftState | undefined;
}

/**
 * Decrypts the profile of a task; undefined if it has none. Throws INVALID_REQUEST if it was encrypted with another key, and
 * PROFILE_EXPIRED if its session began at another proxy.
 */
export function openProfile(
  { profile, accountId, request }: Pick<ScrapeCommand, 'profile' | 'accountId' | 'request'>,
  box: SecretBox | undefined,
  proxy: string | undefined,
): OpenProfile | undefined {
  if (!profile) return undefined;
  const { id, check, revision, isSaved } = profile;
  const purpose = purposeOfState(accountId, id);
  const open = (of: string, sealed: string | undefined) => {
    if (sealed === undefined) return undefined;
    const json = box?.open(of, sealed);
    if (json === undefined) throw wrongKey();
    return JSON.parse(json);
  };
  const before: SessionState = open(purpose, profile.state) ?? { cookies: [], origins: [] };
  if (before.proxy !== undefined && before.proxy !== proxy) throw signedInElsewhere(before.proxy);
  return {
    state: before,
    selector: check && 'url' in check ? undefined : selectorOf(check),
    actions: open(purposeOfLogin(accountId, id), profile.actions),
    requireSignedIn(page) {
      const fault = findFault(check, page);
      if (fault !== undefined) throw signedOut(fault, page.url, profile.actions !== undefined);
    },
    leave({ userAgent = before.userAgent, proxy: _before, ...state }, finalUrl) {
      const nowMs = Date.now();
      const hosts = [request.url, finalUrl].map((url) => new URL(url).hostname);
      const after = tidyState({ ...state, cookies: cookiesOf(hosts, state.cookies, before.cookies) }, nowMs);
      const json = JSON.stringify({ ...after, userAgent, proxy });
      const isTooLarge = json.length > LIMITS.maxProfileStateBytes;
      if (isTooLarge && profile.actions !== undefined) throw tooLarge(json.length);
      const isWanted = isSaved && !isTooLarge;
      if (!box || !isWanted || isAlike(tidyState(before, nowMs), after, nowMs)) return undefined;
      return { revision, state: box.seal(purpose, json) };
    },
  };
}

function selectorOf(check: Exclude<ProfileCheck, { url: string }> | undefined): string | undefined {
  if (!check) return undefined;
  return 'present' in check ? check.present : check.absent;
}

/** Returns the sign that a page is not signed in: a failed check or, without one, an obvious login page. */
function findFault(
  check: ProfileCheck | undefined,
  { url, matches, verdict: { page, basis } }: SeenPage,
): string | undefined {
  if (!check) return page === 'login' && basis === 'observed' ? 'it is a login page' : undefined;
  if ('url' in check) {
    const isThere = compileUrlPattern(check.url)(new URL(url));
    return isThere ? undefined : `its URL does not match ${JSON.stringify(check.url)}`;
  }
  // Not a page of HTML: no selector can tell.
  if (matches === undefined || matches === 'present' in check) return undefined;
  return matches
    ? `something matches ${JSON.stringify(selectorOf(check))}`
    : `nothing matches ${JSON.stringify(selectorOf(check))}`;
}

/** Keeps the cookies of the hosts that the page was asked of and came from, and those that the session has; not those of third parties. */
function cookiesOf(
  hosts: readonly string[],
  cookies: readonly StateCookie[],
  before: readonly StateCookie[],
): StateCookie[] {
  const known = new Set(before.map(({ domain }) => domain));
  const isOwn = ({ domain }: StateCookie) => {
    const bare = domain.replace(/^\./, '');
    return known.has(domain) || hosts.some((host) => host === bare || host.endsWith(`.${bare}`));
  };
  return cookies.filter(isOwn).slice(0, MAX_COOKIES);
}

const MAX_COOKIES = 1000;
/** Part of its lifetime by which the end of a cookie may move without being stored again. */
const ALIKE = 0.1;

/** Returns whether two states are the same but for ends of cookies that moved a little, as they do with every page of many sites. */
function isAlike(before: StorageState, after: StorageState, nowMs: number): boolean {
  const endsOf = ({ cookies }: StorageState) => cookies.map(({ expires = -1 }) => expires);
  const rest = ({ cookies, origins }: StorageState) =>
    JSON.stringify([
      cookies.map(({ domain, path = '/', name, value }) => [domain, path, name, value]),
      origins,
    ]);
  if (rest(before) !== rest(after)) return false;
  const ends = endsOf(after);
  return endsOf(before).every((end, index) => {
    const next = ends[index] ?? -1;
    if (end === -1 || next === -1) return end === next;
    return Math.abs(next - end) <= ALIKE * (next - nowMs / 1000);
  });
}

function signedOut(fault: string, url: string, isLogin: boolean): AppError {
  const page = isLogin ? 'The page that the login led to' : 'The page';
  return new AppError('PROFILE_EXPIRED', {
    message: `${page} is not signed in: ${fault} (${url.split(/[?#]/, 1)[0]?.slice(0, 200)}).`,
  });
}

function tooLarge(length: number): AppError {
  const message = `The login has left ${length} bytes of cookies and storage; a profile keeps at most ${LIMITS.maxProfileStateBytes}.`;
  return new AppError('PROFILE_EXPIRED', { message });
}

function signedInElsewhere(proxy: string): AppError {
  const message = `The session began at the proxy ${proxy}, which cannot be used at the moment.`;
  return new AppError('PROFILE_EXPIRED', { message });
}

function wrongKey(): AppError {
  return new AppError('INVALID_REQUEST', {
    message: 'The profile was encrypted with another SECRETS_KEY than this scraper has.',
    suggestion: 'Ask the operator to set the same SECRETS_KEY for the gateway and all scrapers.',
  });
}

/** Returns PROFILE_EXPIRED for status 401, and any other error unchanged. */
export function expiredIfUnauthorized(error: unknown, { profile }: Pick<ScrapeCommand, 'profile'>): unknown {
  const isRefused = error instanceof AppError && error.code === 'BLOCKED' && error.targetStatusCode === 401;
  if (!profile || !isRefused) return error;
  return new AppError('PROFILE_EXPIRED', {
    message: 'The site answered 401: the session is over.',
    targetStatusCode: 401,
    cause: error,
  });
}
