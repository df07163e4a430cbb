import { describe, expect, it } from '@jest/globals';
import { countFetchedUrls, fetchedUrl } from './fetched-url.ts';

describe('the URL that is fetched', () => {
  it.each([
    ['HTTP://A.test:80', 'http://a.test/'],
    ['http://a.test/x/../y#top', 'http://a.test/y'],
    ['http://a.test/#', 'http://a.test/'],
    ['https://a.test/a b?q=ü', 'https://a.test/a%20b?q=%C3%BC'],
  ])('of %s is %s', (given, fetched) => {
    expect(fetchedUrl(given, {})).toBe(fetched);
  });

  it.each([
    ['http://a.test/', 'http://a.test'],
    ['http://a.test/?b=1&a=2', 'http://a.test/?a=2&b=1'],
    ['http://a.test/', 'https://a.test/'],
    ['http://a.test/x', 'http://a.test/x/'],
    ['http://a.test/X', 'http://a.test/x'],
    ['http://a.test/?utm_source=b', 'http://a.test/'],
    ['http://a.test/%7Ea', 'http://a.test/~a'],
  ])('tells %s and %s apart unless a server gets the same request', (one, other) => {
    const isSame = one === 'http://a.test/' && other === 'http://a.test';
    expect(fetchedUrl(one, {}) === fetchedUrl(other, {})).toBe(isSame);
  });

  it('keeps the fragment where a browser may get it', async () => {
    const urls = ['http://a.test/#/1', 'http://a.test/#/2'];
    expect(await countFetchedUrls({ urls })).toBe(1);
    for (const options of [
      { render: true },
      { render: 'auto' as const },
      { waitFor: 10 },
      { screenshot: true },
      { antiBot: true },
    ]) {
      expect(await countFetchedUrls({ urls, ...options })).toBe(2);
    }
    const posted = { antiBot: true, repeatable: true, json: {} };
    expect(await countFetchedUrls({ urls, ...posted })).toBe(1);
  });

  it('tells requests apart by method and body', async () => {
    const requests = [
      { json: { q: 1 } },
      { json: { q: 1 }, method: 'POST' as const },
      { body: '{"q":1}' },
      { json: { q: 2 } },
      { form: { q: 1 } },
      {},
      { method: 'GET' as const },
      { method: 'DELETE' as const },
    ];
    const urls = requests.map((_, index) => `http://a.test/#${index}`);
    expect(await countFetchedUrls({ urls, requests })).toBe(6);
  });
});
