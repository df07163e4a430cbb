import { describe, expect, it } from '@jest/globals';
import {
  afterAttempt,
  allowance,
  EndpointGate,
  fitsInMemory,
  HEALTHY,
  hasRoom,
  weightOf,
} from './endpoint-gate.ts';

const fine = { isHealthy: true, retryAfterMs: 0, nowMs: 0 };
const failed = { isHealthy: false, retryAfterMs: 0, nowMs: 0 };

const gateOf = (perEndpoint: number, places = 100) => new EndpointGate({ places, perEndpoint });
const to = (key: string, bodyBytes = 100) => ({ key, bodyBytes });

describe('the gate', () => {
  it('limits the attempts at one endpoint, whatever others have in flight', () => {
    const gate = gateOf(2);
    const passes = [gate.enter(to('a'), 0), gate.enter(to('a'), 0)];
    expect(passes.every((pass) => pass !== undefined)).toBe(true);
    expect(gate.enter(to('a'), 0)).toBeUndefined();
    expect(gate.enter(to('b'), 0)).toBeDefined();
    passes[0]?.leave(fine);
    expect(gate.enter(to('a'), 0)).toBeDefined();
  });

  it('closes for an endpoint that keeps failing, and lets one attempt through after its pause', () => {
    const gate = gateOf(5);
    for (let count = 0; count < 5; count++) gate.enter(to('dead'), 0)?.leave(failed);
    expect(gate.enter(to('dead'), 500)).toBeUndefined();
    expect(gate.enter(to('live'), 500)).toBeDefined();
    const probe = gate.enter(to('dead'), 1000);
    expect(probe).toBeDefined();
    expect(gate.enter(to('dead'), 1000)).toBeUndefined();
    probe?.leave(fine);
    expect(Array.from({ length: 6 }, () => gate.enter(to('dead'), 1000)).filter(Boolean)).toHaveLength(5);
  });

  it('ignores an attempt that was not made', () => {
    const gate = gateOf(5);
    for (let count = 0; count < 5; count++) gate.enter(to('dead'), 0)?.leave(failed);
    gate.enter(to('dead'), 1000)?.leave();
    const probe = gate.enter(to('dead'), 1000);
    expect(probe).toBeDefined();
    expect(gate.enter(to('dead'), 1000)).toBeUndefined();
  });

  it('forgets the endpoints whose last attempt is oldest when there are too many', () => {
    const gate = gateOf(5);
    const fail = (key: string) => {
      for (let count = 0; count < 5; count++) gate.enter(to(key), 0)?.leave(failed);
    };
    fail('first');
    for (let index = 0; index < 10_000; index++) gate.enter(to(`other ${index}`), 0)?.leave(failed);
    expect(gate.enter(to('first'), 0)).toBeDefined();
  });

  it('keeps places for endpoints that accepted their last event, however many others hang', () => {
    const gate = gateOf(5, 40);
    gate.enter(to('proven'), 0)?.leave(fine);
    const hanging = Array.from({ length: 100 }, (_, index) => gate.enter(to(`new ${index}`), 0));
    expect(hanging.filter(Boolean)).toHaveLength(30);
    expect(gate.enter(to('proven'), 0)).toBeDefined();
    hanging[0]?.leave(failed);
    expect(gate.enter(to('one more'), 0)).toBeDefined();
  });

  it('keeps places for new endpoints, however many are failing', () => {
    const gate = gateOf(5, 40);
    const keys = Array.from({ length: 100 }, (_, index) => `dead ${index}`);
    for (const key of keys) gate.enter(to(key), 0)?.leave(failed);
    expect(keys.map((key) => gate.enter(to(key), 0)).filter(Boolean)).toHaveLength(10);
    expect(gate.enter(to('new'), 0)).toBeDefined();
  });

  it('bounds large bodies, and holds any number of small ones', () => {
    const gate = gateOf(5);
    const large = Array.from({ length: 100 }, (_, index) => gate.enter(to(`a ${index}`, 2 ** 20), 0));
    expect(large.filter(Boolean)).toHaveLength(64);
    expect(gate.enter(to('b'), 0)).toBeDefined();
    large[0]?.leave(fine);
    expect(gate.enter(to('c', 2 ** 20), 0)).toBeDefined();
  });
});

const NO_ATTEMPTS = { proven: 0, unknown: 0, failing: 0 };
const KIB = 1024;
const MIB = 1024 * KIB;

describe('the room of a notifier', () => {
  it.each([
    ['proven', NO_ATTEMPTS, true],
    ['unknown', NO_ATTEMPTS, true],
    ['failing', NO_ATTEMPTS, true],
    ['proven', { proven: 100, unknown: 0, failing: 0 }, false],
    ['unknown', { proven: 100, unknown: 0, failing: 0 }, false],
    ['unknown', { proven: 99, unknown: 0, failing: 0 }, true],
    ['unknown', { proven: 0, unknown: 75, failing: 0 }, false],
    ['unknown', { proven: 0, unknown: 50, failing: 25 }, false],
    ['unknown', { proven: 0, unknown: 49, failing: 25 }, true],
    ['failing', { proven: 0, unknown: 0, failing: 25 }, false],
    ['failing', { proven: 0, unknown: 0, failing: 24 }, true],
    ['proven', { proven: 0, unknown: 50, failing: 25 }, true],
    ['proven', { proven: 24, unknown: 50, failing: 25 }, true],
  ] as const)('for a %s endpoint beside %j: %p', (standing, taken, expected) => {
    expect(hasRoom(standing, taken, 100)).toBe(expected);
  });

  it.each(['proven', 'unknown', 'failing'] as const)(
    'has a place for a %s endpoint, if only one',
    (standing) => {
      expect(hasRoom(standing, NO_ATTEMPTS, 1)).toBe(true);
    },
  );
});

describe('the memory of a notifier', () => {
  it('holds any number of small bodies, and large ones up to a bound', () => {
    expect([weightOf(0), weightOf(64 * KIB), weightOf(MIB)]).toEqual([0, 0, MIB]);
    expect(fitsInMemory(weightOf(MIB), 63 * MIB)).toBe(true);
    expect(fitsInMemory(weightOf(MIB), 64 * MIB)).toBe(false);
    expect(fitsInMemory(weightOf(KIB), 64 * MIB)).toBe(true);
  });

  it('holds a single body whatever its size', () => {
    expect(fitsInMemory(weightOf(100 * MIB), 0)).toBe(true);
  });
});

function afterFailures(count: number) {
  return Array.from({ length: count }).reduce<typeof HEALTHY>(
    (state) => afterAttempt(state, failed),
    HEALTHY,
  );
}

describe('an endpoint', () => {
  it('has its usual number of attempts while healthy, and after a few failures', () => {
    expect(allowance(HEALTHY, 0, 5)).toBe(5);
    expect(allowance(afterFailures(4), 0, 5)).toBe(5);
  });

  it('is paused after five failures in a row, then probed by one attempt', () => {
    const state = afterFailures(5);
    expect(allowance(state, 999, 5)).toBe(0);
    expect(allowance(state, 1000, 5)).toBe(1);
  });

  it('is paused longer each time, up to a minute', () => {
    const pauses = [5, 6, 7, 10, 11, 50].map((count) => afterFailures(count).pausedUntilMs);
    expect(pauses).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
  });

  it('is healthy again after one success', () => {
    expect(afterAttempt(afterFailures(20), { ...failed, isHealthy: true })).toEqual(HEALTHY);
  });

  it('is paused at once by a Retry-After, at most for a minute', () => {
    const asked = afterAttempt(HEALTHY, { ...failed, retryAfterMs: 3_600_000 });
    expect([allowance(asked, 59_999, 5), allowance(asked, 60_000, 5)]).toEqual([0, 5]);
  });
});
