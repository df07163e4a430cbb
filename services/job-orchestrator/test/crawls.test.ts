import type { CrawlOptions, PageResult } from '@gleaner/contracts';
import { readResults } from '@gleaner/storage';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelJob } from '../src/commands/cancel-job.ts';
import type { ScriptedScraper } from './scripted-scraper.ts';
import { crawling, type ScriptedSite } from './scripted-site.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  await bed.startOrchestrator();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Crawls a site from its home page until the job has finished. */
async function crawl(
  site: ScriptedSite,
  options: CrawlOptions = {},
  status: 'completed' | 'partial' | 'failed' = 'completed',
) {
  scraper.follow(crawling(site));
  const { id } = await bed.create({ urls: ['http://a.test/'], crawl: { sitemap: 'skip', ...options } });
  const job = await bed.untilJob(id, status);
  const results: PageResult[] = [];
  const pages = readResults({ id }, { limit: 10_000, offset: 0 }, bed.stores);
  for await (const texts of pages) results.push(...texts.map((text) => JSON.parse(text) as PageResult));
  return { id, job, results, paths: results.map(({ url }) => url.replace('http://a.test', '')) };
}

/** Returns the number of times that a path was fetched. */
function fetchesOf(path: string): number {
  return scraper.commands.filter(({ request }) => request.url === `http://a.test${path}`).length;
}

const links = (...paths: string[]) => ({ links: paths });

/** A list of pages in a row, each of which links to the next. */
function chain(length: number): ScriptedSite['pages'] {
  const paths = Array.from({ length }, (_, index) => (index === 0 ? '/' : `/${index}`));
  return Object.fromEntries(paths.map((path, index) => [path, links(...paths.slice(index + 1, index + 2))]));
}

describe('a crawl', () => {
  it('fetches every page that links lead to once, and says where it found it', async () => {
    const { job, results } = await crawl({
      pages: {
        '/': links('/a', '/b', '/a?utm_source=x'),
        '/a': links('/b', '/c', '/'),
        '/b': links('/a'),
        '/c': links('http://elsewhere.test/'),
      },
    });
    expect(results).toMatchObject([
      { url: 'http://a.test/', depth: 0 },
      { url: 'http://a.test/a', depth: 1, foundOn: 'http://a.test/' },
      { url: 'http://a.test/b', depth: 1, foundOn: 'http://a.test/' },
      { url: 'http://a.test/c', depth: 2, foundOn: 'http://a.test/a' },
    ]);
    expect(job).toMatchObject({
      totalUrls: 4,
      completedUrls: 4,
      failedUrls: 0,
      creditsUsed: 4,
      crawl: { fetched: 4, waiting: 0, running: 0, depth: 2, hosts: 1, dropped: { outOfScope: 1 } },
    });
    expect(['/', '/a', '/b', '/c'].map(fetchesOf)).toEqual([1, 1, 1, 1]);
  });

  it('fetches pages that are linked by http and by https once, and follows redirects between the two', async () => {
    const { paths, job } = await crawl({
      pages: {
        '/': links('http://a.test/a', 'https://a.test/a', 'https://a.test/', '/b'),
        '/a': links('https://a.test/b', 'http://a.test:80/c', 'https://a.test:443/c'),
        '/b': { redirect: 'https://a.test/a' },
        '/c': links('https://a.test/'),
      },
    });
    expect(paths).toEqual(['/', '/a', '/c']);
    expect(job.crawl).toMatchObject({ fetched: 3, skipped: { redirect: 1 } });
  });

  it('ends at its limit, and skips the pages that are left', async () => {
    const paths = Array.from({ length: 60 }, (_, index) => `/p${index}`);
    const pages = Object.fromEntries(paths.map((path) => [path, links()]));
    const { job, results } = await crawl({ pages: { '/': links(...paths), ...pages } }, { limit: 25 });
    expect(results).toHaveLength(25);
    expect(scraper.commands.filter(({ crawl: of }) => of?.purpose === 'page')).toHaveLength(25);
    expect(job).toMatchObject({
      totalUrls: 61,
      completedUrls: 61,
      creditsUsed: 25,
      crawl: { fetched: 25, stoppedBy: 'limit', skipped: { limit: 36 } },
    });
  });

  it('reaches its limit although some pages give their place back', async () => {
    const files = Array.from({ length: 10 }, (_, index) => `/f${index}.png`);
    const paths = Array.from({ length: 20 }, (_, index) => `/p${index}`);
    const pages = Object.fromEntries([
      ...files.map((path) => [path, { file: 'image/png' }]),
      ...paths.map((path) => [path, links()]),
    ]);
    const { job } = await crawl({ pages: { '/': links(...files, ...paths), ...pages } }, { limit: 15 });
    expect(job.crawl).toMatchObject({ fetched: 15, stoppedBy: 'limit', skipped: { notDocument: 10 } });
  });

  it('goes no deeper than maxDepth over any number of next pages', async () => {
    const { paths } = await crawl({ pages: chain(8) }, { maxDepth: 3 });
    expect(paths).toEqual(['/', '/1', '/2', '/3']);
    const list = { '/': links('>/2', '/a'), '/2': links('>/3', '/b'), '/3': links('/c') };
    const leaves = { '/a': links('/x'), '/b': links(), '/c': links(), '/x': links() };
    const second = await crawl(
      { pages: { ...list, ...leaves } },
      { maxDepth: 1, rules: [{ match: '/', next: 'a.next' }] },
    );
    expect(second.paths.toSorted()).toEqual(['/', '/2', '/3', '/a', '/b', '/c']);
  });

  it('ends when its next page would cost more than maxCredits', async () => {
    const { job } = await crawl({ pages: chain(20) }, { maxCredits: 7, maxDepth: 100 });
    expect(job).toMatchObject({ creditsUsed: 7, crawl: { stoppedBy: 'credits', fetched: 7 } });
  });

  it('applies the first rule that matches', async () => {
    scraper.follow(
      crawling({ pages: { '/': links('/list', '/item'), '/list': links('/item2'), '/item': links('/x') } }),
    );
    const rules = [
      { match: '/', keep: false },
      { match: '/list', follow: ['.card'], formats: ['text' as const] },
      { match: '/item*', follow: false, selectors: { name: 'h1' } },
    ];
    const { results, job } = await crawl(
      {
        pages: {
          '/': links('/list', '/item'),
          '/list': links('/item2'),
          '/item': links('/x'),
          '/item2': links(),
        },
      },
      { rules },
    );
    expect(results.map(({ url, rule }) => [url, rule])).toEqual([
      ['http://a.test/list', 1],
      ['http://a.test/item', 2],
      ['http://a.test/item2', 2],
    ]);
    expect(job).toMatchObject({ creditsUsed: 4, crawl: { fetched: 4 } });
    const requests = new Map(
      scraper.commands.map(({ request, crawl: of }) => [request.url, { request, of }]),
    );
    expect(requests.get('http://a.test/list')).toMatchObject({
      request: { formats: ['text'] },
      of: { follow: ['.card'] },
    });
    expect(requests.get('http://a.test/item')).toMatchObject({
      request: { selectors: { name: 'h1' } },
      of: { follow: false },
    });
  });

  it('follows a start page that neither include nor a rule names, and does not keep it', async () => {
    const site = {
      pages: { '/': links('/books/1', '/about'), '/books/1': links(), '/about': links() },
    };
    const { paths, job } = await crawl(site, { include: ['/books/*'] });
    expect(paths).toEqual(['/books/1']);
    expect(job).toMatchObject({ totalUrls: 2, completedUrls: 2, creditsUsed: 2 });
    expect(job.crawl).toMatchObject({ fetched: 2, results: 1, dropped: { excluded: 1 } });
    const named = await crawl(site, { include: ['/books/*'], rules: [{ match: '/' }] });
    expect(named.paths).toEqual(['/', '/books/1']);
    const moved = await crawl(
      { pages: { ...site.pages, '/': { redirect: '/home' }, '/home': links('/books/1') } },
      {
        include: ['/books/*'],
      },
    );
    expect(moved.paths).toEqual(['/books/1']);
    expect((await crawl(site, { exclude: ['/about'] })).paths).toEqual(['/', '/books/1']);
  });

  it('warns of patterns that matched nothing, and of no others', async () => {
    const { job } = await crawl(
      { pages: { '/': links('/größe/1', '/b', '/cut'), '/gr%C3%B6%C3%9Fe/1': links(), '/b': links() } },
      {
        include: ['/', '/größe/*', '/b', '/missing/*'],
        exclude: ['/cut', { regex: 'nowhere' }],
        rules: [{ match: '/größe/1' }, { match: '/unseen' }],
      },
    );
    expect(job.crawl).toMatchObject({ fetched: 3, dropped: { excluded: 1 } });
    expect(job.crawl?.warnings).toEqual([
      {
        code: 'PATTERN_UNMATCHED',
        message: expect.stringContaining(
          'matched crawl.include.3 "/missing/*", crawl.exclude.1 "nowhere", crawl.rules.1.match "/unseen".',
        ),
      },
    ]);
  });

  it('says what the start page links to where no link of it is included', async () => {
    const { job } = await crawl({ pages: { '/': links('/a', '/b') } }, { include: ['/books/**'] });
    expect(job.crawl?.warnings?.[0]).toEqual({
      code: 'PATTERN_UNMATCHED',
      message:
        'The page http://a.test/ has no link that matches crawl.include. It links to http://a.test/a, http://a.test/b.',
    });
  });

  it('fetches the target of redirects once, and follows a start URL to another host', async () => {
    const { paths, job } = await crawl({
      pages: {
        '/': links('/old', '/older'),
        '/old': { redirect: '/new' },
        '/older': { redirect: '/new' },
        '/new': links(),
      },
    });
    expect(paths).toEqual(['/', '/new']);
    expect(job.crawl).toMatchObject({ fetched: 2, skipped: { redirect: 2 } });
    scraper.follow(({ body }) =>
      body.request.url === 'http://a.test/'
        ? { kind: 'redirected', url: 'http://www.a.test/' }
        : crawling({ pages: { '/': links('/x'), '/x': links() } })({ body } as never),
    );
    const { id } = await bed.create({ urls: ['http://a.test/'], crawl: { sitemap: 'skip' } });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ crawl: { fetched: 2, hosts: 2 } });
  });

  it('fails pages that redirect in a circle', async () => {
    const { job, results } = await crawl(
      { pages: { '/': { redirect: '/a' }, '/a': { redirect: '/b' }, '/b': { redirect: '/a' } } },
      {},
      'failed',
    );
    expect(results).toMatchObject([{ error: { code: 'UPSTREAM_ERROR' } }]);
    expect(job.creditsUsed).toBe(0);
  });

  it.each([
    ['this process', false],
    ['another process', true],
  ])(
    'is cancelled with the pages that were being added at that moment, which %s cancels',
    async (_who, isOther) => {
      scraper.follow(() => undefined);
      const { id: jobId } = await bed.create({ urls: ['http://a.test/'], crawl: { sitemap: 'skip' } });
      await bed.untilJob(jobId, 'running');
      const late = {
        index: 1,
        url: 'http://a.test/late',
        host: 'a.test',
        crawled: { key: 'late', depth: 1 },
      };
      let rounds = 0;
      const pages: TestBed['stores']['pages'] = {
        ...bed.stores.pages,
        // Another orchestrator stores a link after the pages have been cancelled.
        async tallyPages(...parameters) {
          rounds += 1;
          if (rounds === 1)
            await bed.stores.pages.insertCrawlPages(jobId, [late], new Date(Date.now() + 60_000));
          const part = await bed.stores.pages.tallyPages(...parameters);
          if (rounds === 1 && isOther) await bed.stores.pages.cancelSome(jobId, 1, new Date());
          return part;
        },
      };
      const finisher = bed.finisher({ stores: { ...bed.stores, pages } });
      const job = await cancelJob({ type: 'cancel', jobId, accountId: bed.accountId }, { ...bed, finisher });
      expect(job).toMatchObject({ status: 'cancelled', completedAt: expect.any(String) });
      // The start page, its robots.txt, and the page that was added.
      expect(await bed.stores.pages.countPages(jobId)).toMatchObject({ waiting: 0, cancelled: 3 });
    },
  );

  it('completes although linked pages do not exist, but not if its start page does not', async () => {
    const { job, results } = await crawl({ pages: { '/': links('/gone') } });
    expect(results[1]).toMatchObject({ url: 'http://a.test/gone', error: { code: 'NOT_FOUND' }, depth: 1 });
    expect(job).toMatchObject({ failedUrls: 0, creditsUsed: 1, crawl: { notFound: 1, fetched: 2 } });
    const failure = await crawl({ pages: {} }, {}, 'failed');
    expect(failure.results).toMatchObject([{ error: { code: 'NOT_FOUND' } }]);
  });
});

describe('robots.txt', () => {
  const site = { '/': links('/open', '/secret'), '/open': links(), '/secret': links() };
  const denied = { rules: [{ isAllowed: false, pattern: '/secret' }] };

  it('is read before any page, and obeyed', async () => {
    const { paths, job } = await crawl({ pages: site, robots: denied });
    expect(scraper.commands[0]?.request.url).toBe('http://a.test/robots.txt');
    expect(paths).toEqual(['/', '/open']);
    expect(fetchesOf('/secret')).toBe(0);
    expect(job).toMatchObject({ totalUrls: 3, completedUrls: 3, crawl: { skipped: { robots: 1 } } });
  });

  it('is not read when it is ignored', async () => {
    const { paths } = await crawl({ pages: site, robots: denied }, { robots: 'ignore' });
    expect(paths).toEqual(['/', '/open', '/secret']);
    expect(fetchesOf('/robots.txt')).toBe(0);
  });

  it('fails start URLs that it disallows, and all of them if it cannot be read', async () => {
    const all = { rules: [{ isAllowed: false, pattern: '/' }] };
    const { results } = await crawl({ pages: site, robots: all }, {}, 'failed');
    expect(results).toMatchObject([{ error: { code: 'ROBOTS_DENIED' } }]);
    expect(fetchesOf('/')).toBe(0);
  });

  it('keeps a site from being crawled if it cannot be read', async () => {
    const { results, job } = await crawl({ pages: site, robots: 'fails' }, {}, 'failed');
    expect(results).toMatchObject([{ error: { code: 'ROBOTS_DENIED' } }]);
    expect(job.crawl?.warnings).toMatchObject([{ code: 'ROBOTS_UNREACHABLE' }]);
    const { paths } = await crawl({ pages: site });
    expect(paths).toEqual(['/', '/open', '/secret']);
  });

  it('names the sitemaps, whose pages have depth 1', async () => {
    const { results, job } = await crawl(
      {
        pages: { '/': links('/a'), '/a': links(), '/hidden': links() },
        robots: { sitemaps: ['http://a.test/index.xml', 'http://a.test/none.xml'] },
        sitemaps: {
          '/index.xml': { sitemaps: ['/pages.xml', '/index.xml'] },
          '/pages.xml': { urls: ['/a', '/hidden'] },
        },
      },
      { sitemap: 'include' },
    );
    expect(results.map(({ url, depth }) => [url, depth]).toSorted()).toEqual([
      ['http://a.test/', 0],
      ['http://a.test/a', 1],
      ['http://a.test/hidden', 1],
    ]);
    expect(job).toMatchObject({ totalUrls: 3, creditsUsed: 3 });
  });

  it('lets start URLs that it disallows count towards the limit', async () => {
    const pages = Object.fromEntries(['/a', '/b', '/c', '/d'].map((path) => [path, links()]));
    const { results } = await crawl(
      {
        pages: { '/': links(), ...pages },
        robots: { rules: [{ isAllowed: false, pattern: '/$' }], sitemaps: ['http://a.test/map.xml'] },
        sitemaps: { '/map.xml': { urls: Object.keys(pages) } },
      },
      { sitemap: 'include', limit: 3 },
      'partial',
    );
    expect(results).toHaveLength(3);
  });

  it('sets the pace of a site by its Crawl-delay', async () => {
    const startsAtMs: number[] = [];
    const pausesMs: (number | undefined)[] = [];
    const answer = crawling({ pages: chain(4), robots: { crawlDelayMs: 300 } });
    scraper.follow((work) => {
      if (work.body.crawl?.purpose === 'page') startsAtMs.push(performance.now());
      if (work.body.crawl?.purpose === 'page') pausesMs.push(work.body.pauseMs);
      return answer(work);
    });
    const { id } = await bed.create({ urls: ['http://a.test/'], crawl: { sitemap: 'skip' } });
    await bed.untilJob(id, 'completed');
    const gaps = startsAtMs.slice(1).map((atMs, index) => atMs - (startsAtMs[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(299);
    expect(new Set(pausesMs)).toEqual(new Set([300]));
  });
});
