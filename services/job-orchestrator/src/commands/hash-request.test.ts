import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashesOf } from './hash-request.ts';

const REQUEST = { urls: ['http://a.test/1', 'http://a.test/2'], selectors: { title: 'h1', price: '.price' } };

describe('the hashes of a request', () => {
  it('are canonical whatever the order of keys, at any depth', () => {
    const reordered = { selectors: { price: '.price', title: 'h1' }, urls: REQUEST.urls };
    expect(hashesOf(reordered).canonical).toBe(hashesOf(REQUEST).canonical);
    expect(hashesOf(reordered).asWritten).not.toBe(hashesOf(REQUEST).asWritten);
  });

  it('differ for other values, and for another order of URLs', () => {
    const others = [
      { ...REQUEST, urls: REQUEST.urls.toReversed() },
      { ...REQUEST, selectors: { title: 'h2', price: '.price' } },
      { ...REQUEST, timeout: 1000 },
    ];
    const hashes = [REQUEST, ...others].map((request) => hashesOf(request).canonical);
    expect(new Set(hashes).size).toBe(4);
  });

  it('include the hash that older jobs were stored with', () => {
    const older = createHash('sha256').update(JSON.stringify(REQUEST)).digest('hex');
    expect(hashesOf(REQUEST).asWritten).toBe(older);
  });
});
