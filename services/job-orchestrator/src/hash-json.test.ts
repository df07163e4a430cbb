import { describe, expect, it } from '@jest/globals';
import { hashJson } from './hash-json.ts';

const REQUEST = { urls: ['http://a.test/1', 'http://a.test/2'], selectors: { title: 'h1', price: '.price' } };

describe('hashJson', () => {
  it('is the same in any order of keys, at any depth', () => {
    const reordered = { selectors: { price: '.price', title: 'h1' }, urls: REQUEST.urls };
    expect(JSON.stringify(reordered)).not.toBe(JSON.stringify(REQUEST));
    expect(hashJson(reordered)).toEqual(hashJson(REQUEST));
  });

  it('differs for other values, and for another order of entries', () => {
    const others = [
      { ...REQUEST, urls: REQUEST.urls.toReversed() },
      { ...REQUEST, selectors: { title: 'h2', price: '.price' } },
      { ...REQUEST, timeout: 1000 },
    ];
    const hashes = [REQUEST, ...others].map((request) => hashJson(request).toString('hex'));
    expect(new Set(hashes).size).toBe(4);
  });
});
