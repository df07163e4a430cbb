import { describe, expect, it } from '@jest/globals';
import { pricedPartOf } from './priced-part-of.ts';

const urls = ['https://shop.example/'];

describe('the part of a request that its price depends on', () => {
  it('leaves out what may be half typed', () => {
    const request = { name: 'A', selectors: { a: 'h1::' }, waitFor: '.ca(', headers: { a: '\n' } };
    expect(pricedPartOf({ ...request, antiBot: true, screenshot: { format: 'jp' } }, urls)).toEqual({
      urls,
      antiBot: true,
      waitFor: 0,
      screenshot: true,
    });
  });

  it('has the bounds of a crawl, and not its patterns', () => {
    const crawl = { limit: 5, maxCredits: 9, include: ['(('] };
    expect(pricedPartOf({ crawl }, urls)).toEqual({ urls, crawl: { limit: 5, maxCredits: 9 } });
  });

  it('is left out without URLs, and with more than are sent at every change', () => {
    expect(pricedPartOf({}, [])).toBeUndefined();
    expect(pricedPartOf({}, Array(1001).fill(urls[0]))).toBeUndefined();
  });
});
