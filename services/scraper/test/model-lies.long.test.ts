import { fuzzSeeds, readShop } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findUntrueValues } from './find-untrue-values.ts';
import { type ModelScraper, startModelScraper } from './start-model-scraper.ts';

let bed: ModelScraper;

beforeAll(async () => {
  bed = await startModelScraper(readShop);
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a thousand pages read by models that lie', () => {
  it.each(fuzzSeeds(5))(
    'return no value that is not on the page, with seed %i',
    async (seed) => {
      const { untrue, values } = await findUntrueValues(bed, { seed, pages: 200 });
      expect(untrue).toEqual([]);
      expect(values).toBeGreaterThan(400);
    },
    1_200_000,
  );
});
