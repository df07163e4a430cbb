import {
  AppError,
  type Cookie as RequestCookie,
  type StateCookie,
  sharesCredentials,
} from '@gleaner/contracts';
import { Cookie, CookieJar } from 'tough-cookie';
import { hostOf } from '../policy/create-egress-policy.ts';
import { findCookieErrors, isAddress, originOfDomain } from './find-cookie-errors.ts';

/** Cookies of one fetch: the caller's, and those that its hops set (RFC 6265). */
export interface HopCookies {
  /** Returns the Cookie header for a URL, '' when no cookie matches. */
  headerFor(url: URL): string;
  /** Stores the Set-Cookie headers of a response that its URL may set. */
  keep(setCookie: readonly string[], url: URL): void;
}

/**
 * Creates a jar with the request's cookies; one without a domain is sent to the target's origin alone.
 * Throws INVALID_REQUEST listing every cookie that browsers would reject.
 */
export function createCookieJar(cookies: readonly RequestCookie[], target: URL): HopCookies {
  const details = findCookieErrors(cookies);
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: 'Some cookies cannot be sent.', details });
  const jar = new CookieJar();
  const ofTarget = new Set<Cookie>();
  for (const cookie of cookies) {
    const added = addCookie(jar, cookie, target);
    if (cookie.domain === undefined) ofTarget.add(added);
  }
  let isEmpty = cookies.length === 0;
  return {
    headerFor(url) {
      if (isEmpty) return '';
      const sent = jar.getCookiesSync(url.href);
      const allowed = sharesCredentials(target, url) ? sent : sent.filter((cookie) => !ofTarget.has(cookie));
      return allowed.map((cookie) => cookie.cookieString()).join('; ');
    },
    keep(setCookie, url) {
      isEmpty &&= setCookie.length === 0;
      for (const line of setCookie) jar.setCookieSync(line, url.href, { ignoreError: true });
    },
  };
}

/** Adds a cookie under https, so that a secure one may be set; the jar decides later where it is sent. */
function addCookie(jar: CookieJar, cookie: RequestCookie, target: URL): Cookie {
  const origin = originOfDomain(cookie.domain ?? hostOf(target)) ?? target;
  const added = toCookie(cookie, origin);
  jar.setCookieSync(added, origin.href);
  return added;
}

function toCookie(cookie: RequestCookie, origin: URL): Cookie {
  return new Cookie({
    key: cookie.name,
    value: cookie.value,
    // Without a domain it belongs only to its host, as every cookie of an address does.
    domain: cookie.domain === undefined || isAddress(origin.hostname) ? null : origin.hostname,
    path: cookie.path ?? '/',
    expires: expiry(cookie.expires),
    secure: cookie.secure ?? false,
    httpOnly: cookie.httpOnly ?? false,
  });
}

function expiry(expires: RequestCookie['expires']): Date | 'Infinity' {
  if (expires === undefined || expires === -1) return 'Infinity';
  return new Date(typeof expires === 'number' ? expires * 1_000 : expires);
}

/** Cookies of a session, which outlive a fetch. */
export interface StateJar extends HopCookies {
  /** Returns all cookies that have not expired. */
  cookies(): StateCookie[];
}

/** Creates a jar with the cookies of a session; each is sent where its own domain and path allow, wherever the fetch begins. */
export function createStateJar(state: readonly StateCookie[]): StateJar {
  const jar = new CookieJar();
  for (const { domain, ...cookie } of state) {
    const origin = originOfDomain(domain);
    if (!origin) continue;
    // Without a dot it belongs to the host alone.
    const added = toCookie({ ...cookie, ...(domain.startsWith('.') && { domain }) }, origin);
    if (cookie.sameSite) added.sameSite = cookie.sameSite.toLowerCase();
    jar.setCookieSync(added, origin.href, { ignoreError: true });
  }
  return {
    headerFor: (url) => jar.getCookieStringSync(url.href),
    keep(setCookie, url) {
      for (const line of setCookie) jar.setCookieSync(line, url.href, { ignoreError: true });
    },
    cookies: () => (jar.serializeSync()?.cookies ?? []).flatMap(toStateCookie),
  };
}

function toStateCookie(serialized: unknown): StateCookie[] {
  const cookie = Cookie.fromJSON(serialized);
  if (!cookie?.domain) return [];
  const endsAt = cookie.expiryTime();
  if (endsAt !== undefined && endsAt <= Date.now()) return [];
  const sameSite = (['Strict', 'Lax', 'None'] as const).find(
    (each) => each.toLowerCase() === cookie.sameSite,
  );
  const isEndless = endsAt === undefined || !Number.isFinite(endsAt);
  return [
    {
      ...{ name: cookie.key, value: cookie.value, path: cookie.path ?? '/' },
      domain: cookie.hostOnly ? cookie.domain : `.${cookie.domain}`,
      expires: isEndless ? -1 : Math.floor(endsAt / 1000),
      ...{ httpOnly: cookie.httpOnly, secure: cookie.secure },
      ...(sameSite && { sameSite }),
    },
  ];
}
