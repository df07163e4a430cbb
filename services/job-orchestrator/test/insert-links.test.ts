import { CRAWL_DEFAULTS } from '@gleaner/contracts';
import { urlKey } from '@gleaner/frontier';
import type { Stores } from '@gleaner/storage';
import { expect, it } from '@jest/globals';
import { insertLinks } from '../src/crawl/insert-links.ts';
import { KnownKeys } from '../src/crawl/known-keys.ts';
import { PatternWatch } from '../src/crawl/pattern-watch.ts';
import { startTestBed } from './start-test-bed.ts';

const EXPIRES_AT = new Date(Date.now() + 60_000);
const placed = (path: string) => {
  const url = `http://a.test${path}`;
  return { url, key: urlKey(new URL(url)), depth: 1, foundOn: 'http://a.test/', hops: 0 };
};
const pathsOf = (count: number) => Array.from({ length: count }, (_, index) => `/p/${index}`);

it('counts links towards maxPerPattern only once their pages were added', async () => {
  await using bed = await startTestBed();
  await bed.startOrchestrator();
  const { id } = await bed.create({ urls: ['http://a.test/'], crawl: { sitemap: 'skip' } });
  const places = pathsOf(60).map(placed);
  const terms = { ...CRAWL_DEFAULTS, maxPerPattern: 60 };
  const crawl = { id, terms, totalUrls: 1, hosts: ['a.test'], isBatched: false };
  const deps = { knownKeys: new KnownKeys(), patterns: new PatternWatch(), expiresAt: EXPIRES_AT };
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
  const next = await insertLinks(crawl, [placed('/p/60')], { ...deps, stores });
  expect(next.dropped).toEqual(new Map([['trap', 1]]));
});

it('counts no page twice towards maxPerPattern when keys are forgotten while links are looked up', async () => {
  await using bed = await startTestBed();
  await bed.startOrchestrator();
  const { id } = await bed.create({ urls: ['http://a.test/'], crawl: { sitemap: 'skip' } });
  const { stores } = bed;
  const terms = { ...CRAWL_DEFAULTS, maxPerPattern: 60 };
  const crawl = { id, terms, totalUrls: 1, hosts: ['a.test'], isBatched: false };
  const deps = {
    stores,
    patterns: new PatternWatch(),
    expiresAt: EXPIRES_AT,
    // Half of them are forgotten again and again.
    knownKeys: new KnownKeys(20),
  };
  const places = pathsOf(60).map(placed);
  for (let end = 10; end <= places.length; end += 10) {
    const links = places.slice(0, end);
    const { admitted, dropped, indexes } = await insertLinks(crawl, links, deps);
    expect([admitted, dropped.size]).toEqual([10, 0]);
    expect([...indexes.keys()].toSorted()).toEqual(links.map(({ key }) => key).toSorted());
  }
  expect((await stores.jobs.findProgress([id]))[0]?.crawl?.closedPatterns ?? []).toEqual([]);
});
