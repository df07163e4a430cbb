import type { Cookie, ErrorDetail } from '@gleaner/contracts';
import { getPublicSuffix } from 'tough-cookie';
import { isAddress, keepsPrefix } from './read-set-cookie.ts';

/** Octets of a cookie (RFC 6265 section 4.1.1), and the spaces and quotes that browsers send too. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x20-\x3a\x3c-\x7e]*$/;
const PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/;

/** Limit of browsers for name and value together (RFC 6265bis section 5.7). */
const MAX_BYTES = 4096;

/** Checks by the field to correct; the first error of a cookie counts. */
const CHECKS: readonly (readonly [field: keyof Cookie, check: (cookie: Cookie) => string | undefined])[] = [
  [
    'name',
    ({ name }) =>
      name === '' || NAME.test(name)
        ? undefined
        : 'is not a cookie name: use letters, digits, hyphens and underscores',
  ],
  [
    'value',
    ({ name, value }) =>
      name === '' && (value === '' || value.includes('='))
        ? 'of a cookie without a name must not be empty, nor contain an equals sign'
        : undefined,
  ],
  [
    'value',
    ({ value }) =>
      VALUE.test(value)
        ? undefined
        : 'contains a character that cookies cannot contain (control, semicolon, or not ASCII); percent-encode it',
  ],
  [
    'value',
    ({ name, value }) =>
      name.length + value.length > MAX_BYTES
        ? `is longer than ${MAX_BYTES} bytes together with its name`
        : undefined,
  ],
  ['domain', ({ domain }) => (domain === undefined ? undefined : domainError(domain))],
  [
    'path',
    ({ path = '/' }) =>
      PATH.test(path) ? undefined : 'contains a character that cookie paths cannot contain',
  ],
  [
    'name',
    (cookie) =>
      breaksPrefix(cookie)
        ? 'starts with __Secure-, which requires secure, with __Host-, which requires secure, no domain and the path /, or with __Http-, which requires secure and httpOnly'
        : undefined,
  ],
];

/**
 * Returns the first error of every cookie that browsers would reject, with paths `cookies.<index>.<field>`; an empty list
 * when all may be sent.
 */
export function findCookieErrors(cookies: readonly Cookie[]): ErrorDetail[] {
  return cookies.flatMap((cookie, index) => {
    for (const [field, errorOf] of CHECKS) {
      const message = errorOf(cookie);
      if (message !== undefined) return [{ path: `cookies.${index}.${field}`, message }];
    }
    return [];
  });
}

/** Returns the URL of the host that a cookie's domain names, or undefined when it is not a host. */
export function originOfDomain(domain: string): URL | undefined {
  const host = domain.replace(/^\./, '');
  const url = URL.parse(`https://${host.includes(':') ? `[${host}]` : host}/`);
  return url && /^[^/?#@\\]+$/.test(host) && url.port === '' ? url : undefined;
}

function domainError(domain: string): string | undefined {
  const origin = originOfDomain(domain);
  if (origin === undefined) return 'is not a host name';
  return isSettable(origin.hostname) ? undefined : 'is not a domain that cookies can be set for';
}

/** Rejects public suffixes such as com and co.uk. Addresses and names of private networks are allowed. */
function isSettable(hostname: string): boolean {
  if (isAddress(hostname)) return true;
  return getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true }) !== undefined;
}

function breaksPrefix({
  name,
  value,
  secure = false,
  httpOnly = false,
  domain,
  path = '/',
}: Cookie): boolean {
  return !keepsPrefix({ name, value, secure, httpOnly, isHostOnly: domain === undefined, path });
}
