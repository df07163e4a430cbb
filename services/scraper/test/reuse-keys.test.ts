import { reuseKeyOf } from '@gleaner/contracts';
import { fuzzSeeds } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { findWrongKeys } from './reuse-keys.ts';

describe('keys of pages that are kept for maxAge', () => {
  it.each(fuzzSeeds(3))(
    'are equal for requests whose page is the same, and for no others: seed %d',
    (seed) => {
      expect(findWrongKeys(seed, 2000)).toEqual([]);
    },
  );

  it('do not depend on how headers are written', () => {
    const keyOf = (headers: Record<string, string>) =>
      reuseKeyOf({ url: 'http://a.test', maxAge: 1, headers }, 'acc_1');
    expect(keyOf({ 'X-A': '1', accept: '2' })).toBe(keyOf({ Accept: '2', 'x-a': '1' }));
    expect(keyOf({ 'X-A': '1' })).not.toBe(keyOf({ 'X-A': '1', 'x-a': '2' }));
  });
});
