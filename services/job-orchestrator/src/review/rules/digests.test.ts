import { describe, expect, it } from '@jest/globals';
import { Digests } from './digests.ts';

const record = (key: string) => ({ key, url: 'https://a.test/', values: [], isRemoved: false });
const found = (...keys: string[]) => ({ records: keys.map(record), more: 0 });
const DAY = { digest: 86_400_000 };

describe('a digest', () => {
  it('waits from its first record on, and tells of all at its end', () => {
    const first = new Digests(1000).gather(DAY, found('A'), undefined);
    expect(first).toEqual({ told: undefined, waiting: { since: 1000, ...found('A') } });
    const second = new Digests(5000).gather(DAY, { ...found('B'), more: 2 }, first.waiting);
    expect(second.waiting).toEqual({ since: 1000, ...found('A', 'B'), more: 2 });
    const last = new Digests(86_401_000).gather(DAY, found(), second.waiting);
    expect(last).toEqual({ told: { ...found('A', 'B'), more: 2 }, waiting: undefined });
  });

  it('begins again where the clock was set back, and does not wait for it', () => {
    const waiting = { since: 900_000_000, ...found('A') };
    const back = new Digests(1000).gather(DAY, found('B'), waiting);
    expect(back.waiting).toEqual({ since: 1000, ...found('A', 'B') });
    expect(new Digests(86_401_000).gather(DAY, found(), back.waiting).told).toEqual(found('A', 'B'));
  });

  it('does not begin without a record, and ends at once when it is given up', () => {
    expect(new Digests(1000).gather(DAY, found(), undefined)).toEqual({
      told: undefined,
      waiting: undefined,
    });
    const waiting = { since: 1000, ...found('A') };
    expect(new Digests(1001).gather({}, found('B'), waiting).told).toEqual(found('A', 'B'));
    expect(new Digests(1001).gather({}, found('B'), undefined).told).toEqual(found('B'));
  });

  it('counts the records beyond a thousand, and beyond the room of a schedule', () => {
    const many = found(...Array.from({ length: 1500 }, (_, index) => `Book ${index}`));
    const digests = new Digests(0);
    expect(digests.gather(DAY, many, undefined).waiting).toMatchObject({
      records: { length: 1000 },
      more: 500,
    });
    const large = found(...Array.from({ length: 1000 }, (_, index) => `${index}${'x'.repeat(5000)}`));
    const { waiting } = digests.gather(DAY, large, undefined);
    expect(waiting?.records.length).toBeLessThan(200);
    expect((waiting?.records.length ?? 0) + (waiting?.more ?? 0)).toBe(1000);
  });
});
