import type { CrawlFilter } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { compileFilter, namePatterns } from './crawl-filter.ts';

const FILTER: CrawlFilter = {
  scope: 'host',
  places: ['a.test'],
  include: ['/books/**'],
  exclude: ['**?*sort=*'],
  rules: ['/books/*/reviews', '/books/*'],
  obeysNofollow: true,
};
const filter = compileFilter(FILTER);

describe('compileFilter', () => {
  it.each([
    ['https://b.test/books/1', { droppedBecause: 'outOfScope' }],
    ['https://a.test/cart', { droppedBecause: 'excluded' }],
    ['https://a.test/books/1?sort=up', { droppedBecause: 'excluded' }],
    ['https://a.test/books/x/x/x/x/x', { droppedBecause: 'trap' }],
    ['https://a.test/books/1', { link: { rule: 1 } }],
    ['https://a.test/books/1/reviews', { link: { rule: 0 } }],
  ])('decides about %s', (url, expected) => {
    expect(filter.admit(new URL(url))).toMatchObject(expected);
  });

  it('names no rule of a page that none matches', () => {
    expect(filter.admit(new URL('https://a.test/books/1/2'))).toEqual({
      link: { url: 'https://a.test/books/1/2', key: expect.any(String) },
      patterns: [0],
    });
  });

  it('admits start URLs that the patterns leave out', () => {
    const start = { link: { url: 'https://b.test/' }, patterns: [], isOnlyFollowed: true };
    expect(filter.admitStart(new URL('https://b.test/'))).toMatchObject(start);
  });

  it.each<[string, Partial<CrawlFilter>, boolean]>([
    ['that include names', { include: ['/x', '/'] }, false],
    ['that a rule names', { include: ['/x'], rules: ['/'] }, false],
    ['that neither names', { include: ['/x'], rules: ['/y'] }, true],
    ['of a crawl without include', { rules: ['/y'] }, false],
  ])('follows a start URL %s, and keeps it or not', (_, patterns, isOnlyFollowed) => {
    const { admitStart } = compileFilter({ scope: 'any', places: [], obeysNofollow: true, ...patterns });
    expect(admitStart(new URL('https://a.test/'))).toMatchObject({ isOnlyFollowed });
  });

  it('names every pattern that matches a URL in scope, also where another one decides', () => {
    const of = (url: string) => filter.admit(new URL(url)).patterns;
    expect(of('https://a.test/books/1?sort=up')).toEqual([0, 1, 3]);
    expect(of('https://a.test/books/1/reviews?sort=up')).toEqual([0, 1]);
    expect(of('https://b.test/books/1')).toBeUndefined();
    expect(namePatterns(FILTER)).toEqual([
      'crawl.include.0 "/books/**"',
      'crawl.exclude.0 "**?*sort=*"',
      'crawl.rules.0.match "/books/*/reviews"',
      'crawl.rules.1.match "/books/*"',
    ]);
  });
});
