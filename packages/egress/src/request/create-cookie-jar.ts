import { AppError, type Cookie as RequestCookie } from '@gleaner/contracts';
import { Cookie, CookieJar } from 'tough-cookie';
import { hostOf } from '../policy/create-egress-policy.ts';
import { findCookieFaults, originOfDomain } from './find-cookie-faults.ts';

/** The cookies of one fetch: the caller's, and those that its hops set (RFC 6265). */
export interface HopCookies {
  /** The Cookie header for a URL, '' when no cookie goes there. */
  headerFor(url: URL): string;
  /** Keeps what an answer's Set-Cookie headers ask for, where its URL may set them. */
  keep(setCookie: readonly string[], url: URL): void;
}

/**
 * Fills a jar with the request's cookies; one without a domain belongs to the target's host alone.
 * Throws INVALID_REQUEST listing every cookie that no browser would take.
 */
export function createCookieJar(cookies: readonly RequestCookie[], target: URL): HopCookies {
  const details = findCookieFaults(cookies);
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: 'Some cookies cannot be sent.', details });
  const jar = new CookieJar();
  for (const cookie of cookies) addCookie(jar, cookie, target);
  let isEmpty = cookies.length === 0;
  return {
    headerFor: (url) => (isEmpty ? '' : jar.getCookieStringSync(url.href)),
    keep(setCookie, url) {
      isEmpty &&= setCookie.length === 0;
      for (const line of setCookie) jar.setCookieSync(line, url.href, { ignoreError: true });
    },
  };
}

/** The scheme is https so that a secure cookie may be set; where it goes is decided when it is sent. */
function addCookie(jar: CookieJar, cookie: RequestCookie, target: URL): void {
  const origin = originOfDomain(cookie.domain ?? hostOf(target)) ?? target;
  jar.setCookieSync(toCookie(cookie, origin), origin.href);
}

function toCookie(cookie: RequestCookie, origin: URL): Cookie {
  return new Cookie({
    key: cookie.name,
    value: cookie.value,
    domain: cookie.domain === undefined ? null : origin.hostname,
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
