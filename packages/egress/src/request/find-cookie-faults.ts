import type { Cookie, ErrorDetail } from '@gleaner/contracts';
import { getPublicSuffix } from 'tough-cookie';

/** A cookie's octets as RFC 6265 section 4.1.1 has them, with the spaces and quotes that browsers send too. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x20-\x3a\x3c-\x7e]*$/;
const PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/;

/** Of name and value together, as browsers have it (RFC 6265bis section 5.7). */
const MAX_BYTES = 4096;

/** What is wrong with a cookie, by the field to be corrected; the first of a cookie counts. */
const CHECKS: readonly (readonly [field: keyof Cookie, fault: (cookie: Cookie) => string | undefined])[] = [
  [
    'name',
    ({ name }) =>
      NAME.test(name) ? undefined : 'is not a cookie name: use letters, digits, hyphens and underscores',
  ],
  [
    'value',
    ({ value }) =>
      VALUE.test(value)
        ? undefined
        : 'has a character that cookies cannot carry (control, semicolon, or not ASCII); percent-encode it',
  ],
  [
    'value',
    ({ name, value }) =>
      name.length + value.length > MAX_BYTES ? `is over ${MAX_BYTES} bytes with its name` : undefined,
  ],
  ['domain', ({ domain }) => (domain === undefined ? undefined : domainFault(domain))],
  [
    'path',
    ({ path = '/' }) => (PATH.test(path) ? undefined : 'has a character that paths of cookies cannot have'),
  ],
  [
    'name',
    (cookie) =>
      breaksPrefix(cookie)
        ? 'begins with __Secure-, which needs secure, or with __Host-, which needs secure, no domain and the path /'
        : undefined,
  ],
];

/**
 * Everything that is wrong with a request's cookies, one fault a cookie: those that no browser would take. Paths are
 * `cookies.<index>.<field>`. An empty list means that they may be sent.
 */
export function findCookieFaults(cookies: readonly Cookie[]): ErrorDetail[] {
  return cookies.flatMap((cookie, index) => {
    for (const [field, faultOf] of CHECKS) {
      const message = faultOf(cookie);
      if (message !== undefined) return [{ path: `cookies.${index}.${field}`, message }];
    }
    return [];
  });
}

/** The URL of the host that a cookie's domain names, or undefined where it names none. */
export function originOfDomain(domain: string): URL | undefined {
  const host = domain.replace(/^\./, '');
  const url = URL.parse(`https://${host.includes(':') ? `[${host}]` : host}/`);
  return url && /^[^/?#@\\]+$/.test(host) && url.port === '' ? url : undefined;
}

function domainFault(domain: string): string | undefined {
  const origin = originOfDomain(domain);
  if (origin === undefined) return 'is not a host name';
  return isSettable(origin.hostname) ? undefined : 'is not a domain that cookies can be set for';
}

/** Nobody may set cookies for all of com, or co.uk. An address, and a name of one's own network, are no such suffixes. */
function isSettable(hostname: string): boolean {
  if (/^\[|^[\d.]+$/.test(hostname)) return true;
  return getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true }) !== undefined;
}

function breaksPrefix({ name, secure = false, domain, path = '/' }: Cookie): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith('__host-')) return !secure || domain !== undefined || path !== '/';
  return lower.startsWith('__secure-') && !secure;
}
