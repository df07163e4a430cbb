import {
  compileSchema,
  FIRECRAWL_ACTIONS,
  FIRECRAWL_BATCH,
  FIRECRAWL_CRAWL,
  FIRECRAWL_FORMATS,
  FIRECRAWL_MAP,
  FIRECRAWL_SCRAPE_OPTIONS,
  FIRECRAWL_V1_CRAWL,
  FIRECRAWL_V1_MAP,
  FIRECRAWL_V1_SCRAPE,
  type FirecrawlOptions,
  firecrawlBody,
  ROUTES,
} from '@gleaner/contracts';
import { createEgressPolicy } from '@gleaner/egress';
import { describe, expect, it } from '@jest/globals';
import { NotSupported } from './not-supported.ts';
import { pathPattern } from './path-pattern.ts';
import { translateBatch, translateCrawl, translateMap, withScheme } from './translate-job.ts';
import { translatePage } from './translate-scrape.ts';

const RULES = {
  policy: createEgressPolicy({ allow: [] }),
  proxyCountries: ['de'],
  maxPagesPerCrawl: 5000,
};
const URL = 'https://example.com/a';
const page = (options: object) => translatePage(options, RULES);
const crawl = (options: object) => translateCrawl({ url: URL, ...options }, RULES);
const batch = (options: object) => translateBatch({ urls: [URL], ...options }, RULES);
const map = (options: object) => translateMap({ url: URL, ...options });

/** A value other than the default for each option, with the options it depends on. */
const EXAMPLES: Readonly<Record<string, object>> = {
  formats: { formats: ['links'] },
  onlyMainContent: { onlyMainContent: false },
  includeTags: { includeTags: ['main'] },
  excludeTags: { excludeTags: ['nav'] },
  headers: { headers: { 'X-A': 'b' } },
  waitFor: { waitFor: 500 },
  mobile: { mobile: true },
  timeout: { timeout: 5000 },
  parsers: { parsers: [{ type: 'pdf', maxPages: 3 }] },
  actions: { actions: [{ type: 'wait', milliseconds: 10 }] },
  location: { location: { country: 'DE' } },
  blockAds: { blockAds: false },
  proxy: { proxy: 'auto' },
  maxAge: { maxAge: 5 },
  storeInCache: { maxAge: 5, storeInCache: false },
  profile: { profile: { name: 'prof_1', saveChanges: false } },
  urls: { urls: ['https://example.org/'] },
  url: { url: 'https://example.org/' },
  ignoreInvalidURLs: { urls: [URL, 'http://10.0.0.1/'], ignoreInvalidURLs: false },
  webhook: { webhook: 'https://hooks.example.com/' },
  limit: { limit: 7 },
  includePaths: { includePaths: ['/blog/'] },
  excludePaths: { excludePaths: ['/blog/'] },
  regexOnFullURL: { includePaths: ['/blog/'], regexOnFullURL: true },
  maxDiscoveryDepth: { maxDiscoveryDepth: 2 },
  maxDepth: { maxDepth: 2 },
  ignoreQueryParameters: { ignoreQueryParameters: true },
  crawlEntireDomain: { crawlEntireDomain: true },
  allowBackwardLinks: { allowBackwardLinks: true },
  allowSubdomains: { allowSubdomains: true },
  allowExternalLinks: { allowExternalLinks: true },
  ignoreRobotsTxt: { ignoreRobotsTxt: true },
  delay: { delay: 1.5 },
  maxConcurrency: { maxConcurrency: 2 },
  sitemap: { sitemap: 'only' },
  ignoreSitemap: { ignoreSitemap: true },
  sitemapOnly: { sitemapOnly: true },
  scrapeOptions: { scrapeOptions: { formats: ['links'] } },
  search: { search: 'a' },
  includeSubdomains: { includeSubdomains: false },
};

/** The examples that have another default in a map. */
const OF_MAPS: Readonly<Record<string, object>> = {
  ...EXAMPLES,
  ignoreQueryParameters: { ignoreQueryParameters: false },
};

const TABLES = [
  ['a page', FIRECRAWL_SCRAPE_OPTIONS, page, EXAMPLES, ROUTES.scrape.body],
  ['a batch', FIRECRAWL_BATCH, batch, EXAMPLES, ROUTES.createJob.body],
  ['a crawl', FIRECRAWL_CRAWL, crawl, EXAMPLES, ROUTES.createJob.body],
  ['a crawl of version 1', FIRECRAWL_V1_CRAWL, crawl, EXAMPLES, ROUTES.createJob.body],
  ['a map', FIRECRAWL_MAP, map, OF_MAPS, ROUTES.map.body],
  ['a map of version 1', FIRECRAWL_V1_MAP, map, OF_MAPS, ROUTES.map.body],
] as const;

/** Returns an example without the option itself: the options it depends on. */
function without(name: string, example: object): object {
  return Object.fromEntries(Object.entries(example).filter(([other]) => other !== name));
}

describe.each(TABLES)('the table of %s', (_name, options, translate, examples, schema) => {
  const entries = Object.entries<FirecrawlOptions[string]>(options);
  const named = (fate: string) => entries.filter(([, option]) => option.fate === fate).map(([name]) => name);

  it.each(named('translated'))('%s has an effect, and the result fits the route', async (name) => {
    const example = examples[name] ?? {};
    expect(compileSchema(firecrawlBody(options))(example)).toEqual({ ok: true, value: example });
    const { options: result } = await translate(example);
    expect(result).not.toEqual((await translate(without(name, example))).options);
    const { webhook: _webhook, ...body } = { url: URL, ...result } as { webhook?: unknown };
    const fitting = 'urls' in body ? without('url', body) : body;
    expect(compileSchema(schema)(fitting)).toEqual({ ok: true, value: fitting });
  });

  it.each(named('ignored'))('%s is accepted, and has no effect', async (name) => {
    const [first] = [true, 5, 'de'].filter(
      (value) => compileSchema(firecrawlBody(options))({ [name]: value }).ok,
    );
    expect(first).toBeDefined();
    const values = [first, typeof first === 'boolean' ? !first : first];
    const needed = name === 'prompt' ? { limit: 5 } : {};
    const results = await Promise.all(values.map((value) => translate({ [name]: value, ...needed })));
    const { options: plain } = await translate(needed);
    for (const { options: result } of results) expect(result).toEqual(plain);
    const isLabel = ['origin', 'integration', 'auditMetadata'].includes(name);
    expect(results.some(({ warnings }) => warnings.some((text) => text.startsWith(name)))).toBe(!isLabel);
  });

  it.each(named('refused'))('%s is refused if it is set', async (name) => {
    const refusal = await Promise.resolve({ [name]: 'x' })
      .then(translate)
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(NotSupported);
    expect(String(refusal)).toContain(`${name} is not supported`);
    expect((await translate({ [name]: false })).options).toEqual((await translate({})).options);
  });
});

describe('the formats of a page', () => {
  it.each([
    [{}, { formats: [{ type: 'markdown', main: true }, 'metadata'] }],
    [{ formats: ['links'], onlyMainContent: false }, { formats: [{ type: 'links' }, 'metadata'] }],
    [
      { formats: ['html', 'rawHtml'], includeTags: ['h1', '.a'], excludeTags: ['#b'] },
      {
        formats: [{ type: 'html', main: true, include: 'h1, .a', exclude: '#b' }, 'metadata'],
        selectors: { rawHtml: ':root::html' },
      },
    ],
    [
      { formats: [{ type: 'json', prompt: 'p' }] },
      { formats: [{ type: 'markdown', main: true }, 'metadata'] },
    ],
    [{ formats: ['links', 'changeTracking'] }, { formats: [{ type: 'links', main: true }, 'metadata'] }],
    [{ formats: ['markdown', 'markdown'] }, { formats: [{ type: 'markdown', main: true }, 'metadata'] }],
    [{ formats: ['screenshot'] }, { formats: ['metadata'], screenshot: { fullPage: false } }],
    [{ formats: ['screenshot@fullPage'] }, { formats: ['metadata'], screenshot: { fullPage: true } }],
    [
      {
        formats: [{ type: 'screenshot', fullPage: true, quality: 50, viewport: { width: 300, height: 400 } }],
        mobile: true,
      },
      {
        formats: ['metadata'],
        screenshot: {
          fullPage: true,
          mobile: true,
          format: 'jpeg',
          quality: 50,
          viewport: { width: 300, height: 400 },
        },
      },
    ],
  ])('%j', (options, expected) => {
    expect(page(options).options).toEqual({ ...expected, render: 'auto', overlays: 'hide' });
  });

  it('of a model become a schema where there is a model', () => {
    const withModel = (options: object) => translatePage(options, { ...RULES, model: {} }).options;
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(withModel({ formats: [{ type: 'json', schema, prompt: 'p' }] })).toMatchObject({
      formats: ['metadata'],
      extract: { schema, prompt: 'p' },
    });
    expect(withModel({ formats: ['json'], jsonOptions: { schema } })).toMatchObject({ extract: { schema } });
    expect(withModel({ formats: ['summary', 'links'] })).toMatchObject({
      formats: [{ type: 'links', main: true }, 'metadata'],
      extract: { evidence: 'report' },
    });
    expect(withModel({ formats: [{ type: 'json', prompt: 'p' }] })).toMatchObject({
      extract: { schema: { properties: { answers: { type: 'array' } } }, prompt: 'p' },
    });
    const bounded = {
      type: 'object',
      properties: { pattern: { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1 } } },
    };
    const { options, warnings } = translatePage(
      { formats: [{ type: 'json', schema: bounded }] },
      { ...RULES, model: {} },
    );
    expect(options.extract?.schema).toEqual({
      type: 'object',
      properties: { pattern: { type: 'array', items: { type: 'string' } } },
    });
    expect(warnings).toEqual(['In the schema, maxItems, minLength has no effect.']);
    const flags = {
      properties: {
        mission: { type: 'string' },
        isOpen: { type: 'boolean' },
        plans: {
          type: 'array',
          items: {
            properties: {
              name: { type: 'string' },
              isFree: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
            },
          },
        },
      },
    };
    const unflagged = translatePage({ formats: [{ type: 'json', schema: flags }] }, { ...RULES, model: {} });
    expect(unflagged.options.extract?.schema).toEqual({
      properties: {
        mission: { type: 'string' },
        plans: { type: 'array', items: { properties: { name: { type: 'string' } } } },
      },
    });
    expect(unflagged.warnings).toEqual([
      expect.stringMatching(/^Of the schema, isOpen, isFree is left out: /),
    ]);
    expect(() => withModel({ formats: ['links', 'json'] })).toThrow(
      'formats.1 is not supported. It needs a `schema` or a `prompt`',
    );
    expect(() => withModel({ formats: [{ type: 'json', schema }, 'summary'] })).toThrow('formats.1');
    expect(() => page({ formats: ['summary'] })).toThrow('has not set up a language model');
  });

  it.each(
    Object.entries<FirecrawlOptions[string]>(FIRECRAWL_FORMATS).filter(([, { fate }]) => fate === 'refused'),
  )('%s is refused with what to use instead', (type, { note }) => {
    for (const format of [type, { type, prompt: 'p', schema: {} }]) {
      expect(() => page({ formats: ['markdown', format] })).toThrow(
        `formats.1 is not supported. ${note.slice(0, -1)}`,
      );
    }
  });
});

describe('the actions of a page', () => {
  it('become those of Gleaner, after the time to wait', () => {
    const actions = [
      { type: 'wait', selector: '#a' },
      { type: 'click', selector: '#q' },
      { type: 'write', text: 'kettle' },
      { type: 'press', key: 'ENTER' },
      { type: 'wait', milliseconds: 25_000, selector: '' },
      { type: 'scroll', direction: 'down', selector: '' },
      { type: 'scroll', selector: '.list' },
      { type: 'scroll', direction: 'up', selector: '' },
    ];
    expect(page({ waitFor: 100, actions }).options.actions).toEqual([
      ...[
        { waitFor: 100 },
        { waitFor: '#a' },
        { click: '#q' },
        { fill: '#q', value: 'kettle' },
        { press: 'Enter' },
      ],
      ...[{ waitFor: 10_000 }, { waitFor: 10_000 }, { waitFor: 5000 }],
      ...[{ scroll: 'end' }, { scroll: 'end', in: '.list' }, { press: 'Home' }],
    ]);
  });

  it.each([
    [{ type: 'wait' }, 'must have either'],
    [{ type: 'wait', selector: 'a', milliseconds: 1 }, 'must have either'],
    [{ type: 'click' }, 'selector is required'],
    [{ type: 'click', selector: '' }, 'selector is required'],
    [{ type: 'click', selector: 'a', all: true }, 'is not supported'],
    [{ type: 'write', text: 'a' }, 'is not supported'],
    [{ type: 'press' }, 'key is required'],
    [{ type: 'scroll', direction: 'up', selector: 'a' }, 'is not supported'],
    ...Object.entries<FirecrawlOptions[string]>(FIRECRAWL_ACTIONS).flatMap(
      ([type, { fate, note }]): [object, string][] =>
        fate === 'refused' ? [[{ type }, note.slice(0, -1)]] : [],
    ),
  ])('%j is refused', (action, message) => {
    expect(() => page({ actions: [action] })).toThrow(message);
  });
});

describe('the options of a page', () => {
  it('name everything that has no equal at once', () => {
    const options = {
      formats: ['summary'],
      minAge: 5,
      parsers: [{ type: 'pdf', mode: 'ocr' }, 'image'],
      excludeTags: ['*ad*'],
    };
    const thrown = (() => {
      try {
        return page(options);
      } catch (error) {
        return error;
      }
    })();
    expect((thrown as NotSupported).details?.map(({ path }) => path)).toEqual([
      ...['minAge', 'formats.0', 'parsers.0', 'parsers.1', 'excludeTags.0'],
    ]);
  });

  it('stay within the bounds of Gleaner, with a warning', () => {
    const { options, warnings } = page({
      timeout: 300_000,
      location: { country: 'US', languages: ['de', 'en'] },
    });
    expect(options).toMatchObject({ timeout: 120_000, headers: { 'Accept-Language': 'de, en' } });
    expect(options).not.toHaveProperty('proxy');
    expect(warnings).toEqual([
      'timeout is 120000, the longest here.',
      'location.country has no effect: no proxy of us is set.',
    ]);
  });

  it('keep the header Accept-Language of the caller', () => {
    const { options } = page({ headers: { 'accept-language': 'fr' }, location: { languages: ['de'] } });
    expect(options.headers).toEqual({ 'accept-language': 'fr' });
  });

  it.each([
    ['basic', undefined],
    ['auto', true],
    ['stealth', true],
    ['enhanced', true],
  ])('proxy %s: antiBot %s', (proxy, antiBot) => {
    expect(page({ proxy }).options.antiBot).toBe(antiBot);
  });
});

describe('a proxy that is chosen automatically', () => {
  it.each([{ mobile: true }, { profile: { name: 'prof_1' } }])('is not disguised with %j', (options) => {
    const { options: translated, warnings } = page({ ...options, proxy: 'auto' });
    expect(translated).not.toHaveProperty('antiBot');
    expect(warnings).toEqual([expect.stringContaining('proxy has no effect')]);
    expect(page({ ...options, proxy: 'stealth' }).options.antiBot).toBe(true);
  });
});

describe('a crawl', () => {
  it('has the bounds of Firecrawl where it names none', () => {
    const none = translateCrawl({ url: URL }, { ...RULES, maxPagesPerCrawl: 1_000_000 });
    expect(none.options).toMatchObject({ urls: [URL], crawl: { limit: 10_000, scope: 'path' } });
    expect(crawl({})).toMatchObject({ options: { crawl: { limit: 5000 } }, warnings: [] });
    expect(crawl({ limit: 6000 })).toMatchObject({
      options: { crawl: { limit: 5000 } },
      warnings: [expect.stringContaining('limit is 5000')],
    });
  });

  it('fetches one page at a time with a delay in seconds', () => {
    const { options, warnings } = crawl({ delay: 1, maxConcurrency: 5 });
    expect(options.crawl).toMatchObject({ delay: 1000, concurrency: 1 });
    expect(warnings).toEqual([expect.stringContaining('maxConcurrency has no effect')]);
  });

  it('names options of its pages by their path', () => {
    expect(() => crawl({ scrapeOptions: { formats: ['summary'] } })).toThrow(
      'scrapeOptions.formats.0 is not',
    );
    expect(crawl({ scrapeOptions: { maxAge: 5 } }).warnings[0]).toMatch(/^scrapeOptions\.maxAge /);
  });

  it.each([
    ['/blog/.*', 'https://a.test/en/blog/x', true],
    ['blog', 'https://blog.test/x', false],
    ['blog', 'https://a.test/x?blog', false],
    ['^/blog', 'https://a.test/blog', true],
    ['^/blog', 'https://a.test/en/blog', false],
    ['/p/\\d+$', 'https://a.test/p/7?a=b', true],
    ['/p/\\d+$', 'https://a.test/p/7/more', false],
    ['^/a$|^/b$', 'https://a.test/b', true],
    ['cost\\$', 'https://a.test/cost$', true],
    ['.*/blog/.*', 'https://a.test/blog/x', true],
    ['^.*/blog', 'https://a.test/en/blog', true],
    ['(/a|/b(?:/c|/d))$', 'https://a.test/b/d', true],
    ['(?:/a|b)', 'https://b.test/c', false],
    ['(?:/a)?b', 'https://b.test/c', false],
    ['(?:/a)?b', 'https://a.test/b', true],
    ['[|/]x|\\(y', 'https://a.test/q/x', true],
    ['[|/]x|\\(y', 'https://a.test/(y', true],
    ['\\/docs\\/', 'https://a.test/docs/', true],
    ['test', 'https://a.test/', false],
  ])('finds %s in the path of %s: %s', (pattern, url, isFound) => {
    expect(new RegExp(pathPattern(pattern)).test(url)).toBe(isFound);
  });

  it('has a webhook whose events are of Firecrawl', async () => {
    const webhook = {
      url: 'https://hooks.example.com/',
      headers: { 'X-A': 'b' },
      metadata: { a: { b: 1 } },
      events: ['page'],
    };
    expect(crawl({ webhook }).options.webhook).toEqual({
      url: webhook.url,
      events: ['job.pages'],
      firecrawl: { kind: 'crawl', headers: webhook.headers, metadata: webhook.metadata },
    });
    expect((await batch({ webhook: webhook.url })).options.webhook).toMatchObject({
      events: ['job.started', 'job.pages', 'job.completed', 'job.partial', 'job.failed', 'job.cancelled'],
      firecrawl: { kind: 'batch_scrape' },
    });
    const metadata = { a: 'x'.repeat(17_000) };
    expect(() => crawl({ webhook: { url: URL, metadata } })).toThrow(
      'webhook must have headers and metadata of',
    );
    expect(() => crawl({ webhook: { url: URL, headers: { Host: 'a' } } })).toThrow(
      'webhook.headers.Host is set by',
    );
  });
});

describe('a batch', () => {
  it('leaves out URLs that are refused, unless it is told otherwise', async () => {
    const urls = ['example.com', 'http://10.0.0.1/', 'not a URL'];
    expect(await translateBatch({ urls }, RULES)).toMatchObject({
      options: { urls: ['http://example.com'] },
      invalidUrls: ['http://10.0.0.1/', 'not a URL'],
    });
    const strict = await translateBatch({ urls, ignoreInvalidURLs: false }, RULES);
    expect(strict.options.urls).toHaveLength(3);
    expect(strict).not.toHaveProperty('invalidUrls');
    const none = await translateBatch({ urls: ['http://10.0.0.1/'] }, RULES);
    expect(none.options.urls).toEqual(['http://10.0.0.1/']);
  });
});

describe('a map', () => {
  it('includes subdomains and leaves out queries by default', () => {
    expect(map({}).options).toEqual({ url: URL, scope: 'domain', ignoreQuery: true });
    expect(map({ limit: 100_000, timeout: 300_000, search: ' ' }).options).toMatchObject({
      limit: 50_000,
      timeout: 60_000,
    });
  });
});

it.each([
  ['example.com/a', 'http://example.com/a'],
  [' https://example.com ', 'https://example.com'],
  ['localhost:8090/x', 'http://localhost:8090/x'],
  ['shop:8090', 'http://shop:8090'],
  ['[::1]/x', 'http://[::1]/x'],
  ['notaurl', 'notaurl'],
  ['http://intranet', 'http://intranet'],
  ['ftp://example.com', 'ftp://example.com'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('withScheme(%j): %j', (url, expected) => {
  expect(withScheme(url)).toBe(expected);
});

it('scrapes of version 1 take what those of version 2 take', () => {
  expect(Object.keys(FIRECRAWL_V1_SCRAPE)).toEqual(
    expect.arrayContaining(Object.keys(FIRECRAWL_SCRAPE_OPTIONS)),
  );
});
