import { describe, expect, it } from '@jest/globals';
import { compileFilter } from './crawl-filter.ts';

const filter = compileFilter({
  scope: 'host',
  places: ['a.test'],
  include: ['/books/**'],
  exclude: ['**?*sort=*'],
  rules: ['/books/*/reviews', '/books/*'],
  obeysNofollow: true,
});

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
    });
  });

  it('admits start URLs that the patterns leave out', () => {
    expect(filter.admitStart(new URL('https://b.test/'))).toMatchObject({ url: 'https://b.test/' });
  });
});
