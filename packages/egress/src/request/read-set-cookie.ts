import { Cookie, getPublicSuffix } from 'tough-cookie';

/** Characters of a Set-Cookie header: none of the control characters but the tab. */
const LINE = /^[\t\x20-\x7e\x80-\uffff]*$/;
/** Limits of browsers: of name and value together, and of the value of an attribute. */
const MAX_PAIR_BYTES = 4096;
const MAX_ATTRIBUTE_BYTES = 1024;

/**
 * Returns the cookie of a Set-Cookie header that a URL's response has; nothing where RFC 6265bis, sections 5.6 and 5.7, ignores it.
 * A cookie without a name is its value alone. The library reads the attributes; the domain and Secure are checked by the jar.
 */
export function readSetCookie(line: string, url: URL): Cookie | undefined {
  if (!LINE.test(line)) return undefined;
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  const name = trim(pair.slice(0, Math.max(0, equals)));
  const value = trim(pair.slice(equals + 1));
  const length = name.length + value.length;
  if (length === 0 || length > MAX_PAIR_BYTES) return undefined;
  const cookie = Cookie.parse(['name=value', ...countedAttributes(attributes)].join(';'));
  if (!cookie) return undefined;
  cookie.key = name;
  cookie.value = value;
  if (cookie.domain !== null && cookie.domain === url.hostname && isPublicSuffix(url.hostname)) {
    // Only the host itself may have it.
    cookie.domain = null;
  }
  const { secure, httpOnly, path } = cookie;
  const isHostOnly = cookie.domain === null;
  return keepsPrefix({ name, value, secure, httpOnly, isHostOnly, path }) ? cookie : undefined;
}

/** Leaves out attributes beyond the length limit, and all domains but the last; an empty one counts too. */
function countedAttributes(attributes: readonly string[]): readonly string[] {
  const isDomain = (attribute: string) => /^\s*domain\s*(?:=|$)/i.test(attribute);
  const domain = attributes.findLastIndex(isDomain);
  return attributes.filter(
    (attribute, index) =>
      trim(attribute.slice(attribute.indexOf('=') + 1)).length <= MAX_ATTRIBUTE_BYTES &&
      (!isDomain(attribute) || index === domain),
  );
}

/** Leaves out spaces and tabs around a text: other white space belongs to a cookie. */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Parts of a cookie that prefixes of names make promises about. */
interface PrefixedCookie {
  readonly name: string;
  readonly value: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly isHostOnly: boolean;
  readonly path: string | null;
}

const isOfHost = ({ secure, isHostOnly, path }: PrefixedCookie) => secure && isHostOnly && path === '/';

/** Prefixes of names, in lower case, and what they promise; a longer one comes before its beginning. */
const PREFIXES: readonly (readonly [prefix: string, isKept: (cookie: PrefixedCookie) => boolean])[] = [
  ['__host-http-', (cookie) => isOfHost(cookie) && cookie.httpOnly],
  ['__http-', ({ secure, httpOnly }) => secure && httpOnly],
  ['__host-', isOfHost],
  ['__secure-', ({ secure }) => secure],
];

/** Returns whether a cookie has what the prefix of its name promises. One without a name must not look as if it had one. */
export function keepsPrefix(cookie: PrefixedCookie): boolean {
  const { name, value } = cookie;
  const shown = (name === '' ? value : name).toLowerCase();
  const isKept = PREFIXES.find(([prefix]) => shown.startsWith(prefix))?.[1];
  return isKept === undefined || (name !== '' && isKept(cookie));
}

function isPublicSuffix(hostname: string): boolean {
  return !isAddress(hostname) && siteNameOf(hostname) === undefined;
}

/** Tells whether a URL's host is an IP address. */
export function isAddress(hostname: string): boolean {
  return /^\[|^[\d.]+$/.test(hostname);
}

function siteNameOf(hostname: string): string | undefined {
  return getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true });
}

/** Returns the site of a URL, by which browsers keep partitions of cookies apart: its scheme and its registrable domain. */
export function siteOf({ protocol, hostname }: URL): string {
  return `${protocol}//${(isAddress(hostname) ? undefined : siteNameOf(hostname)) ?? hostname}`;
}
