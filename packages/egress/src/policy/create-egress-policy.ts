import { AppError, LIMITS } from '@gleaner/contracts';
import { bareName, matchesName, parseAllowList } from './allow-list.ts';
import { isRefusedPort } from './refused-ports.ts';
import { type Address, describeSpecialAddress, parseAddress } from './special-addresses.ts';

/** Decides where requests may go. Pure: nothing is resolved or connected to. */
export interface EgressPolicy {
  /**
   * The parsed URL when it may be fetched as far as its text tells; the host's addresses are still to be checked.
   * Throws INVALID_URL naming the rule that it breaks.
   */
  checkUrl(url: string): URL;
  /** Throws INVALID_URL unless this address, to which `host` resolved, may be connected to on this port. */
  checkAddress(address: string, host: string, port: number): void;
  /** Whether the operator opened this host by its name, wherever it leads. */
  opensName(host: string, port: number): boolean;
}

/** Longer URLs are refused; browsers and servers agree on far less. */
const MAX_URL_LENGTH = LIMITS.maxUrlLength;

/** Names that never lead to a public site, whatever a resolver says (RFC 6761, 6762, 7686, 8375, 9476; ICANN's .internal). */
const PRIVATE_NAMES = [
  'localhost',
  '*.localhost',
  '*.localdomain',
  '*.local',
  '*.internal',
  '*.home.arpa',
  '*.onion',
  '*.alt',
];

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Builds the policy; `allow` holds EGRESS_ALLOW's entries. Throws a plain Error on an entry that is not understood. */
export function createEgressPolicy({ allow }: { readonly allow: readonly string[] }): EgressPolicy {
  const allowList = parseAllowList(allow);

  function checkUrl(text: string): URL {
    const url = parseUrl(text);
    const port = portOf(url);
    const host = hostOf(url);
    const address = parseAddress(host);
    if (isRefusedPort(port) && !allowList.opensPort(host, address, port)) throw refusedPort(host, port);
    if (address) checkAddress(host, host, port);
    else if (isPrivateName(host) && !allowList.opensName(host, port))
      throw refusedHost(host, 'a private name');
    return url;
  }

  function checkAddress(text: string, host: string, port: number): void {
    const address = parseAddress(text);
    if (!address) throw refusedHost(host, 'something that is not an address');
    const kind = describeSpecialAddress(address);
    if (kind && !isOpened(address, host, port)) throw refusedHost(host, kind);
  }

  function isOpened(address: Address, host: string, port: number): boolean {
    return allowList.opensAddress(address, port) || allowList.opensName(host, port);
  }

  return { checkUrl, checkAddress, opensName: allowList.opensName };
}

/** The port that a URL leads to, its scheme's own when it names none. */
export function portOf(url: URL): number {
  return url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
}

/** The host that a URL leads to: a name, or an address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function parseUrl(text: string): URL {
  if (text.length > MAX_URL_LENGTH) {
    throw invalidUrl(`The URL is longer than ${MAX_URL_LENGTH} characters.`, 'Give a shorter URL.');
  }
  if (hasControlCharacter(text)) {
    throw invalidUrl('The URL has control characters in it.', 'Remove them, or percent-encode them.');
  }
  if (!URL.canParse(text)) throw malformed(text);
  const url = new URL(text);
  if (!(url.protocol in DEFAULT_PORTS)) {
    throw invalidUrl(
      `The URL's scheme is ${JSON.stringify(url.protocol.slice(0, -1))}; only http and https are fetched.`,
      'Give an absolute http or https URL.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidUrl(
      'The URL has a user name or a password in it.',
      'Take them out; send an Authorization header with headers instead.',
    );
  }
  // Both got and its ancestors read this host as a path to a socket file.
  if (bareName(url.hostname) === 'unix') throw refusedHost('unix', 'a socket file');
  if (url.href.length > 3 * MAX_URL_LENGTH) throw invalidUrl('The URL is too long.', 'Give a shorter URL.');
  return url;
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function isPrivateName(host: string): boolean {
  return PRIVATE_NAMES.some((pattern) => matchesName(pattern, bareName(host)));
}

function malformed(text: string): AppError {
  const guess = text.startsWith('//') ? `https:${text}` : `https://${text}`;
  const isLikely = URL.canParse(guess) && !/^https?:|:\/\/|^\/(?!\/)/i.test(text);
  return invalidUrl(
    `The URL ${JSON.stringify(shorten(withoutCredentials(text)))} is malformed.`,
    isLikely
      ? `Give an absolute http or https URL, such as ${JSON.stringify(shorten(withoutCredentials(guess)))}.`
      : 'Give an absolute http or https URL, such as "https://example.com/page".',
  );
}

/** User name and password are not quoted back, wherever a text that is no URL may have them. */
function withoutCredentials(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:)?([\\/]*)[^?#]*@/i, '$1$2…@');
}

function refusedPort(host: string, port: number): AppError {
  return invalidUrl(
    `Port ${port} is not one that requests go to.`,
    port === 0
      ? "Use the site's http or https port: nothing can listen at port 0."
      : `Use the site's http or https port. If this service is yours, EGRESS_ALLOW can open ${printHost(host)}:${port}.`,
  );
}

/** The same words whether anything listens there or not, and never the address behind a name. */
function refusedHost(host: string, kind: string): AppError {
  return invalidUrl(
    `The host ${JSON.stringify(shorten(host))} leads to ${kind}, and requests go to public addresses only.`,
    'Give the URL of a public site. If this service is yours, EGRESS_ALLOW can open hosts, networks and ports.',
  );
}

function invalidUrl(message: string, suggestion: string): AppError {
  return new AppError('INVALID_URL', { message, suggestion });
}

function printHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
