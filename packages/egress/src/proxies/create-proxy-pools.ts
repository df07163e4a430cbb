import { createLookup } from '../dns/create-lookup.ts';
import { createProxyRoute, type ProxyRouteDeps } from '../route/create-proxy-route.ts';
import type { Route } from '../route/route.ts';
import { judgeOutcome, type Verdict } from './judge-outcome.ts';
import type { ConfiguredProxy } from './proxy.ts';
import { nextHealth, type ProxyHealth, UNTRIED } from './proxy-health.ts';

/** What the pools are made of. */
export interface ProxyPoolDeps extends Pick<ProxyRouteDeps, 'policy' | 'certificateAuthorities'> {
  readonly proxies: readonly ConfiguredProxy[];
  /** Told how each use ended. */
  readonly onUse?: (use: ProxyUse) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** One proxy, lent to one request: it keeps to it over all redirects. */
export interface ProxyLease {
  /** `us-2`: may be shown and logged. */
  readonly name: string;
  readonly country: string;
  /** The same for all leases of a proxy, so that clients can keep connections for it. */
  readonly route: Route;
  /** Gives it back: an answer of the target came through. Only the first of the two ends counts. */
  succeeded(): void;
  /** Gives it back with what ended the request; whether that is the proxy's fault is judged here. */
  failed(error: unknown): void;
}

/** The proxies of every country. */
export interface ProxyPools {
  /** The countries that have proxies, in alphabetical order. */
  readonly countries: readonly string[];
  /**
   * The proxy of a country that has least to do, rested ones last; undefined when there is none besides those of `except`.
   * `target` is the host that it is for.
   */
  lease(country: string, options: LeaseOptions): ProxyLease | undefined;
  /** How every proxy is. */
  states(): readonly ProxyState[];
}

/** For what a proxy is wanted. */
export interface LeaseOptions {
  readonly target: string;
  /** The names of proxies that the request has tried already. */
  readonly except?: readonly string[];
  /** The name of the proxy to keep to, unless it rests. */
  readonly prefer?: string | undefined;
}

/** How one proxy is. */
export interface ProxyState {
  readonly name: string;
  readonly country: string;
  readonly isResting: boolean;
}

/** How one use of a proxy ended. */
export interface ProxyUse {
  readonly name: string;
  readonly country: string;
  readonly verdict: Exclude<Verdict, undefined> | 'unknown';
  readonly error?: unknown;
  /** Present where the proxy rests from now on. */
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

/** Builds the pools; nothing is connected to before a route is used. */
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
    return lend(chosen, target);
  }

  function lend(chosen: PooledProxy, target: string): ProxyLease {
    const { name, country } = chosen.proxy;
    let isOver = false;
    const end = (verdict: Verdict, error?: unknown) => {
      if (isOver) return;
      isOver = true;
      chosen.leases -= 1;
      const restMs = note(chosen, { verdict, target, nowMs: now() });
      onUse?.({ name, country, verdict: verdict ?? 'unknown', error, ...(restMs > 0 && { restMs }) });
    };
    return {
      ...{ name, country, route: chosen.route },
      succeeded: () => end('carried'),
      failed: (error) => end(judgeOutcome(error), error),
    };
  }

  return {
    countries: [...byCountry.keys()].sort(),
    lease,
    states: () =>
      pooled.map(({ proxy: { name, country }, health }) => ({
        ...{ name, country, isResting: health.restsUntilMs > now() },
      })),
  };
}

/** Takes note of how a use ended; gives how long the proxy rests from now on, 0 where no rest began. */
function note(
  chosen: PooledProxy,
  end: { readonly verdict: Verdict; readonly target: string; readonly nowMs: number },
): number {
  const before = chosen.health;
  chosen.health = nextHealth(before, { ...end, random: Math.random() });
  const { restsUntilMs } = chosen.health;
  return restsUntilMs > before.restsUntilMs ? restsUntilMs - end.nowMs : 0;
}

/** The first by: fitness, the end of its rest, what it has to do, how long ago it was used. */
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
  // After a rest one request finds out for all others.
  const isBeingTried = health.failures > 0 && leases > 0;
  const fitness = isResting ? 2 : isBeingTried ? 1 : 0;
  return [fitness, isResting ? health.restsUntilMs : 0, leases, lastLease];
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((part, position) => part !== other[position]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
