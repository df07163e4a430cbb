import { createLookup } from '../../route/create-lookup.ts';
import type { Route } from '../../route/route.ts';
import type { ConfiguredProxy } from '../config/proxy.ts';
import { createProxyRoute, type ProxyRouteDeps } from '../route/create-proxy-route.ts';
import { judgeOutcome, nextHealth, type ProxyHealth, UNTRIED, type Verdict } from './proxy-health.ts';

/** Dependencies of the pools. */
export interface ProxyPoolDeps extends Pick<ProxyRouteDeps, 'policy' | 'certificateAuthorities'> {
  readonly proxies: readonly ConfiguredProxy[];
  /** Called with the outcome of each use. */
  readonly onUse?: (use: ProxyUse) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A proxy leased to one request, which uses it for all redirects. */
export interface ProxyLease {
  /** `us-2`: may be shown and logged. */
  readonly name: string;
  readonly country: string;
  /** The same object for all leases of a proxy, so that clients can keep connections for it. */
  readonly route: Route;
  /** Ends the lease after a response of the target. Only the first call of `succeeded` or `failed` counts. */
  succeeded(): void;
  /** Ends the lease with the error of the request; judges whether the proxy caused it. */
  failed(error: unknown): void;
}

/** The proxies of every country. */
export interface ProxyPools {
  /** The countries that have proxies, in alphabetical order. */
  readonly countries: readonly string[];
  /**
   * Leases the least busy proxy of a country, resting ones last; undefined when `except` names all of them. `target` is the
   * host that is fetched through it.
   */
  lease(country: string, options: LeaseOptions): ProxyLease | undefined;
  /** Returns the state of every proxy. */
  states(): readonly ProxyState[];
}

/** Target and preferences of a lease. */
export interface LeaseOptions {
  readonly target: string;
  /** Names of proxies that the request has used already. */
  readonly except?: readonly string[];
  /** Name of the proxy to use unless it rests. */
  readonly prefer?: string | undefined;
}

/** State of one proxy. */
export interface ProxyState {
  readonly name: string;
  readonly country: string;
  readonly isResting: boolean;
}

/** Outcome of one use of a proxy. */
export interface ProxyUse {
  readonly name: string;
  readonly country: string;
  readonly verdict: Exclude<Verdict, undefined> | 'unknown';
  readonly error?: unknown;
  /** Present when the proxy rests from now on. */
  readonly restMs?: number;
}

interface PooledProxy {
  readonly proxy: ConfiguredProxy;
  readonly route: Route;
  health: ProxyHealth;
  leases: number;
  /** The number of the last lease; 0 for none. */
  lastLease: number;
}

/** Creates the pools; nothing connects before a route is used. */
export function createProxyPools({ proxies, onUse, now = Date.now, ...deps }: ProxyPoolDeps): ProxyPools {
  const lookup = createLookup(deps);
  const pooled = proxies.map(
    (proxy): PooledProxy => ({
      proxy,
      route: createProxyRoute(proxy, { ...deps, lookup }),
      health: UNTRIED,
      leases: 0,
      lastLease: 0,
    }),
  );
  const byCountry = Map.groupBy(pooled, ({ proxy }) => proxy.country);
  let leaseCount = 0;

  function lease(country: string, { target, except = [], prefer }: LeaseOptions): ProxyLease | undefined {
    const candidates = (byCountry.get(country) ?? []).filter(({ proxy }) => !except.includes(proxy.name));
    const nowMs = now();
    const preferred = candidates.filter(
      ({ proxy, health }) => proxy.name === prefer && health.restsUntilMs <= nowMs,
    );
    const chosen = choose(preferred.length > 0 ? preferred : candidates, nowMs);
    if (!chosen) return undefined;
    chosen.leases += 1;
    leaseCount += 1;
    chosen.lastLease = leaseCount;
    return leaseOf(chosen, target);
  }

  function leaseOf(chosen: PooledProxy, target: string): ProxyLease {
    const { name, country } = chosen.proxy;
    let isOver = false;
    const end = (verdict: Verdict, error?: unknown) => {
      if (isOver) return;
      isOver = true;
      chosen.leases -= 1;
      const restMs = record(chosen, { verdict, target, nowMs: now() });
      onUse?.({ name, country, verdict: verdict ?? 'unknown', error, ...(restMs > 0 && { restMs }) });
    };
    return {
      name,
      country,
      route: chosen.route,
      succeeded: () => end('carried'),
      failed: (error) => end(judgeOutcome(error), error),
    };
  }

  return {
    countries: [...byCountry.keys()].sort(),
    lease,
    states: () =>
      pooled.map(({ proxy: { name, country }, health }) => ({
        name,
        country,
        isResting: health.restsUntilMs > now(),
      })),
  };
}

/** Records the outcome of a use; returns how long the proxy rests from now on, 0 when no rest began. */
function record(
  chosen: PooledProxy,
  end: { readonly verdict: Verdict; readonly target: string; readonly nowMs: number },
): number {
  const before = chosen.health;
  chosen.health = nextHealth(before, { ...end, random: Math.random() });
  const { restsUntilMs } = chosen.health;
  return restsUntilMs > before.restsUntilMs ? restsUntilMs - end.nowMs : 0;
}

/** Chooses by fitness, then end of rest, then number of leases, then least recent use. */
function choose(candidates: readonly PooledProxy[], nowMs: number): PooledProxy | undefined {
  let best: { readonly candidate: PooledProxy; readonly rank: readonly number[] } | undefined;
  for (const candidate of candidates) {
    const rank = rankOf(candidate, nowMs);
    if (!best || compareRanks(rank, best.rank) < 0) best = { candidate, rank };
  }
  return best?.candidate;
}

function rankOf({ health, leases, lastLease }: PooledProxy, nowMs: number): readonly number[] {
  const isResting = health.restsUntilMs > nowMs;
  // After a rest one request probes the proxy for all others.
  const isBeingProbed = health.failures > 0 && leases > 0;
  const fitness = isResting ? 2 : isBeingProbed ? 1 : 0;
  return [fitness, isResting ? health.restsUntilMs : 0, leases, lastLease];
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((part, position) => part !== other[position]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

/** Explains why a country cannot be used, as the end of a sentence that begins with `proxy`. */
export function explainMissingProxies(countries: readonly string[]): string {
  return countries.length > 0
    ? `names a country without proxies; available: ${countries.join(', ')}`
    : 'cannot be used: no proxies are configured here; set PROXIES or PROXIES_FILE';
}
