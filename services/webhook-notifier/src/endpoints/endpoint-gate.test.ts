import { describe, expect, it } from '@jest/globals';
import { EndpointGate } from './endpoint-gate.ts';

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
