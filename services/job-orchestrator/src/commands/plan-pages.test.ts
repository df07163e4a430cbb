import { expect, it } from '@jest/globals';
import { planPages } from './plan-pages.ts';

it('plans a page for each URL', async () => {
  expect(await planPages({ urls: ['http://a.test/1', 'http://b.test:81/'] })).toEqual({
    pages: [
      { index: 0, url: 'http://a.test/1', host: 'a.test' },
      { index: 1, url: 'http://b.test:81/', host: 'b.test:81' },
    ],
    distinctUrls: undefined,
  });
});

it('makes later entries of a URL copies of the first, each as it was given', async () => {
  const urls = ['http://a.test/', 'http://b.test/', 'http://A.test', 'http://a.test/#top'];
  expect(await planPages({ urls })).toEqual({
    pages: [
      { index: 0, url: urls[0], host: 'a.test', copies: 2 },
      { index: 1, url: urls[1], host: 'b.test' },
      { index: 2, url: urls[2], host: 'a.test', copyOf: 0 },
      { index: 3, url: urls[3], host: 'a.test', copyOf: 0 },
    ],
    distinctUrls: 2,
  });
});

it('fetches each fragment when a browser may get it', async () => {
  const urls = ['http://a.test/#/1', 'http://a.test/#/2', 'http://a.test/#/1'];
  const { pages, distinctUrls } = await planPages({ urls, render: true });
  expect(pages.map(({ copyOf }) => copyOf)).toEqual([undefined, undefined, 0]);
  expect(distinctUrls).toBe(2);
});
