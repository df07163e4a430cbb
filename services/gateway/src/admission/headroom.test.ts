import { describe, expect, it } from '@jest/globals';
import { type Allowance, Headroom } from './headroom.ts';

const AMPLE: Allowance = { remaining: 100, inFlight: 1 };

function setUp() {
  const clock = { ms: 0 };
  const headroom = new Headroom({ maxInFlight: 10, now: () => clock.ms });
  const hear = (allowance: Allowance, keyId = 'key') => headroom.watch(keyId, Promise.resolve(allowance));
  return { clock, headroom, hear };
}

describe('Headroom', () => {
  it('knows nothing of a key before its first count, and of other keys', async () => {
    const { headroom, hear } = setUp();
    expect(headroom.isAmple('key')).toBe(false);
    await hear(AMPLE);
    expect(headroom.isAmple('key')).toBe(true);
    expect(headroom.isAmple('other')).toBe(false);
  });

  it('hands on what was counted, and why it was not', async () => {
    const { headroom, hear } = setUp();
    expect(await hear(AMPLE)).toBe(AMPLE);
    await expect(headroom.watch('key', Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(headroom.isAmple('key')).toBe(true);
  });

  it('forgets after five seconds', async () => {
    const { clock, headroom, hear } = setUp();
    await hear(AMPLE);
    clock.ms = 5000;
    expect(headroom.isAmple('key')).toBe(true);
    clock.ms = 5001;
    expect(headroom.isAmple('key')).toBe(false);
  });

  it.each([
    { remaining: 10, inFlight: 4, isAmple: true },
    { remaining: 9, inFlight: 0, isAmple: false },
    { remaining: 0, inFlight: 0, isAmple: false },
    { remaining: 1000, inFlight: 5, isAmple: false },
  ])(
    'takes $remaining left and $inFlight of 10 in flight for ample: $isAmple',
    async ({ isAmple, ...known }) => {
      const { headroom, hear } = setUp();
      await hear(known);
      expect(headroom.isAmple('key')).toBe(isAmple);
    },
  );

  it.each([
    { inFlight: 4, hasPlaces: true },
    { inFlight: 5, hasPlaces: false },
  ])('has places with $inFlight of 10 in flight: $hasPlaces', async ({ inFlight, hasPlaces }) => {
    const { headroom, hear } = setUp();
    expect(headroom.hasPlaces('key')).toBe(false);
    await hear({ remaining: 0, inFlight });
    expect(headroom.hasPlaces('key')).toBe(hasPlaces);
  });

  it('lets one call in ten that are left run ahead', async () => {
    const { headroom, hear } = setUp();
    await hear({ remaining: 29, inFlight: 0 });
    const counts = [Promise.withResolvers<Allowance>(), Promise.withResolvers<Allowance>()] as const;
    const watched = counts.map(({ promise }) => headroom.watch('key', promise));
    expect(headroom.isAmple('key')).toBe(false);
    counts[0].resolve({ remaining: 28, inFlight: 1 });
    await watched[0];
    expect(headroom.isAmple('key')).toBe(true);
    counts[1].reject(new Error('away'));
    await expect(watched[1]).rejects.toThrow('away');
    expect(headroom.isAmple('key')).toBe(true);
  });

  it('keeps at least the ten thousand keys that it heard of last, and at most twice as many', async () => {
    const { headroom, hear } = setUp();
    for (let index = 0; index < 20_000; index += 1) await hear(AMPLE, `key ${index}`);
    expect(headroom.isAmple('key 19999')).toBe(true);
    expect(headroom.isAmple('key 10000')).toBe(true);
    expect(headroom.isAmple('key 0')).toBe(false);
  });
});
