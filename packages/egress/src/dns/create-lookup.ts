import { codeOf } from '../errors/code-of.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { parseAddress } from '../policy/special-addresses.ts';
import { createDnsResolver, createSystemResolver, type ResolvedAddress, type Resolver } from './resolver.ts';

/** An address that the policy allows for the host and the port that were asked for. */
export type CheckedAddress = Pick<ResolvedAddress, 'address' | 'family'>;

/**
 * Turns a host into addresses that may be connected to. Rejects with INVALID_URL when any of them may not, with an
 * error whose code is node's after `DNS_` when the host has none, and with the signal's reason.
 */
export type Lookup = (host: string, port: number, signal: AbortSignal) => Promise<CheckedAddress[]>;

/** What the lookup needs; the resolvers and the clock have defaults. */
export interface LookupDeps {
  readonly policy: EgressPolicy;
  /** Asks for public names. */
  readonly resolver?: Resolver;
  /** Asks for names that the operator opened. */
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
 * Resolves a name once and checks every address that it has: one refused address refuses the name, so no mixture of
 * answers and no second answer gets through. Answers are remembered for their TTL, at most 30 s; the check is not.
 */
export function createLookup(deps: LookupDeps): Lookup {
  const { policy, resolver = createDnsResolver(), now = Date.now } = deps;
  const openedNameResolver = deps.openedNameResolver ?? deps.resolver ?? createSystemResolver();
  const cache = new Map<string, CacheEntry>();
  const pending = new Map<string, Promise<ResolvedAddress[]>>();

  function resolve(host: string, ask: Resolver): Promise<ResolvedAddress[]> {
    const cached = cache.get(host);
    if (cached && cached.expiresAt > now()) return Promise.resolve(cached.addresses);
    const running = pending.get(host);
    if (running) return running;
    const asked = ask(host)
      .then((addresses) => remember(host, addresses), rethrowAsDnsFailure)
      .finally(() => pending.delete(host));
    pending.set(host, asked);
    return asked;
  }

  function remember(host: string, addresses: ResolvedAddress[]): ResolvedAddress[] {
    const ttlSeconds = Math.min(MAX_TTL_SECONDS, ...addresses.map((record) => record.ttlSeconds));
    cache.delete(host);
    if (ttlSeconds > 0) cache.set(host, { addresses, expiresAt: now() + ttlSeconds * 1_000 });
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size > MAX_CACHED_NAMES) cache.delete(oldest);
    return addresses;
  }

  return async (host, port, signal) => {
    const literal = literalAddress(host);
    const ask = policy.opensName(host, port) ? openedNameResolver : resolver;
    const addresses = literal ? [literal] : await untilAborted(resolve(host, ask), signal);
    if (addresses.length === 0) throw dnsFailure('ENODATA');
    for (const { address } of addresses) policy.checkAddress(address, host, port);
    return addresses.map(({ address, family }) => ({ address, family }));
  };
}

function literalAddress(host: string): ResolvedAddress | undefined {
  if (!parseAddress(host)) return undefined;
  return { address: host, family: host.includes(':') ? 6 : 4, ttlSeconds: 0 };
}

/** The prefix tells a refusal by the name server (ECONNREFUSED) from one by the host. */
function rethrowAsDnsFailure(cause: unknown): never {
  throw dnsFailure(codeOf(cause) || 'EFAILED', cause);
}

function dnsFailure(code: string, cause?: unknown): Error {
  return Object.assign(new Error('The name could not be resolved.', { cause }), { code: `DNS_${code}` });
}

/** The promise's outcome, or the signal's reason if that comes first; the shared query goes on for the others. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
