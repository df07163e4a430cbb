import type { Broker } from '@gleaner/broker';
import { createId, type MapReply, type MapRequest, type MapResult } from '@gleaner/contracts';
import {
  closureOf,
  eventually,
  type Origin,
  type OriginRoute,
  pageKey,
  type RunningSiteGraph,
  routesOf,
  startHostileSite,
  startOrigin,
  startSiteGraph,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

let scraper: TestScraper;
let broker: Broker;

beforeAll(async () => {
  scraper = await startTestScraper({ EGRESS_ALLOW: '127.0.0.1' });
  broker = await scraper.connect();
});
afterAll(async () => {
  await broker.close();
  await scraper[Symbol.asyncDispose]();
});

interface MapOptions {
  readonly requestId?: string;
  readonly timeoutMs?: number;
  readonly accountId?: string;
}

async function map(
  request: MapRequest,
  { requestId = createId('req'), timeoutMs = 50_000, accountId = 'acc_test' }: MapOptions = {},
): Promise<MapResult & Pick<MapReply, 'pages'>> {
  const command = { requestId, accountId, timeoutMs, request };
  const { mapJson, pages } = await broker.request('maps.commands', command, {
    timeoutMs: timeoutMs + 30_000,
  });
  return { ...JSON.parse(mapJson), pages };
}

describe('a map of a seeded site', () => {
  const graphs: RunningSiteGraph[] = [];
  afterAll(async () => {
    await Promise.all(graphs.map((graph) => graph.close()));
  });

  it.each([
    { seed: 11, depth: 0 },
    { seed: 11, depth: 1 },
    { seed: 11, depth: 2 },
    { seed: 12, depth: 1, sitemap: 'skip' },
    { seed: 13, depth: 2, sitemap: 'skip' },
    { seed: 14, depth: 2, scope: 'any', sitemap: 'skip' },
    { seed: 15, depth: 2, robots: 'ignore' },
    { seed: 16, depth: 2, exclude: ['/**1**'] },
  ] as const)('is its closure at %j', async ({ seed, depth, ...options }) => {
    const running = await startSiteGraph({ seed, size: 150 });
    graphs.push(running);
    const { graph } = running;
    const given = options as Pick<MapRequest, 'scope' | 'sitemap' | 'robots'> & { exclude?: string[] };
    const { urls, complete, stoppedBy, pages } = await map({
      url: running.urlOf(0),
      depth,
      limit: 50_000,
      ...given,
    });
    const closure = closureOf(graph, {
      ...(given as object),
      isMap: true,
      ...(depth === 0 ? { sitemap: 'only' as const, maxDepth: 1 } : { maxDepth: depth }),
    });
    const isRead = (entry: (typeof closure)[number]) => entry.depth < depth && entry.outcome !== 'denied';
    const isOther = new Set(['redirect', 'missing']);
    const listed = closure.filter((entry) => !(isRead(entry) && isOther.has(entry.outcome)));
    expect(urls.map(({ url }) => pageKey(url)).sort()).toEqual(listed.map(({ key }) => key).sort());
    expect([complete, stoppedBy]).toEqual([true, undefined]);
    expect(pages).toBe(closure.filter((entry) => isRead(entry) && entry.outcome === 'page').length);
  });

  it('requests nothing that robots.txt denies, and each page once', async () => {
    const running = await startSiteGraph({ seed: 21, size: 150 });
    graphs.push(running);
    await map({ url: running.urlOf(0), depth: 2 });
    const denied = new Set(
      closureOf(running.graph).flatMap(({ outcome, key }) => (outcome === 'denied' ? [key] : [])),
    );
    const keys = running.fetches.map(({ url }) => pageKey(url)).filter((key) => !key.includes('robots.txt'));
    expect(keys.filter((key) => denied.has(key))).toEqual([]);
    expect(keys).toHaveLength(new Set(keys).size);
  });
});

const LINKS = Array.from({ length: 30 }, (_none, index) => `<a href="/n/${index}">Number ${index}</a>`).join(
  '',
);
const SITE = {
  '/': '<title>Shop</title><p>Everything for tea and coffee.<a href=/emma><img src=/e.png></a><a href=/emma>Emma &amp; co</a><a href=/otto aria-label=Otto></a><a href=/away>x</a>',
  '/emma': '<title>Emma the kettle</title><a href=/deep>Deep</a>',
  '/otto': { body: '', status: 404 },
  '/away': { body: '', status: 302, headers: { location: '/emma' } },
  '/many': LINKS,
  '/alone': '<title>Alone</title><p>There is nothing else here.<a href="http://elsewhere.example/">Away</a>',
  '/shell':
    '<title>App</title><body><noscript>You need JavaScript.</noscript><div id=root></div><script src=/a.js></script>',
  '/gone': { body: 'Gone', status: 404 },
  '/inside': { body: '', status: 302, headers: { location: 'http://169.254.169.254/' } },
};
const XML = { 'content-type': 'application/xml' };
const MAP_XML = (url: string) =>
  `<urlset><url><loc>${url}/emma</loc><lastmod>2026-01-02</lastmod></url><url><loc>${url}/old</loc></url></urlset>`;

describe('a map', () => {
  let site: Origin;
  let plain: Origin;
  /** Requests that wait until they are released. */
  const slow = { started: 0, aborted: 0 };

  beforeAll(async () => {
    const routes: OriginRoute[] = [
      ...routesOf({ ...SITE, '/sitemap.xml': { body: () => MAP_XML(site.url), headers: XML } }),
      {
        path: '/slow',
        behavior: ({ response }) => {
          slow.started += 1;
          response.once('close', () => {
            slow.aborted += 1;
          });
        },
      },
    ];
    site = await startOrigin({ routes });
    plain = await startOrigin({
      routes: routesOf({
        ...SITE,
        '/robots.txt': {
          body: 'User-agent: *\nDisallow: /secret',
          headers: { 'content-type': 'text/plain' },
        },
        '/secret/page': '<a href=/emma>Emma</a>',
        '/stalls': `${LINKS}<a href=/busy>Busy</a>`,
      }),
    });
  });
  afterAll(async () => {
    await site.close();
    await plain.close();
  });

  const pathsOf = ({ urls }: MapResult) => urls.map(({ url }) => new URL(url).pathname);

  it('names the URLs with the texts of their links, times of changes, and where they were found', async () => {
    const { urls, sources, complete, pages } = await map({ url: site.url });
    expect(urls).toEqual([
      { url: `${site.url}/`, text: 'Shop' },
      {
        url: `${site.url}/emma`,
        text: 'Emma & co',
        foundOn: `${site.url}/`,
        lastModified: '2026-01-02T00:00:00.000Z',
      },
      { url: `${site.url}/otto`, text: 'Otto', foundOn: `${site.url}/` },
      { url: `${site.url}/away`, text: 'x', foundOn: `${site.url}/` },
      { url: `${site.url}/old`, foundOn: `${site.url}/sitemap.xml` },
    ]);
    expect(sources).toEqual([
      { kind: 'robots', url: `${site.url}/robots.txt`, found: 0 },
      { kind: 'page', url: `${site.url}/`, found: 3 },
      { kind: 'sitemap', url: `${site.url}/sitemap.xml`, found: 2 },
    ]);
    expect([complete, pages]).toEqual([true, 1]);
  });

  it('leaves out what redirects or is gone once it was read, and names pages by their titles', async () => {
    const result = await map({ url: site.url, depth: 2 });
    expect(pathsOf(result)).toEqual(['/', '/emma', '/old', '/deep'].filter((path) => path !== '/old'));
    expect(result.urls[1]?.text).toBe('Emma the kettle');
  });

  it('reads sitemaps only, for free, with the depth 0', async () => {
    const result = await map({ url: site.url, depth: 0 });
    expect([pathsOf(result), result.pages]).toEqual([['/', '/emma', '/old'], 0]);
  });

  it('returns as many URLs as the limit, and says so when it has more', async () => {
    const result = await map({ url: `${site.url}/many`, limit: 5 });
    expect([result.urls.length, result.complete, result.stoppedBy]).toEqual([5, false, 'limit']);
  });

  it('reads no more pages than the credits allow', async () => {
    const result = await map({ url: site.url, depth: 2, maxCredits: 1 });
    expect([result.pages, result.complete, result.stoppedBy]).toEqual([1, false, 'maxCredits']);
  });

  it('finds words in URLs and texts', async () => {
    expect(pathsOf(await map({ url: site.url, search: 'EMMA' }))).toEqual(['/emma']);
    const none = await map({ url: site.url, search: 'teapot' });
    expect([none.urls, none.reason]).toEqual([[], 'None of the 5 URLs has a word of the search.']);
  });

  it.each([
    ['/alone', 'The page has no link to another page of the map; of its links 1 lead out of its scope.'],
    ['/shell', 'The page has no links without JavaScript: crawl it with "render": true instead.'],
    ['/secret/page', `disallows /secret/page for Gleaner.`],
  ])('says why there is nothing but %s', async (path, reason) => {
    const result = await map({ url: plain.url + path });
    expect(pathsOf(result)).toEqual([path]);
    expect(result.reason).toContain(reason);
    expect(result.reason).toContain(`There is no sitemap at ${plain.url}/sitemap.xml.`);
  });

  it.each([
    ['/gone', 'NOT_FOUND'],
    ['/inside', 'UPSTREAM_ERROR'],
  ])('fails as a scrape of its start page %s if there is nothing else', async (path, code) => {
    const failing = map({ url: plain.url + path });
    if (code === 'NOT_FOUND') await expect(failing).rejects.toMatchObject({ code });
    else await expect(failing).rejects.toBeDefined();
  });

  it('returns what it has when the time is over', async () => {
    const result = await map({ url: `${site.url}/slow` }, { timeoutMs: 2000 });
    expect(result).toMatchObject({ complete: false, stoppedBy: 'timeout', pages: 0 });
  });

  it('stops when its caller disconnects', async () => {
    const before = { ...slow };
    const requestId = createId('req');
    const mapping = map({ url: `${site.url}/slow` }, { requestId }).catch((error: unknown) => error);
    await eventually(() => expect(slow.started).toBe(before.started + 1));
    await scraper.cancel(requestId);
    await eventually(() => expect(slow.aborted).toBe(before.aborted + 1));
    expect(await mapping).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

it('waits as long as robots.txt asks between two requests', async () => {
  const paths = ['/', '/a', '/b', '/c'];
  const times: number[] = [];
  const body = ({ request }: { request: { url?: string | undefined } }) => {
    times.push(performance.now());
    return `<p>${request.url} ${'Long text. '.repeat(100)}<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>`;
  };
  const robots = { body: 'User-agent: *\nCrawl-delay: 0.3', headers: { 'content-type': 'text/plain' } };
  const documents = Object.fromEntries(paths.map((path) => [path, { body }]));
  await using site = await startOrigin({ routes: routesOf({ '/robots.txt': robots, ...documents }) });
  const { pages } = await map({ url: site.url, depth: 2, sitemap: 'skip' });
  expect(pages).toBe(4);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(295);
});

it('ends on a site without end', async () => {
  await using hostile = await startHostileSite('endlessPages');
  const result = await map({ url: hostile.origin, depth: 2, maxCredits: 30 });
  expect(result.pages).toBeLessThanOrEqual(30);
});
