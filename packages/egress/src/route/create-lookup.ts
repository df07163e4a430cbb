import { promises as dns } from 'node:dns';
import { untilAborted } from '@gleaner/contracts';
import QuickLRU from 'quick-lru';
import { codeOf } from '../errors.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { parseAddress } from '../policy/special-addresses.ts';

/** An address that the policy allows for the requested host and port. */
export type CheckedAddress = Pick<ResolvedAddress, 'address' | 'family'>;

/**
 * Resolves a host to addresses that the policy allows. Rejects with INVALID_URL when it forbids any of them, with an error
 * whose code is `DNS_` and node's code when the host has none, and with the signal's reason.
 */
export type Lookup = (host: string, port: number, signal: AbortSignal) => Promise<CheckedAddress[]>;

/** Dependencies of the lookup; the resolvers and the clock have defaults. */
interface LookupDeps {
  readonly policy: EgressPolicy;
  /** Resolves public names. */
  readonly resolver?: Resolver;
  /** Resolves names that the operator opened. */
  readonly openedNameResolver?: Resolver;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const MAX_TTL_SECONDS = 30;
const MAX_CACHED_NAMES = 10_000;

interface CacheEntry {
  readonly addresses: ResolvedAddress[];
  readonly expiresAt: number;
}

/**
 * Creates a lookup that resolves a name once and checks all its addresses: one forbidden address rejects the name, so that
 * neither mixed nor later answers get through. Answers are cached for their TTL within a bound; checks are not.
 */
export function createLookup(deps: LookupDeps): Lookup {
  const { policy, resolver = createDnsResolver(), now = Date.now } = deps;
  const openedNameResolver = deps.openedNameResolver ?? deps.resolver ?? createSystemResolver();
  const cache = new QuickLRU<string, CacheEntry>({ maxSize: MAX_CACHED_NAMES });
  const pending = new Map<string, Promise<ResolvedAddress[]>>();

  function resolve(host: string, ask: Resolver): Promise<ResolvedAddress[]> {
    const cached = cache.get(host);
    if (cached && cached.expiresAt > now()) return Promise.resolve(cached.addresses);
    const running = pending.get(host);
    if (running) return running;
    const asked = ask(host)
      .then((addresses) => remember(host, addresses), rethrowAsDnsError)
      .finally(() => pending.delete(host));
    pending.set(host, asked);
    return asked;
  }

  function remember(host: string, addresses: ResolvedAddress[]): ResolvedAddress[] {
    const ttlSeconds = Math.min(MAX_TTL_SECONDS, ...addresses.map((record) => record.ttlSeconds));
    if (ttlSeconds > 0) cache.set(host, { addresses, expiresAt: now() + ttlSeconds * 1_000 });
    return addresses;
  }

  return async (host, port, signal) => {
    const literal = literalAddress(host);
    const ask = policy.opensName(host, port) ? openedNameResolver : resolver;
    const addresses = literal ? [literal] : await untilAborted(resolve(host, ask), signal);
    if (addresses.length === 0) throw dnsError('ENODATA');
    for (const { address } of addresses) policy.checkAddress(address, host, port);
    return addresses.map(({ address, family }) => ({ address, family }));
  };
}

function literalAddress(host: string): ResolvedAddress | undefined {
  if (!parseAddress(host)) return undefined;
  return { address: host, family: host.includes(':') ? 6 : 4, ttlSeconds: 0 };
}

/** Adds a prefix to the code, which tells ECONNREFUSED of a name server from that of the host. */
function rethrowAsDnsError(cause: unknown): never {
  throw dnsError(codeOf(cause) || 'EFAILED', cause);
}

function dnsError(code: string, cause?: unknown): Error {
  return Object.assign(new Error('The name could not be resolved.', { cause }), { code: `DNS_${code}` });
}

/** One address record; `ttlSeconds` tells how long it may be cached. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
  readonly ttlSeconds: number;
}

/** Resolves all addresses of a name. Rejects with node's DNS error codes (`ENOTFOUND`, `ETIMEOUT` …). */
export type Resolver = (host: string) => Promise<ResolvedAddress[]>;

const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;
const NO_RECORDS: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Creates a resolver that asks the machine's name servers by DNS only, for A and AAAA together. It takes no thread of the
 * pool, so that names whose servers stall do not delay others.
 */
function createDnsResolver(): Resolver {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  return async (host) => {
    const answers = await Promise.allSettled([
      resolver.resolve4(host, { ttl: true }).then((records) => withFamily(records, 4)),
      resolver.resolve6(host, { ttl: true }).then((records) => withFamily(records, 6)),
    ]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    throw reasons.find((reason) => !NO_RECORDS.has(reason?.code)) ?? reasons[0] ?? noRecords();
  };
}

/** Creates a resolver that uses the hosts file and search domains too, for names that the operator opened. */
function createSystemResolver(): Resolver {
  return async (host) => {
    const records = await dns.lookup(host, { all: true, order: 'ipv4first' });
    return records.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4, ttlSeconds: 0 }));
  };
}

function withFamily(records: { address: string; ttl: number }[], family: 4 | 6): ResolvedAddress[] {
  return records.map(({ address, ttl }) => ({ address, family, ttlSeconds: ttl }));
}

function noRecords(): Error {
  return Object.assign(new Error('no addresses'), { code: 'ENODATA' });
}
