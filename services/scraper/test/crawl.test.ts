import type { CrawlFindings } from '@gleaner/contracts';
import { urlKey } from '@gleaner/frontier';
import { makePdf, type Origin, type OriginRoute, routesOf, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { crawlPage, outcomeOf } from './crawled-page.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const SHOP = `<!doctype html><head><link rel=canonical href="/shop?utm_source=x"><title>Shop</title>
  <a href="/p/1">1</a><a href="/p/2#reviews">2</a><a href="/p/2">2 again</a><a href="/shop#top">self</a>
  <a href="/login" rel="nofollow">log in</a><a href="http://elsewhere.example/">away</a><a href="mailto:a@b.c">mail</a>
  <a href="/cart?add=1">cart</a><a href="/${'x/'.repeat(30)}">trap</a>
  <nav><a class=next href="?page=2">next</a></nav>`;

const PDF = makePdf([
  [
    { text: 'More kettles', url: 'kettles#top' },
    { text: 'Away', url: 'http://a.example/' },
  ],
]);

const SITE = {
  '/shop': { body: SHOP, headers: { etag: '"v1"', 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' } },
  '/based': '<base href="/deep/"><a href="a">a</a>',
  '/header-nofollow': {
    body: '<a href=/a>a</a>',
    headers: { 'x-robots-tag': 'otherbot: noindex, Gleaner: nofollow' },
  },
  '/header-for-others': { body: '<a href=/a>a</a>', headers: { 'x-robots-tag': 'otherbot: nofollow' } },
  '/meta-nofollow': '<meta name=robots content="noindex,nofollow"><a href=/a>a</a>',
  '/feed': {
    body: '<rss><channel><item><link>/a</link></item></channel></rss>',
    headers: { 'content-type': 'application/rss+xml' },
  },
  '/data': { body: '{"url": "/a"}', headers: { 'content-type': 'application/json' } },
  '/image': { body: Buffer.from('89504e470d0a1a0a00', 'hex'), headers: { 'content-type': 'image/png' } },
  '/pdf': { body: PDF, headers: { 'content-type': 'application/pdf' } },
  '/archive': { body: 'PK\x03\x04xxxx', headers: {} },
  '/moved': { body: '', status: 301, headers: { location: '/shop?page=2#top' } },
  '/away': { body: '', status: 302, headers: { location: 'http://elsewhere.example/x' } },
  '/inside': { body: '', status: 302, headers: { location: 'http://169.254.169.254/' } },
  '/many': Array.from({ length: 6000 }, (_none, index) => `<a href="/n/${index}">${index}</a>`).join(''),
  '/long': Array.from(
    { length: 1000 },
    (_none, index) => `<a href="/${index}?${'y'.repeat(1500)}">.</a>`,
  ).join(''),
};

/** A page that marks its visitors before it shows itself. */
const WELCOME: OriginRoute = {
  path: '/welcome',
  behavior: ({ response, query }) => {
    if (query.has('gclid')) response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' });
    else response.writeHead(302, { location: '/welcome?gclid=1' });
    response.end();
  },
};

/** A page that answers 304 to its own validators, and after a redirect whatever is asked. */
const VALIDATED: OriginRoute = {
  path: '/validated',
  behavior: ({ request, response, query }) => {
    const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
    const isKnown = etag === '"v1"' && since === 'Mon, 01 Jan 2024 00:00:00 GMT';
    const isUnmodified = query.has('always') || isKnown;
    response.writeHead(isUnmodified ? 304 : 200, { 'content-type': 'text/html' });
    response.end(isUnmodified ? '' : `<title>${etag ?? 'none'}</title>`);
  },
};

describe('a page of a crawl', () => {
  let scraper: TestScraper;
  let site: Origin;

  beforeAll(async () => {
    site = await startOrigin({ routes: [...routesOf(SITE), WELCOME, VALIDATED] });
    scraper = await startTestScraper({ EGRESS_ALLOW: `127.0.0.1:${site.port}` });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
    await site.close();
  });

  const crawl = (path: string, options?: Parameters<typeof crawlPage>[3]) =>
    crawlPage(scraper, site, path, options);

  async function findingsOf(path: string, options?: Parameters<typeof crawlPage>[3]): Promise<CrawlFindings> {
    const { crawl: findings } = outcomeOf('found', await crawl(path, options));
    if (!findings) throw new Error('The outcome has no findings.');
    return findings;
  }

  const pathsOf = ({ links }: CrawlFindings) => links.map(({ url }) => url.slice(site.url.length));

  it('brings its links that belong to the crawl, each page once, and counts the others', async () => {
    const findings = await findingsOf('/shop', { filter: { exclude: ['/cart**'], rules: ['/x', '/p/*'] } });
    expect(findings.links).toEqual([
      { url: `${site.url}/p/1`, key: urlKey(new URL(`${site.url}/p/1`)), rule: 1 },
      { url: `${site.url}/p/2`, key: urlKey(new URL(`${site.url}/p/2`)), rule: 1 },
      { url: `${site.url}/shop?page=2`, key: urlKey(new URL(`${site.url}/shop?page=2`)) },
    ]);
    expect(findings.dropped).toEqual({ nofollow: 1, outOfScope: 1, excluded: 1, trap: 1 });
    expect(findings.cutBecause).toBeUndefined();
  });

  it('brings its canonical URL, its hashes and its validators beside its data', async () => {
    const outcome = outcomeOf('found', await crawl('/shop', { options: { selectors: { title: 'title' } } }));
    expect(outcome).toMatchObject({
      dataJson: '{"title":"Shop"}',
      crawl: {
        canonicalUrl: `${site.url}/shop?utm_source=x`,
        textHash: expect.stringMatching(/^[\w-]{22}$/),
        dataHash: expect.stringMatching(/^[\w-]{22}$/),
        etag: '"v1"',
        lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT',
      },
    });
  });

  it('is not read if it has not been modified since its validators were sent', async () => {
    const lastModified = 'Mon, 01 Jan 2024 00:00:00 GMT';
    const unmodified = await crawl('/validated', { validators: { etag: '"v1"', lastModified } });
    expect(outcomeOf('notModified', unmodified)).toMatchObject({
      attempts: [{ engine: 'http', statusCode: 304, outcome: 'success' }],
    });
    const modified = await crawl('/validated', { validators: { etag: '"v0"', lastModified } });
    expect(outcomeOf('found', modified)).toMatchObject({ statusCode: 200 });
    const unasked = outcomeOf('failed', await crawl('/validated?always'));
    expect(unasked.failure).toMatchObject({ code: 'UPSTREAM_ERROR', targetStatusCode: 304 });
  });

  it('follows nofollow links where robots are ignored', async () => {
    const findings = await findingsOf('/shop', { filter: { obeysNofollow: false } });
    expect(pathsOf(findings)).toContain('/login');
    expect(findings.dropped).not.toHaveProperty('nofollow');
  });

  it('names some links of a page where the patterns leave out all of them', async () => {
    const { leftOut } = await findingsOf('/header-for-others', { filter: { include: ['/none/**'] } });
    expect(leftOut).toEqual([`${site.url}/a`]);
    expect(await findingsOf('/header-for-others')).not.toHaveProperty('leftOut');
  });

  it.each(['/header-nofollow', '/meta-nofollow'])('brings no links of %s', async (path) => {
    expect(await findingsOf(path)).toMatchObject({ links: [], dropped: { nofollow: 1 } });
    expect(pathsOf(await findingsOf(path, { filter: { obeysNofollow: false } }))).toEqual(['/a']);
  });

  it('brings the links of a page whose header speaks to another crawler', async () => {
    expect(pathsOf(await findingsOf('/header-for-others'))).toEqual(['/a']);
  });

  it('brings the links that a rule selects, the next page first', async () => {
    const next = await findingsOf('/shop', { follow: false, next: '.next' });
    expect(next.links).toMatchObject([{ url: `${site.url}/shop?page=2`, isNext: true }]);
    const selected = await findingsOf('/shop', { follow: ['[href^="/p/"]', 'nav'], next: '.next' });
    expect(pathsOf(selected)).toEqual(['/shop?page=2', '/p/1', '/p/2']);
  });

  it('resolves links by the base of the document', async () => {
    expect(pathsOf(await findingsOf('/based'))).toEqual(['/deep/a']);
  });

  it.each(['/feed', '/data'])('brings no links of %s', async (path) => {
    expect(await findingsOf(path)).toMatchObject({ links: [], dropped: {} });
  });

  it('brings a limited number of links', async () => {
    const many = await findingsOf('/many');
    expect(many.links).toHaveLength(5000);
    expect(many.cutBecause).toBe('it has more than 5000 links');
    const long = await findingsOf('/long');
    expect(long.links.length).toBeLessThan(360);
    expect(long.cutBecause).toContain('characters');
  });

  it.each([
    ['/image', 'image/png'],
    ['/archive', 'text/html'],
  ])('names a file that is not a document: %s', async (path, contentType) => {
    expect(await crawl(path)).toEqual({ kind: 'notDocument', contentType });
  });

  it('may be a PDF, whose links belong to the crawl too', async () => {
    const { links, dropped } = await findingsOf('/pdf');
    expect(links).toEqual([expect.objectContaining({ url: `${site.url}/kettles` })]);
    expect(dropped).toEqual({ outOfScope: 1 });
  });

  it('is skipped if it is a PDF, and selectors were to be found on it', async () => {
    const outcome = await crawl('/pdf', { options: { selectors: { title: 'h1' } } });
    expect(outcome).toEqual({ kind: 'notDocument', contentType: 'application/pdf' });
  });

  it('that redirects to another page ends there, without a request to it', async () => {
    const visits = site.requestsTo('/shop').length;
    expect(await crawl('/moved')).toEqual({ kind: 'redirected', url: `${site.url}/shop?page=2` });
    expect(site.requestsTo('/shop')).toHaveLength(visits);
  });

  it('that redirects out of scope ends there', async () => {
    expect(await crawl('/away')).toEqual({ kind: 'redirected', url: 'http://elsewhere.example/x' });
  });

  it('that redirects to a private address fails', async () => {
    expect(await crawl('/inside')).toMatchObject({ kind: 'failed', failure: { code: 'INVALID_URL' } });
  });

  it('follows a redirect to another spelling of its own URL', async () => {
    const outcome = outcomeOf('found', await crawl('/welcome'));
    expect(outcome).toMatchObject({ url: `${site.url}/welcome`, finalUrl: `${site.url}/welcome?gclid=1` });
    expect(outcome.crawl).not.toHaveProperty('etag');
  });

  it.each([
    ['/status/404', 'NOT_FOUND'],
    ['/status/403', 'BLOCKED'],
    ['/rate-limited', 'RATE_LIMITED'],
    ['/reset/before-headers', 'UPSTREAM_ERROR'],
  ])('fails as other pages do: %s', async (path, code) => {
    expect(await crawl(path)).toMatchObject({ kind: 'failed', failure: { code } });
  });
});

await describeWithBrowser('a rendered page of a crawl', (settings) => {
  let scraper: TestScraper;
  let site: Origin;

  beforeAll(async () => {
    site = await startOrigin({
      routes: routesOf({
        ...SITE,
        '/app': `<script>document.write('<a href="/made">m</a><a href="#!/a">a</a><a href="/x#/b">b</a><a href="/y#z">c</a>');
          history.pushState({}, '', '/elsewhere')</script>`,
        '/goes-away': '<script>location.replace("/p/9")</script>',
        '/p/9': '<h1>9</h1>',
      }),
    });
    scraper = await startTestScraper({ EGRESS_ALLOW: `127.0.0.1:${site.port}`, ...settings });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
    await site.close();
  });

  const render = (path: string) => crawlPage(scraper, site, path, { options: { render: true } });

  it('brings the links that its scripts made, with the fragments that name pages', async () => {
    const { crawl } = outcomeOf('found', await render('/app'));
    expect(crawl?.links.map(({ url }) => url.slice(site.url.length))).toEqual([
      '/made',
      '/elsewhere#!/a',
      '/x#/b',
      '/y',
    ]);
  });

  it('that leads to another page ends there, by a redirect or by its scripts', async () => {
    expect(await render('/moved')).toEqual({ kind: 'redirected', url: `${site.url}/shop?page=2` });
    expect(await render('/goes-away')).toEqual({ kind: 'redirected', url: `${site.url}/p/9` });
  });

  it('names a file that is not a document', async () => {
    expect(await render('/type?as=application/zip&hex=00')).toEqual({
      kind: 'notDocument',
      contentType: 'application/zip',
    });
  });
});
