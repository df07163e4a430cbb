import type { CrawlScope } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createScope, placeOf } from './crawl-filter.ts';

const isInside = (scope: CrawlScope, start: string, url: string) =>
  createScope(scope, [placeOf(scope, new URL(start))])(new URL(url));

describe('createScope', () => {
  it.each<[CrawlScope, string, string, boolean]>([
    ['path', 'https://a.test/docs/', 'https://a.test/docs/x', true],
    ['path', 'https://a.test/docs', 'https://a.test/docs/x', true],
    ['path', 'https://a.test/docs', 'https://a.test/docs', true],
    ['path', 'https://a.test/docs', 'https://a.test/docs2', false],
    ['path', 'https://a.test/docs/index.html', 'https://a.test/docs/x.html', true],
    ['path', 'https://a.test/docs/', 'https://a.test/', false],
    ['path', 'https://a.test/docs/', 'https://b.test/docs/x', false],
    ['host', 'https://a.test/docs/', 'http://a.test/', true],
    ['host', 'https://a.test/', 'https://www.a.test/', false],
    ['host', 'https://a.test/', 'https://a.test:8443/', false],
    ['domain', 'https://shop.example.co.uk/', 'https://www.example.co.uk/', true],
    ['domain', 'https://shop.example.co.uk/', 'https://other.co.uk/', false],
    ['domain', 'https://one.github.io/', 'https://two.github.io/', false],
    ['domain', 'http://127.0.0.1/', 'http://127.0.0.1:8080/', true],
    ['domain', 'http://127.0.0.1/', 'http://127.0.0.2/', false],
    ['domain', 'http://localhost/', 'http://localhost/x', true],
    ['any', 'https://a.test/', 'https://b.example/', true],
  ])('%s of %s contains %s: %s', (scope, start, url, expected) => {
    expect(isInside(scope, start, url)).toBe(expected);
  });

  it('contains the places of all start URLs', () => {
    const contains = createScope('host', ['a.test', 'b.test']);
    expect(
      ['https://a.test/x', 'https://b.test/y', 'https://c.test/'].map((url) => contains(new URL(url))),
    ).toEqual([true, true, false]);
  });
});
