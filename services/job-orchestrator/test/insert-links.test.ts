import { CRAWL_DEFAULTS } from '@gleaner/contracts';
import { urlKey } from '@gleaner/frontier';
import type { Stores } from '@gleaner/storage';
import { expect, it } from '@jest/globals';
import { insertLinks } from '../src/crawl/insert-links.ts';
import { KnownKeys } from '../src/crawl/known-keys.ts';
import { PatternWatch } from '../src/crawl/pattern-watch.ts';
import { startTestBed } from './start-test-bed.ts';

it('counts links towards maxPerPattern only once their pages were added', async () => {
  await using bed = await startTestBed();
  await bed.startOrchestrator();
  const { id } = await bed.create({ urls: ['http://a.test/'], crawl: { sitemap: 'skip' } });
  const paths = Array.from({ length: 60 }, (_, index) => `http://a.test/p/${index}`);
  const placed = (url: string) => ({
    url,
    key: urlKey(new URL(url)),
    depth: 1,
    foundOn: 'http://a.test/',
    hops: 0,
  });
  const places = paths.map(placed);
  const terms = { ...CRAWL_DEFAULTS, maxPerPattern: 60 };
  const crawl = { id, terms, totalUrls: 1, hosts: ['a.test'], isBatched: false };
  const deps = {
    knownKeys: new KnownKeys(),
    patterns: new PatternWatch(),
    expiresAt: new Date(Date.now() + 60_000),
  };
  let fails = true;
  const insertCrawlPages: Stores['pages']['insertCrawlPages'] = async (...pages) => {
    if (fails) throw new Error('The database is away.');
    return await bed.stores.pages.insertCrawlPages(...pages);
  };
  const stores = { ...bed.stores, pages: { ...bed.stores.pages, insertCrawlPages } };
  await expect(insertLinks(crawl, places, { ...deps, stores })).rejects.toThrow('away');
  fails = false;
  const inserted = await insertLinks(crawl, places, { ...deps, stores });
  expect([inserted.admitted, inserted.dropped.size]).toEqual([60, 0]);
  const next = await insertLinks(crawl, [placed('http://a.test/p/60')], { ...deps, stores });
  expect(next.dropped).toEqual(new Map([['trap', 1]]));
});
