import type { ScrapeOptions } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { hashTerms } from './charge-pages.ts';

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
