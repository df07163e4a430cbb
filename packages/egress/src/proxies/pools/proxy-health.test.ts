import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { type ProxyErrorKind, proxyError } from '../route/proxy-error.ts';
import {
  isWorthAnotherProxy,
  judgeOutcome,
  nextHealth,
  type ProxyHealth,
  UNTRIED,
  type Verdict,
} from './proxy-health.ts';

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

const failing = (kind: ProxyErrorKind) => proxyError({ kind, country: 'us' });
const broken = (code: string) =>
  new AppError('UPSTREAM_ERROR', { cause: Object.assign(new Error(code), { code }) });

describe('judgeOutcome', () => {
  it.each([
    ['an unreachable proxy', failing('PROXY_UNREACHABLE'), 'failed', true],
    ['wrong credentials', failing('PROXY_CREDENTIALS'), 'failed', true],
    ['a target that the proxy cannot reach', failing('PROXY_NO_CONNECTION'), 'doubtful', true],
    ['a proxy that is silent', failing('PROXY_SILENT'), 'doubtful', true],
    ['a broken connection', broken('ECONNRESET'), 'doubtful', true],
    ['a broken TLS handshake', broken('EPROTO'), 'doubtful', true],
    ['a bad certificate', broken('CERT_HAS_EXPIRED'), undefined, false],
    ['a name that does not exist', broken('DNS_ENOTFOUND'), undefined, false],
    ['a response that refuses access', new AppError('BLOCKED', { targetStatusCode: 403 }), 'carried', false],
    ['an error of the target', new AppError('UPSTREAM_ERROR', { targetStatusCode: 500 }), 'carried', false],
    ['a page that is too large', new AppError('UNSUPPORTED_CONTENT'), 'carried', false],
    ['a deadline', new AppError('TIMEOUT'), 'doubtful', false],
    ['a caller that disconnected', new AppError('SERVICE_UNAVAILABLE'), undefined, false],
    ['a URL that is not allowed', new AppError('INVALID_URL'), undefined, false],
    ['an internal error', new TypeError('x'), undefined, false],
  ])('judges a proxy after %s', (_what, error, verdict, isWorth) => {
    expect([judgeOutcome(error), isWorthAnotherProxy(error)]).toEqual([verdict, isWorth]);
  });
});
