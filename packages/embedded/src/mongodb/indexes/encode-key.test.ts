import { describe, expect, it } from '@jest/globals';
import { Double, Long, ObjectId } from 'bson';
import { compareValues } from '../bson/compare-values.ts';
import { encodeKey, fitKey, MAX_KEY_BYTES } from './encode-key.ts';

const NUMBERS: readonly unknown[] = [
  ...[0, -0, 1, -1, 1.5, -1.5, 1e300, -1e300, 5e-324, -5e-324, Number.NaN, Infinity, -Infinity, 2 ** 53],
  ...[new Double(1), Long.ONE, Long.fromNumber(-(2 ** 53)), 2 ** 63, -(2 ** 63)],
];

const VALUES: readonly unknown[] = [
  ...NUMBERS,
  ...[null, undefined, true, false, '', 'a', 'a\0', 'a\0b', 'a\u0001', 'ab', '\uffee', '😀'],
  ...[{}, { a: 1 }, { a: 1, b: 1 }, { b: 1 }, { a: 'x' }, [], [1], [1, 2], [[1]], [null]],
  ...[new Date(-1), new Date(0), new Date(8.64e15)],
  ...[new ObjectId('00'.repeat(12)), new ObjectId('ff'.repeat(12))],
];

describe('encodeKey', () => {
  it('orders all pairs of values as compareValues does, in either direction', () => {
    for (const left of VALUES) {
      for (const right of VALUES) {
        const order = Math.sign(compareValues(left, right));
        const pair = `${String(left)} and ${String(right)}`;
        const ascending = Buffer.compare(encodeKey([left, 1], [1, 1]), encodeKey([right, 1], [1, 1]));
        expect(`${pair}: ${ascending}`).toBe(`${pair}: ${order}`);
        const descending = Buffer.compare(encodeKey([left, 1], [-1, 1]), encodeKey([right, 1], [-1, 1]));
        expect(`${pair}: ${-descending + 0}`).toBe(`${pair}: ${order + 0}`);
      }
    }
  });

  it('lets a later field decide only where the earlier ones are equal', () => {
    const key = (...values: unknown[]) => encodeKey(values, [1, -1]);
    expect(Buffer.compare(key('a', 1), key('a', 2))).toBe(1);
    expect(Buffer.compare(key('a', 1), key('ab', 2))).toBe(-1);
  });
});

describe('fitKey', () => {
  it('cuts long keys so that different ones stay different', () => {
    const [a, b] = ['1', '2'].map((end) => fitKey(encodeKey([`${'x'.repeat(3000)}${end}`], [1])));
    expect(a?.isTruncated).toBe(true);
    expect(a?.bytes.length).toBeLessThanOrEqual(MAX_KEY_BYTES + 32);
    expect(a?.bytes.equals(b?.bytes as Buffer)).toBe(false);
    expect(fitKey(Buffer.alloc(10))).toEqual({ bytes: Buffer.alloc(10), isTruncated: false });
  });
});
