import { describe, expect, it } from '@jest/globals';
import { createId } from './ids.ts';

describe('createId', () => {
  it('never gives the same identifier twice, and each has the form of a ULID', () => {
    const ids = Array.from({ length: 20_000 }, () => createId('req'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id))).toBe(true);
  });

  it('draws every character from the whole alphabet', () => {
    const seen = Array.from({ length: 16 }, () => new Set<string>());
    for (let count = 0; count < 3000; count++) {
      const random = createId('req').slice(-16);
      for (const [place, characters] of seen.entries()) characters.add(random.charAt(place));
    }
    expect(seen.map(({ size }) => size)).toEqual(Array(16).fill(32));
  });
});
