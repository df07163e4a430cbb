import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createEgressPolicy } from '../../policy/create-egress-policy.ts';
import { readProxies } from '../config/read-proxies.ts';
import { proxyError } from '../route/proxy-error.ts';
import { createProxyPools, type ProxyUse } from './create-proxy-pools.ts';

const DEAD = proxyError({ kind: 'PROXY_UNREACHABLE', country: 'us' });

function poolsOf(PROXIES: string) {
  const policy = createEgressPolicy({ allow: [] });
  const proxies = readProxies({ PROXIES, PROXIES_FILE: undefined }, policy);
  const uses: ProxyUse[] = [];
  const clock = { nowMs: 1_000_000 };
  const pools = createProxyPools({
    proxies,
    policy,
    now: () => clock.nowMs,
    onUse: (use) => uses.push(use),
  });
  const lease = (...except: string[]) => pools.lease('us', { target: 'a.test', except });
  return { pools, uses, lease, clock };
}

const THREE = 'us=http://a.test, us=http://b.test, us=http://c.test, de=http://d.test';

describe('the pools', () => {
  it('list their countries and lease nothing for others', () => {
    const { pools } = poolsOf(THREE);
    expect(pools.countries).toEqual(['de', 'us']);
    expect(pools.lease('fr', { target: 'a.test' })).toBeUndefined();
  });

  it('spread requests, and return the same route for the same proxy', () => {
    const { lease } = poolsOf(THREE);
    const leases = [lease(), lease(), lease()];
    expect(leases.map((leased) => leased?.name)).toEqual(['us-1', 'us-2', 'us-3']);
    leases[1]?.succeeded();
    const next = lease();
    expect(next?.name).toBe('us-2');
    expect(next?.route).toBe(leases[1]?.route);
  });

  it('rotate through idle proxies', () => {
    const { lease } = poolsOf(THREE);
    const names = Array.from({ length: 6 }, () => {
      const leased = lease();
      leased?.succeeded();
      return leased?.name;
    });
    expect(names).toEqual(['us-1', 'us-2', 'us-3', 'us-1', 'us-2', 'us-3']);
  });

  it('lease the preferred proxy unless it rests', () => {
    const { pools, lease } = poolsOf(THREE);
    const keepTo = (prefer: string) => pools.lease('us', { target: 'a.test', prefer });
    expect([keepTo('us-2')?.name, keepTo('us-2')?.name]).toEqual(['us-2', 'us-2']);
    expect(keepTo('us-9')?.name).toBe('us-1');
    lease('us-1', 'us-2')?.failed(DEAD);
    expect(keepTo('us-3')?.name).toBe('us-1');
  });

  it('lease every proxy to a request once', () => {
    const { lease } = poolsOf(THREE);
    const tried: string[] = [];
    for (let leased = lease(); leased; leased = lease(...tried)) {
      tried.push(leased.name);
      leased.failed(DEAD);
    }
    expect(tried.sort()).toEqual(['us-1', 'us-2', 'us-3']);
  });

  it('rest a failed proxy while others are left, and use it when all rest', () => {
    const { pools, lease, uses } = poolsOf(THREE);
    lease()?.failed(DEAD);
    for (let round = 0; round < 4; round += 1) {
      const leased = lease();
      expect(leased?.name).not.toBe('us-1');
      leased?.succeeded();
    }
    expect(pools.states().filter(({ isResting }) => isResting)).toEqual([
      { name: 'us-1', country: 'us', isResting: true },
    ]);
    expect(uses[0]).toMatchObject({ name: 'us-1', verdict: 'failed', restMs: expect.any(Number) });
    const others = [lease(), lease()];
    for (const leased of others) leased?.failed(DEAD);
    const last = lease();
    expect(last?.name).toMatch(/^us-/);
    last?.succeeded();
    expect(pools.states().find(({ name }) => name === last?.name)?.isResting).toBe(false);
  });

  it('let one request probe a proxy after its rest', () => {
    const { pools, lease, clock } = poolsOf('us=http://a.test, us=http://b.test');
    lease()?.failed(DEAD);
    clock.nowMs += 5_000;
    lease()?.succeeded();
    const probe = lease();
    expect(probe?.name).toBe('us-1');
    const others = [lease(), lease(), lease()];
    expect(others.map((leased) => leased?.name)).toEqual(['us-2', 'us-2', 'us-2']);
    probe?.failed(DEAD);
    expect(pools.states()[0]?.isResting).toBe(true);
    clock.nowMs += 5_000;
    expect(pools.states()[0]?.isResting).toBe(true);
    clock.nowMs += 5_000;
    expect(pools.states()[0]?.isResting).toBe(false);
    lease()?.succeeded();
    expect([lease(), lease()].map((leased) => leased?.name)).toEqual(['us-1', 'us-1']);
  });

  it('count each lease once, even if it is ended repeatedly', () => {
    const { lease, uses } = poolsOf(THREE);
    const leased = lease();
    leased?.succeeded();
    leased?.failed(DEAD);
    leased?.succeeded();
    expect(uses).toHaveLength(1);
    expect(uses[0]?.verdict).toBe('carried');
  });

  it('do not rest a proxy for errors of targets and callers', () => {
    const { pools, lease } = poolsOf('us=http://a.test');
    for (const code of ['BLOCKED', 'NOT_FOUND', 'INVALID_URL', 'SERVICE_UNAVAILABLE', 'TIMEOUT'] as const) {
      for (let round = 0; round < 10; round += 1) lease()?.failed(new AppError(code));
    }
    expect(pools.states()[0]?.isResting).toBe(false);
  });
});
