import type { ScrapeOptions } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { coveredPrice, hashTerms } from './charge-pages.ts';

describe('hashTerms', () => {
  it('differs with the part of the page that a format is read from', () => {
    const hashOf = (options: ScrapeOptions, rule: Pick<ScrapeOptions, 'formats'> = {}) =>
      hashTerms(options, { rules: [{ match: '/a', ...rule }] });
    const hashes = [
      hashOf({ formats: ['text'] }),
      hashOf({ formats: [{ type: 'text', main: true }] }),
      hashOf({ formats: [{ type: 'text', main: true, exclude: '.ads' }] }),
      hashOf({ formats: ['text'] }, { formats: [{ type: 'text', main: true }] }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashOf({ formats: [{ main: true, type: 'text' }] })).toBe(hashes[1]);
  });
});

describe('coveredPrice', () => {
  it('leaves out a proxy that a profile has gained since the job was told its price', () => {
    expect(coveredPrice({ base: 1, proxy: 5 }, { creditsPerPage: 1 })).toEqual({ base: 1 });
    expect(coveredPrice({ base: 1, proxy: 5 }, { creditsPerPage: 6 })).toEqual({ base: 1, proxy: 5 });
    expect(coveredPrice({ base: 1, render: 4 }, { creditsPerPage: 10 })).toEqual({ base: 1, render: 4 });
  });
});
