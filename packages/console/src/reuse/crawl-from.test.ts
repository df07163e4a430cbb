import { describe, expect, it } from '@jest/globals';
import { crawlFrom, patternOf } from './crawl-from.ts';

describe('patternOf', () => {
  it.each([
    ['https://shop.example/', '/'],
    ['https://shop.example/books', '/books*'],
    ['https://shop.example/books/emma?ref=home#top', '/books/*'],
    ['https://shop.example/books/', '/books/'],
    ['not a URL', '/'],
  ])('%p: %p', (url, pattern) => {
    expect(patternOf(url)).toBe(pattern);
  });
});

describe('crawlFrom', () => {
  it('has the selectors in a rule, and the options for all pages', () => {
    const request = { url: 'https://shop.example/books/emma', render: true, selectors: { title: 'h1' } };
    expect(crawlFrom(request)).toEqual({
      url: request.url,
      render: true,
      crawl: { limit: 100, rules: [{ match: '/books/*', selectors: { title: 'h1' } }] },
    });
  });
});
