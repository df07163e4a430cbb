import { AppError, LIMITS } from '@gleaner/contracts';
import { bareName, matchesName, parseAllowList } from './allow-list.ts';
import { type Address, describeSpecialAddress, parseAddress } from './special-addresses.ts';

/** Decides where requests may go. Pure: nothing is resolved or connected to. */
export interface EgressPolicy {
  /**
   * Parses a URL and checks everything that its text tells; the host's addresses are still to be checked.
   * Throws INVALID_URL naming the rule that it breaks.
   */
  checkUrl(url: string): URL;
  /** Throws INVALID_URL unless this address, to which `host` resolved, may be connected to on this port. */
  checkAddress(address: string, host: string, port: number): void;
  /** Tells whether the operator opened this host by its name, whatever it resolves to. */
  opensName(host: string, port: number): boolean;
}

/** Far more than browsers and servers agree on. */
const MAX_URL_LENGTH = LIMITS.maxUrlLength;

/** Names that never resolve to a public site, whatever a resolver answers (RFC 6761, 6762, 7686, 8375, 9476; ICANN's .internal). */
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

/**
 * Ports that no page is fetched from: the bad ports of the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking),
 * and the ports of services into whose protocol a hostile URL could smuggle a command.
 */
const FORBIDDEN_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // SMB, Docker, MySQL, RDP, PostgreSQL, AMQP, VNC, Redis, memcached, MongoDB.
  445, 2375, 3306, 3389, 5432, 5672, 5900, 6379, 11211, 27017,
]);

/** RFC 1035 section 2.3.4, as text. */
const MAX_NAME_LENGTH = 253;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Creates the policy; `allow` holds the entries of EGRESS_ALLOW. Throws a plain Error for an invalid entry. */
export function createEgressPolicy({ allow }: { readonly allow: readonly string[] }): EgressPolicy {
  const allowList = parseAllowList(allow);

  function checkUrl(text: string): URL {
    const url = parseUrl(text);
    const port = portOf(url);
    const host = hostOf(url);
    const address = parseAddress(host);
    if (FORBIDDEN_PORTS.has(port) && !allowList.opensPort(host, address, port))
      throw forbiddenPort(host, port);
    if (address) checkAddress(host, host, port);
    else if (isPrivateName(host) && !allowList.opensName(host, port))
      throw privateHost(host, port, 'a private name');
    return url;
  }

  function checkAddress(text: string, host: string, port: number): void {
    const address = parseAddress(text);
    if (!address) throw privateHost(host, port, 'something that is not an address');
    const kind = describeSpecialAddress(address);
    if (kind && !isOpened(address, host, port)) throw privateHost(host, port, kind);
  }

  function isOpened(address: Address, host: string, port: number): boolean {
    return allowList.opensAddress(address, port) || allowList.opensName(host, port);
  }

  return { checkUrl, checkAddress, opensName: allowList.opensName };
}

/** Returns the port of a URL, by default that of its scheme. */
export function portOf(url: URL): number {
  return url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
}

/** Returns the host of a URL: a name, or an address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function parseUrl(text: string): URL {
  if (text.length > MAX_URL_LENGTH) {
    throw invalidUrl(`The URL is longer than ${MAX_URL_LENGTH} characters.`, 'Give a shorter URL.');
  }
  if (hasControlCharacter(text)) {
    throw invalidUrl('The URL contains control characters.', 'Remove or percent-encode them.');
  }
  if (!URL.canParse(text)) throw malformed(text);
  const url = new URL(text);
  if (!(url.protocol in DEFAULT_PORTS)) {
    throw invalidUrl(
      `The URL has the scheme ${JSON.stringify(url.protocol.slice(0, -1))}; only http and https are supported.`,
      'Give an absolute http or https URL.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidUrl(
      'The URL contains a user name or a password.',
      'Remove them, and send an Authorization header with headers instead.',
    );
  }
  // Several HTTP clients read this host as the path of a socket file.
  if (bareName(url.hostname) === 'unix') {
    throw invalidUrl(describePrivateHost('unix', 'a socket file'), 'Give the URL of a public site.');
  }
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
  const isSchemeMissing = URL.canParse(guess) && !/^https?:|:\/\/|^\/(?!\/)/i.test(text);
  return invalidUrl(
    `The URL ${JSON.stringify(shorten(withoutCredentials(text)))} is malformed.`,
    isSchemeMissing
      ? `Give an absolute http or https URL, such as ${JSON.stringify(shorten(withoutCredentials(guess)))}.`
      : 'Give an absolute http or https URL, such as "https://example.com/page".',
  );
}

/**
 * Replaces user name and password, wherever a malformed URL may have them: everything from the scheme and its slashes up
 * to the last @ before the query. Takes linear time, since callers choose the length of the text.
 */
function withoutCredentials(text: string): string {
  const authorityAndPath = /^[^?#]*/.exec(text)?.[0] ?? '';
  const at = authorityAndPath.lastIndexOf('@');
  if (at === -1) return text;
  const prefix = /^(?:[a-z][a-z\d+.-]*:)?[\\/]*/i.exec(text.slice(0, at))?.[0] ?? '';
  return `${prefix}…${text.slice(at)}`;
}

function forbiddenPort(host: string, port: number): AppError {
  const advice = "Use the site's http or https port";
  return invalidUrl(
    `Port ${port} is not allowed for requests.`,
    port === 0 ? `${advice}: no service listens on port 0.` : `${advice}. ${adviseToAllow(host, port)}`,
  );
}

/** Says the same whether a service listens there or not, and never names the address that a name resolved to. */
function privateHost(host: string, port: number, kind: string): AppError {
  return invalidUrl(
    describePrivateHost(host, kind),
    `Give the URL of a public site. ${adviseToAllow(host, port)}`,
  );
}

function describePrivateHost(host: string, kind: string): string {
  return `The host ${JSON.stringify(shorten(host))} leads to ${kind}, and requests go to public addresses only.`;
}

/** Returns the line to copy; hosts too long for a name have none. */
function adviseToAllow(host: string, port: number): string {
  const entry = host.length > MAX_NAME_LENGTH ? '<host>:<port>' : `${printHost(host)}:${port}`;
  return `If this service is yours, start it with EGRESS_ALLOW=${entry} to allow this address.`;
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
