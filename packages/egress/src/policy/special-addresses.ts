import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address as the policy judges it: an IPv4-mapped IPv6 address is converted to the IPv4 address in it. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Cidr = [Address, number];

/**
 * Address blocks that are not globally reachable, each with its kind as error messages name it.
 * Source: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890) and the RFC of each row.
 */
const SPECIAL_BLOCKS: readonly (readonly [cidr: string, kind: string])[] = [
  ['0.0.0.0/8', 'an unspecified address'], // RFC 791
  ['10.0.0.0/8', 'a private network'], // RFC 1918
  ['100.64.0.0/10', 'a carrier-grade NAT network'], // RFC 6598
  ['127.0.0.0/8', 'the loopback network'], // RFC 1122
  ['168.63.129.16/32', 'a cloud platform’s own address'], // Azure's wire server, the one that looks public
  ['169.254.0.0/16', 'the link-local network'], // RFC 3927; cloud metadata lives here
  ['172.16.0.0/12', 'a private network'], // RFC 1918
  ['192.0.0.0/24', 'a reserved network'], // RFC 6890
  ['192.0.2.0/24', 'a documentation network'], // RFC 5737
  ['192.31.196.0/24', 'a reserved network'], // RFC 7535, AS112
  ['192.52.193.0/24', 'a reserved network'], // RFC 7450, AMT
  ['192.88.99.0/24', 'a reserved network'], // RFC 7526, the former 6to4 relays
  ['192.168.0.0/16', 'a private network'], // RFC 1918
  ['192.175.48.0/24', 'a reserved network'], // RFC 7534, AS112
  ['198.18.0.0/15', 'a benchmarking network'], // RFC 2544
  ['198.51.100.0/24', 'a documentation network'], // RFC 5737
  ['203.0.113.0/24', 'a documentation network'], // RFC 5737
  ['224.0.0.0/4', 'a multicast network'], // RFC 5771
  ['255.255.255.255/32', 'the broadcast address'], // RFC 919
  ['240.0.0.0/4', 'a reserved network'], // RFC 1112
  ['::/128', 'an unspecified address'], // RFC 4291
  ['::1/128', 'the loopback network'], // RFC 4291
  ['64:ff9b:1::/48', 'a local translation network'], // RFC 8215
  ['100::/64', 'a discard network'], // RFC 6666
  ['2001:db8::/32', 'a documentation network'], // RFC 3849
  ['2620:4f:8000::/48', 'a reserved network'], // RFC 7534, AS112
  ['3fff::/20', 'a documentation network'], // RFC 9637
  ['fc00::/7', 'a private network'], // RFC 4193
  ['fe80::/10', 'the link-local network'], // RFC 4291
  ['fec0::/10', 'a private network'], // RFC 3879, site-local
  ['ff00::/8', 'a multicast network'], // RFC 4291
];

/** Prefixes of IPv6 addresses with embedded IPv4 addresses; the embedded ones are judged instead. */
const EMBEDDINGS: readonly {
  readonly cidr: string;
  readonly embedded: (bytes: number[]) => ipaddr.IPv4[];
}[] = [
  { cidr: '64:ff9b::/96', embedded: (bytes) => [ipv4(bytes, 12)] }, // RFC 6052, NAT64
  { cidr: '2002::/16', embedded: (bytes) => [ipv4(bytes, 2)] }, // RFC 3056, 6to4
  { cidr: '2001::/32', embedded: (bytes) => [ipv4(bytes, 4), ipv4(bytes.map(invert), 12)] }, // RFC 4380, Teredo
];

const BLOCKS = SPECIAL_BLOCKS.map(([cidr, kind]) => ({ range: ipaddr.parseCIDR(cidr) as Cidr, kind }));
const EMBEDDING_RANGES = EMBEDDINGS.map(({ cidr, embedded }) => ({
  range: ipaddr.IPv6.parseCIDR(cidr),
  embedded,
}));
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Returns the kind of an address that is not public, as a noun phrase; undefined for a public address. */
export function describeSpecialAddress(address: Address): string | undefined {
  const block = BLOCKS.find(({ range }) => isInRange(address, range));
  if (block) return block.kind;
  if (address instanceof ipaddr.IPv4) return undefined;

  const embedding = EMBEDDING_RANGES.find(({ range }) => address.match(range));
  if (embedding) return firstSpecial(embedding.embedded(address.toByteArray()));
  if (!address.match(GLOBAL_UNICAST) || address.match(PROTOCOL_ASSIGNMENTS)) return 'a reserved network';
  return isIsatap(address) ? firstSpecial([ipv4(address.toByteArray(), 12)]) : undefined;
}

/** Parses an address in canonical notation, as resolvers and sockets return it; undefined when the text is not an address. */
export function parseAddress(text: string): Address | undefined {
  const [bare = ''] = text.split('%', 1);
  const family = isIP(bare);
  if (family === 0) return undefined;
  // ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4, which is another address; the URL parser writes it in hex.
  return ipaddr.process(family === 6 ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare);
}

/** Tells whether an address lies in a block of its own family. */
export function isInRange(address: Address, range: Cidr): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

function firstSpecial(addresses: ipaddr.IPv4[]): string | undefined {
  return addresses.map(describeSpecialAddress).find((kind) => kind !== undefined);
}

/** Interface identifiers ::0:5efe:a.b.c.d and ::200:5efe:a.b.c.d tunnel to a.b.c.d (RFC 5214). */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high, low] = address.parts;
  return (high === 0 || high === 0x0200) && low === 0x5efe;
}

function ipv4(bytes: number[], start: number): ipaddr.IPv4 {
  return new ipaddr.IPv4(bytes.slice(start, start + 4));
}

function invert(byte: number): number {
  return byte ^ 0xff;
}
