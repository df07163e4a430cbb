import {
  AppError,
  type Cookie as RequestCookie,
  type StateCookie,
  sharesCredentials,
} from '@gleaner/contracts';
import { Cookie, CookieJar } from 'tough-cookie';
import { hostOf } from '../policy/create-egress-policy.ts';
import { findCookieErrors, originOfDomain } from './find-cookie-errors.ts';
import { isAddress, readSetCookie, siteOf } from './read-set-cookie.ts';

/** Cookies of one fetch: the caller's and the ones its hops set (RFC 6265bis). */
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
      for (const line of setCookie) keepCookie(jar, readSetCookie(line, url), url);
    },
  };
}

/** Stores a cookie that a response at a URL may set. Without TLS it must not stand before one with Secure (RFC 6265bis section 5.7). */
function keepCookie(jar: CookieJar, cookie: Cookie | undefined, url: URL): void {
  if (!cookie) return;
  if (!cookie.secure && url.protocol === 'http:') {
    const secured = new URL(cookie.path ?? url.pathname, `https://${url.host}`);
    const isTaken = jar.getCookiesSync(secured.href).some(({ key, secure }) => secure && key === cookie.key);
    if (isTaken) return;
  }
  jar.setCookieSync(cookie, url.href, { ignoreError: true });
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

/**
 * Creates a jar with the cookies of a session; each is sent where its own domain and path allow, wherever the fetch begins. Cookies
 * of a partition are sent to the site of the partition alone, and never if they belong to frames of other sites in it.
 */
export function createStateJar(state: readonly StateCookie[]): StateJar {
  const jars = new Map([[NO_PARTITION, new CookieJar()]]);
  const jarOf = (partition: string) => {
    const jar = jars.get(partition) ?? new CookieJar();
    jars.set(partition, jar);
    return jar;
  };
  const isOfFrame = ({ partitionKey, _crHasCrossSiteAncestor: isBelow = true }: StateCookie) =>
    partitionKey !== undefined && isBelow;
  for (const cookie of state) {
    if (!isOfFrame(cookie)) addStateCookie(jarOf(cookie.partitionKey ?? NO_PARTITION), cookie);
  }
  return {
    headerFor: (url) =>
      [NO_PARTITION, siteOf(url)]
        .flatMap((partition) => jars.get(partition)?.getCookieStringSync(url.href) || [])
        .join('; '),
    keep(setCookie, url) {
      for (const line of setCookie) {
        const cookie = readSetCookie(line, url);
        const isPartitioned =
          cookie?.extensions?.some((each) => each.toLowerCase() === 'partitioned') ?? false;
        if (!isPartitioned) keepCookie(jarOf(NO_PARTITION), cookie, url);
        else if (cookie?.secure) keepCookie(jarOf(siteOf(url)), cookie, url);
      }
    },
    cookies: () => [
      ...[...jars].flatMap(([partition, jar]) =>
        (jar.serializeSync()?.cookies ?? []).flatMap((cookie) => toStateCookie(cookie, partition)),
      ),
      ...state.filter(isOfFrame),
    ],
  };
}

const NO_PARTITION = '';

function addStateCookie(jar: CookieJar, { domain, ...cookie }: StateCookie): void {
  const origin = originOfDomain(domain);
  if (!origin) return;
  // Without a dot it belongs to the host alone.
  const added = toCookie({ ...cookie, ...(domain.startsWith('.') && { domain }) }, origin);
  if (cookie.sameSite) added.sameSite = cookie.sameSite.toLowerCase();
  jar.setCookieSync(added, origin.href, { ignoreError: true });
}

function toStateCookie(serialized: unknown, partition: string): StateCookie[] {
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
      name: cookie.key,
      value: cookie.value,
      path: cookie.path ?? '/',
      domain: cookie.hostOnly ? cookie.domain : `.${cookie.domain}`,
      expires: isEndless ? -1 : Math.floor(endsAt / 1000),
      httpOnly: cookie.httpOnly,
      secure: cookie.secure,
      ...(sameSite && { sameSite }),
      ...(partition !== NO_PARTITION && { partitionKey: partition, _crHasCrossSiteAncestor: false }),
    },
  ];
}
