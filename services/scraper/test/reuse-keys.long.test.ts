import { fuzzSeeds } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { findWrongKeys } from './reuse-keys.ts';

describe('keys of pages that are kept for maxAge', () => {
  it.each(fuzzSeeds(5))(
    'are equal for requests whose page is the same, and for no others: seed %d',
    (seed) => {
      expect(findWrongKeys(seed, 20_000)).toEqual([]);
    },
  );
});
