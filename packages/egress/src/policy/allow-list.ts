import ipaddr from 'ipaddr.js';
import { type Address, isInRange } from './special-addresses.ts';

/** The hosts, networks and ports that the operator opened. */
export interface AllowList {
  /** Tells whether this port of this host name is open, whatever the name resolves to. */
  opensName(host: string, port: number): boolean;
  /** Tells whether this port of this address is open. */
  opensAddress(address: Address, port: number): boolean;
  /** Tells whether an entry names exactly this port, for this name or address or for every host. */
  opensPort(host: string, address: Address | undefined, port: number): boolean;
}

interface Entry {
  readonly name?: string;
  readonly range?: [Address, number];
  readonly port?: number;
}

/**
 * Parses the entries of EGRESS_ALLOW: `10.0.0.0/8`, `fd00::/8`, `127.0.0.1:8080`, `[::1]:9000`, `demo.test`,
 * `*.example.test:8080`, and `:2222` for a port of every public host. Throws for any other entry.
 */
export function parseAllowList(texts: readonly string[]): AllowList {
  const entries = texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(parseEntry);
  const isPortOpen = (entry: Entry, port: number) => entry.port === undefined || entry.port === port;
  const coversName = (entry: Entry, host: string) =>
    entry.name !== undefined && matchesName(entry.name, bareName(host));
  const coversAddress = (entry: Entry, address: Address | undefined) =>
    entry.range !== undefined && address !== undefined && isInRange(address, entry.range);
  const coversEverything = (entry: Entry) => entry.name === undefined && entry.range === undefined;

  return {
    opensName: (host, port) => entries.some((entry) => isPortOpen(entry, port) && coversName(entry, host)),
    opensAddress: (address, port) =>
      entries.some((entry) => isPortOpen(entry, port) && coversAddress(entry, address)),
    opensPort: (host, address, port) =>
      entries.some(
        (entry) =>
          entry.port === port &&
          (coversEverything(entry) || coversName(entry, host) || coversAddress(entry, address)),
      ),
  };
}

/** Returns a host name in lower case and without its root dot. */
export function bareName(host: string): string {
  return host.replace(/\.$/, '').toLowerCase();
}

/** Tells whether a name matches a pattern: it equals it, or lies below the suffix of `*.suffix`. */
export function matchesName(pattern: string, name: string): boolean {
  return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
}

function parseEntry(text: string): Entry {
  const { host, port } = splitPort(text);
  if (host === '' || host === '*') {
    if (port === undefined) throw badEntry(text);
    return { port };
  }
  const target = parseTarget(host, text);
  return port === undefined ? target : { ...target, port };
}

function splitPort(text: string): { host: string; port: number | undefined } {
  const isBareIpv6 = ipaddr.IPv6.isValid(text) || ipaddr.IPv6.isValidCIDR(text);
  const parts = isBareIpv6 ? undefined : /^(?<host>.*):(?<port>\d{1,5})$/.exec(text)?.groups;
  if (!parts) return { host: unbracket(text), port: undefined };
  const port = Number(parts.port);
  if (port < 1 || port > 65_535) throw badEntry(text);
  return { host: unbracket(parts.host ?? ''), port };
}

function parseTarget(host: string, text: string): Entry {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(host) || ipaddr.IPv6.isValidCIDR(host)) {
    return { range: ipaddr.parseCIDR(host) };
  }
  if (ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)) {
    const address = ipaddr.process(host);
    return { range: [address, address.kind() === 'ipv4' ? 32 : 128] };
  }
  return { name: parseName(host, text) };
}

/** Normalizes a name as the URL parser does, because hosts of URLs are compared with it. */
function parseName(host: string, text: string): string {
  const wildcard = host.startsWith('*.') ? '*.' : '';
  const url = `http://${host.slice(wildcard.length)}/`;
  const name = URL.canParse(url) ? new URL(url).hostname : '';
  const isName =
    /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/.test(name) && !ipaddr.IPv4.isValid(name) && !/[:/\\?#@]/.test(host);
  if (!isName) throw badEntry(text);
  return wildcard + bareName(name);
}

function unbracket(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function badEntry(text: string): Error {
  return new Error(
    `EGRESS_ALLOW contains an invalid entry: ${JSON.stringify(text)}. ` +
      'Give an address or network (10.0.0.0/8), a host name (demo.test, *.example.test), either of them with a port ' +
      '(127.0.0.1:8080, [::1]:9000, demo.test:8080), or a port alone (:2222).',
  );
}
