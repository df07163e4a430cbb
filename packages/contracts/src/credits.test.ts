import { describe, expect, it } from '@jest/globals';
import { priceOf, totalCredits, worstPriceOf } from './credits.ts';

const NOTHING_EXTRA = { render: false, screenshot: false, proxy: false, antiBot: false };

describe('priceOf', () => {
  it('charges one credit for a plain scrape', () => {
    expect(priceOf(NOTHING_EXTRA)).toEqual({ base: 1 });
  });

  it('adds each option that ran', () => {
    const price = priceOf({ render: true, screenshot: true, proxy: true, antiBot: true });
    expect(price).toEqual({ base: 1, render: 4, screenshot: 1, proxy: 5, antiBot: 10 });
    expect(totalCredits(price)).toBe(21);
  });
});

describe('worstPriceOf', () => {
  it.each([
    [{}, 1],
    [{ render: true }, 5],
    [{ render: 'auto' as const }, 5],
    [{ waitFor: 0 }, 5],
    [{ screenshot: true }, 6],
    [{ proxy: 'us' }, 6],
    [{ antiBot: true }, 15],
    [{ antiBot: true, screenshot: true, proxy: 'us' }, 21],
  ])('covers everything that can run with %j', (options, credits) => {
    expect(totalCredits(worstPriceOf(options))).toBe(credits);
  });
});
