import { describe, expect, it } from '@jest/globals';
import { crawlFrom, crawlOfList, patternOf } from './crawl-from.ts';

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
  it('has the selectors in a rule, the options for all pages, and no results of other pages', () => {
    const request = { url: 'https://shop.example/books/emma', render: true, selectors: { title: 'h1' } };
    expect(crawlFrom(request)).toEqual({
      url: request.url,
      render: true,
      crawl: {
        limit: 100,
        rules: [
          { match: '/books/*', selectors: { title: 'h1' } },
          { match: '**', keep: false },
        ],
      },
    });
  });
});

describe('crawlOfList', () => {
  it('goes from the page to the next one alone', () => {
    const request = { url: 'https://shop.example/', selectors: { books: '.book::all' } };
    expect(crawlOfList(request, 'a.next')).toEqual({
      ...request,
      crawl: { limit: 100, sitemap: 'skip', rules: [{ match: '**', follow: false, next: 'a.next' }] },
    });
  });
});
