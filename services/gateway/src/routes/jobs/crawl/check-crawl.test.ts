import type { CrawlOptions, CreateJobRequest } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { type CrawlRules, checkCrawl, withinLimits } from './check-crawl.ts';

const RULES: CrawlRules = { maxPagesPerCrawl: 100_000, mayIgnoreRobots: true };
const URLS = ['https://shop.example/'];

type Options = Omit<Partial<CreateJobRequest>, 'crawl'> & { readonly rules?: Partial<CrawlRules> };

/** Returns the code of the error and its details as `path message`; undefined if the crawl is accepted. */
async function errorOf(crawl: CrawlOptions, { rules, ...request }: Options = {}) {
  try {
    await checkCrawl({ urls: URLS, ...request, crawl }, { ...RULES, ...rules });
    return undefined;
  } catch (error) {
    const { code, details } = error as { code: string; details: { path: string; message: string }[] };
    return { code, details: details.map(({ path, message }) => `${path} ${message}`) };
  }
}

describe('a crawl is accepted', () => {
  it.each<[string, CrawlOptions]>([
    ['without options', {}],
    [
      'with all options',
      {
        limit: 5000,
        maxDepth: 6,
        scope: 'domain',
        maxHosts: 5,
        sitemap: 'include',
        robots: 'ignore',
        include: ['/books/**', { regex: '/p/[0-9]+$' }],
        exclude: ['**?*add-to-cart=*'],
        ignoreQuery: ['sort'],
        delay: 500,
        concurrency: 1,
        maxCredits: 10,
        maxDuration: 60_000,
        rules: [
          { match: '/books/**', next: 'a.next', follow: ['.card a'], keep: false },
          {
            match: '/p/*',
            follow: false,
            selectors: { title: 'h1' },
            formats: [{ type: 'text', main: true }],
          },
        ],
      },
    ],
    [
      'from sitemaps alone',
      { sitemap: 'only', rules: [{ match: '**', follow: false, selectors: { a: 'b' } }] },
    ],
  ])('%s', async (_name, crawl) => {
    expect(await errorOf(crawl)).toBeUndefined();
  });
});

describe('a crawl is rejected with INVALID_REQUEST', () => {
  it.each<[CrawlOptions, string, string]>([
    [{ include: ['books/*'] }, 'crawl.include.0', 'write "/'],
    [{ exclude: ['/a', { regex: '(' }] }, 'crawl.exclude.1', 'not a regular expression'],
    [{ rules: [{ match: '/a' }, { match: { regex: '(?=x)' } }] }, 'crawl.rules.1.match', 'no look-around'],
    [{ limit: 100_001 }, 'crawl.limit', 'from 1 to 100000'],
    [{ maxHosts: 5 }, 'crawl.maxHosts', 'needs "scope": "domain" or "any"'],
    [{ maxHosts: 5, scope: 'path' }, 'crawl.maxHosts', 'needs "scope": "domain" or "any"'],
    [{ sitemap: 'only', maxDepth: 0 }, 'crawl.maxDepth', 'must be at least 1'],
    [{ delay: 10, concurrency: 2 }, 'crawl.concurrency', 'must be 1 or left out'],
    [{ include: ['/a', '/b'], exclude: ['/c', '/b'] }, 'crawl.include.1', 'crawl.exclude.1, which wins'],
    [
      { rules: [{ match: '/a' }, { match: '/a' }] },
      'crawl.rules.1.match',
      'never holds: crawl.rules.0.match',
    ],
    [{ rules: [{ match: '**' }, { match: '/a' }] }, 'crawl.rules.1.match', 'never holds'],
    [
      { rules: [{ match: '/a', keep: false, selectors: { a: 'b' } }] },
      'crawl.rules.0.selectors',
      'no effect with "keep": false',
    ],
    [
      { rules: [{ match: '/a', keep: false, formats: ['text'] }] },
      'crawl.rules.0.formats',
      'no effect with "keep": false',
    ],
    [
      { rules: [{ match: '/a', formats: ['html', { type: 'html', main: true }] }] },
      'crawl.rules.0.formats.1',
      'is "html" again',
    ],
    [
      { rules: [{ match: '/a', keep: false, follow: false }] },
      'crawl.rules.0.keep',
      'move match to crawl.exclude',
    ],
    [
      { sitemap: 'only', rules: [{ match: '/a', follow: ['a'] }] },
      'crawl.rules.0.follow',
      'follows no links',
    ],
    [{ sitemap: 'only', rules: [{ match: '/a', next: 'a' }] }, 'crawl.rules.0.next', 'follows no links'],
  ])('%j', async (crawl, path, message) => {
    const error = await errorOf(crawl);
    expect(error?.code).toBe('INVALID_REQUEST');
    expect(error?.details).toEqual([expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')} `))]);
    expect(error?.details[0]).toContain(message);
  });

  it('whose rules have formats with selectors that are not valid, or too long together', async () => {
    const rule = (match: string, include: string) => ({
      match,
      formats: [{ type: 'text' as const, include }],
    });
    expect(await errorOf({ rules: [{ match: '/a' }, rule('/b', 'p[')] })).toEqual({
      code: 'INVALID_SELECTOR',
      details: [expect.stringMatching(/^crawl\.rules\.1\.formats\.0\.include /)],
    });
    const long = Array.from({ length: 20 }, (_none, index) => rule(`/${index}`, 'p'.repeat(4000)));
    expect(await errorOf({ rules: long })).toEqual({
      code: 'INVALID_SELECTOR',
      details: [
        expect.stringContaining('crawl.rules must have selectors and actions of at most 65536 bytes'),
      ],
    });
  });

  it('whose rules have fields with patterns that would take too much work together', async () => {
    const rules = Array.from({ length: 60 }, (_none, index) => ({
      match: `/${index}`,
      selectors: { name: { selector: 'a', pattern: `.{900}${index}` } },
    }));
    expect(await errorOf({ rules })).toEqual({
      code: 'INVALID_SELECTOR',
      details: [expect.stringContaining('crawl.rules has fields whose patterns are too large together')],
    });
  });

  it('whose patterns would take too much work', async () => {
    const include = [{ regex: '[^x]{1,1000}'.repeat(80) }];
    expect(await errorOf({ include })).toMatchObject({
      details: [expect.stringContaining('crawl.include.0 is too large: lower the repetition counts')],
    });
    const classes = { regex: `(?i)${'[\\pL\\pN\\pS\\pM]'.repeat(60)}` };
    expect(await errorOf({ exclude: ['/a', classes] })).toMatchObject({
      details: [expect.stringContaining('crawl.exclude.1 is too large')],
    });
    const rules = Array.from({ length: 250 }, (_none, index) => ({
      match: { regex: `(?i)[\\pL\\pN]${index}` },
    }));
    expect(await errorOf({ rules })).toMatchObject({
      details: [expect.stringContaining('too large together')],
    });
    const exclude = Array.from({ length: 100 }, (_none, index) => `**${'x'.repeat(300)}${index}`);
    expect(await errorOf({ exclude })).toMatchObject({
      details: [expect.stringContaining('too large together')],
    });
  });

  it('that the operator does not allow', async () => {
    const rules = { maxPagesPerCrawl: 50, mayIgnoreRobots: false };
    expect(await errorOf({ limit: 51, robots: 'ignore' }, { rules })).toEqual({
      code: 'INVALID_REQUEST',
      details: [
        'crawl.limit must be from 1 to 50, the most that the operator of this service allows',
        'crawl.robots must be "obey" or left out: the operator of this service does not allow ignoring robots.txt',
      ],
    });
    expect(await errorOf({ limit: 50, robots: 'obey' }, { rules })).toBeUndefined();
  });

  it('that its own limits contradict', async () => {
    const urls = Array.from({ length: 3 }, (_none, index) => `https://shop.example/${index}`);
    expect(await errorOf({ limit: 2 }, { urls })).toMatchObject({
      details: [expect.stringContaining('crawl.limit must be at least 3')],
    });
    expect(await errorOf({}, { urls: Array(1001).fill(URLS[0]) })).toMatchObject({
      details: [
        expect.stringContaining('urls must have at most 1000'),
        expect.stringContaining('crawl.limit'),
      ],
    });
    expect(await errorOf({ maxCredits: 4 }, { render: true })).toMatchObject({
      details: [expect.stringContaining('crawl.maxCredits must be at least 5')],
    });
  });

  it('with all its errors at once', async () => {
    const error = await errorOf({
      limit: 200_000,
      include: ['x'],
      rules: [{ match: 'y', next: '//a', selectors: { a: '..' } }],
    });
    expect(error?.code).toBe('INVALID_REQUEST');
    expect(error?.details.map((detail) => detail.split(' ', 1)[0])).toEqual([
      'crawl.limit',
      'crawl.include.0',
      'crawl.rules.0.match',
      'crawl.rules.0.next',
      'crawl.rules.0.selectors.a',
    ]);
  });
});

describe('a crawl is rejected with INVALID_SELECTOR', () => {
  it.each<[CrawlOptions, string, string]>([
    [{ rules: [{ match: '/a', next: 'a[' }] }, 'crawl.rules.0.next', ''],
    [
      { rules: [{ match: '/a', follow: ['a', 'a::attr(href)'] }] },
      'crawl.rules.0.follow.1',
      'leave out ::text',
    ],
    [
      {
        rules: [
          { match: '/a' },
          { match: '/b', selectors: { a: { selector: 'p', type: 'price', currency: 'XXXX' } } },
        ],
      },
      'crawl.rules.1.selectors.a',
      '',
    ],
  ])('%j', async (crawl, path, message) => {
    const error = await errorOf(crawl);
    expect(error?.code).toBe('INVALID_SELECTOR');
    expect(error?.details).toEqual([expect.stringContaining(`${path} `)]);
    expect(error?.details[0]).toContain(message);
  });
});

it('limits the selectors of all rules together', async () => {
  const selectors = { a: `p${'.x'.repeat(20_000)}` };
  const rules = ['/a', '/b'].map((match) => ({ match, selectors }));
  expect(await errorOf({ rules })).toEqual({
    code: 'INVALID_SELECTOR',
    details: ['crawl.rules must have selectors and actions of at most 65536 bytes in all rules together'],
  });
});

describe('the limit of a crawl', () => {
  it('is the one of the operator where it is left out and the default is larger', () => {
    const request: CreateJobRequest = { urls: URLS, crawl: {} };
    expect(withinLimits(request, { ...RULES, maxPagesPerCrawl: 50 }).crawl).toEqual({ limit: 50 });
    expect(withinLimits(request, RULES)).toBe(request);
    const given: CreateJobRequest = { urls: URLS, crawl: { limit: 5 } };
    expect(withinLimits(given, { ...RULES, maxPagesPerCrawl: 50 })).toBe(given);
    expect(withinLimits<CreateJobRequest>({ urls: URLS }, RULES)).toEqual({ urls: URLS });
  });
});
