import { describe, expect, it } from '@jest/globals';
import type { Verdict } from './judge-outcome.ts';
import { nextHealth, type ProxyHealth, UNTRIED } from './proxy-health.ts';

const NOW = 1_000_000;

function after(health: ProxyHealth, verdict: Verdict, { target = 'a.test', nowMs = NOW } = {}): ProxyHealth {
  return nextHealth(health, { verdict, target, nowMs, random: 0 });
}

describe('nextHealth', () => {
  it('rests a failed proxy, twice as long each time, up to five minutes', () => {
    let health = UNTRIED;
    let nowMs = NOW;
    const rests = Array.from({ length: 8 }, () => {
      health = after(health, 'failed', { nowMs });
      const restMs = health.restsUntilMs - nowMs;
      nowMs = health.restsUntilMs;
      return restMs / 1000;
    });
    expect(rests).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  });

  it('counts failures of concurrent requests as one', () => {
    const once = after(UNTRIED, 'failed');
    expect(after(once, 'failed', { nowMs: NOW + 1 })).toMatchObject({
      failures: 1,
      restsUntilMs: once.restsUntilMs,
    });
  });

  it('clears all failures after a response came through', () => {
    expect(after(after(UNTRIED, 'failed'), 'carried')).toEqual(UNTRIED);
  });

  it('rests a proxy after three targets failed, not after one target failed three times', () => {
    const one = after(after(after(UNTRIED, 'doubtful'), 'doubtful'), 'doubtful');
    expect(one.restsUntilMs).toBe(0);
    const two = after(one, 'doubtful', { target: 'b.test' });
    expect(two.restsUntilMs).toBe(0);
    expect(after(two, 'doubtful', { target: 'c.test' })).toMatchObject({
      failures: 1,
      restsUntilMs: NOW + 5000,
    });
    expect(after(after(two, 'carried'), 'doubtful', { target: 'c.test' }).restsUntilMs).toBe(0);
  });

  it('does not change for an outcome that says nothing', () => {
    const failed = after(UNTRIED, 'failed');
    expect(after(failed, undefined)).toBe(failed);
  });

  it('spreads rests by up to a quarter', () => {
    const health = nextHealth(UNTRIED, { verdict: 'failed', target: 'a.test', nowMs: NOW, random: 0.999 });
    expect(health.restsUntilMs - NOW).toBe(3751);
  });
});
