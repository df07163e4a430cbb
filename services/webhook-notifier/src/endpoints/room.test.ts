import { describe, expect, it } from '@jest/globals';
import { fitsInMemory, hasRoom, weightOf } from './room.ts';

const NOBODY = { proven: 0, unknown: 0, failing: 0 };
const KIB = 1024;
const MIB = 1024 * KIB;

describe('the room of a notifier', () => {
  it.each([
    ['proven', NOBODY, true],
    ['unknown', NOBODY, true],
    ['failing', NOBODY, true],
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
      expect(hasRoom(standing, NOBODY, 1)).toBe(true);
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
