import { mock } from 'node:test';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createId } from './ids.ts';

describe('createId', () => {
  afterEach(() => {
    mock.timers.reset();
  });

  it('creates unique ids in the form of a ULID', () => {
    const ids = Array.from({ length: 20_000 }, () => createId('req'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id))).toBe(true);
  });

  it('creates ids that sort in the order of their creation, even within a millisecond', () => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const ids = Array.from({ length: 1000 }, () => createId('job'));
    expect(ids.toSorted()).toEqual(ids);
    mock.timers.setTime(Date.now() - 3_600_000);
    const later = createId('job');
    expect([...ids, later].toSorted().at(-1)).toBe(later);
  });

  it('uses the whole alphabet for every character', () => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
    const seen = Array.from({ length: 16 }, () => new Set<string>());
    for (let count = 0; count < 3000; count++) {
      // Within a millisecond ids are counted on, so each gets one of its own.
      mock.timers.setTime(Date.now() + 1);
      const random = createId('req').slice(-16);
      for (const [place, characters] of seen.entries()) characters.add(random.charAt(place));
    }
    expect(seen.map(({ size }) => size)).toEqual(Array(16).fill(32));
  });
});
