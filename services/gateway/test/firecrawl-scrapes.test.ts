import { describe, expect, it } from '@jest/globals';
import { failed, found } from './support/scripted-worker.ts';
import { URL_A, useFirecrawl } from './support/use-firecrawl.ts';

const firecrawl = useFirecrawl();
const { service, ask } = firecrawl;

const FORMATS = {
  markdown: '# A page',
  html: '<h1>A page</h1>',
  links: [{ url: `${URL_A}b`, text: 'B', rel: null }],
  images: [{ url: `${URL_A}c.png`, alt: null, width: null, height: null }],
  metadata: {
    title: 'A page',
    description: null,
    language: 'en',
    author: null,
    robots: null,
    canonical: null,
    feeds: [],
    icons: [],
    openGraph: { site_name: 'Shop', image: `${URL_A}c.png` },
    twitter: {},
    jsonLd: [],
    microdata: [],
  },
};

describe('POST /scrape', () => {
  it.each(['/v2', '/firecrawl/v2', '/firecrawl/v1'])('returns a page at %s', async (prefix) => {
    service.worker.follow(() =>
      found({
        dataJson: JSON.stringify({ rawHtml: '<html></html>' }),
        formatsJson: JSON.stringify(FORMATS),
        warnings: [{ code: 'MAIN_NOT_FOUND', message: 'There is no main content.' }],
      }),
    );
    const body = {
      url: 'example.com',
      formats: ['markdown', 'rawHtml'],
      maxAge: 5,
      proxy: null,
      origin: 'test',
    };
    expect(await ask(`${prefix}/scrape`, { body })).toMatchObject({
      status: 200,
      json: {
        success: true,
        data: {
          markdown: '# A page',
          html: '<h1>A page</h1>',
          rawHtml: '<html></html>',
          links: [`${URL_A}b`],
          images: [`${URL_A}c.png`],
          metadata: {
            title: 'A page',
            language: 'en',
            ogSiteName: 'Shop',
            ogImage: `${URL_A}c.png`,
            sourceURL: 'http://example.com',
            url: URL_A,
            statusCode: 200,
            creditsUsed: 1,
            proxyUsed: 'basic',
          },
          warning: 'There is no main content.',
        },
      },
    });
    expect(service.worker.commands[0]?.request).toEqual({
      url: 'http://example.com/',
      formats: [{ type: 'markdown', main: true }, 'metadata'],
      selectors: { rawHtml: ':root::html' },
      render: 'auto',
      maxAge: 5,
      overlays: 'hide',
    });
  });

  it('takes the options that the node of n8n sends for those that are not set', async () => {
    const unset = {
      formats: [],
      includeTags: [],
      excludeTags: [],
      headers: {},
      waitFor: 0,
      mobile: false,
      actions: {},
      location: {},
      parsers: null,
      profile: {},
    };
    expect((await ask('/v2/scrape', { body: { url: URL_A, ...unset } })).status).toBe(200);
    const scrapeOptions = { ...unset, formats: { format: [{ type: 'links' }] } };
    const body = { url: URL_A, prompt: '', limit: 5, scrapeOptions, formats: ['links'] };
    expect((await ask('/v2/crawl', { body })).status).toBe(200);
    expect(service.worker.commands[0]?.request.formats).toEqual([
      { type: 'markdown', main: true },
      'metadata',
    ]);
    expect(service.orchestrator.commands[0]).toMatchObject({
      request: { formats: [{ type: 'links', main: true }, 'metadata'] },
    });
  });

  it('returns a screenshot as a data URL', async () => {
    firecrawl.browser.follow(() => found({ screenshot: 'AAAA' }));
    const body = { url: URL_A, formats: [{ type: 'screenshot', quality: 30 }] };
    expect((await ask('/v2/scrape', { body })).json.data.screenshot).toBe('data:image/jpeg;base64,AAAA');
  });

  it('is charged as a scrape, and counts against the same limit', async () => {
    const { key } = await service.bed.createKey({ balance: 5 });
    const { headers } = await ask('/v2/scrape', { body: { url: URL_A }, key });
    expect(headers['ratelimit-limit']).toBe('100');
    expect((await ask('/v1/usage', { key })).json.usage).toMatchObject({ used: 1, remaining: 4 });
    expect(await ask('/v2/scrape', { body: { url: URL_A }, key })).toMatchObject({
      status: 402,
      json: { success: false, code: 'INSUFFICIENT_CREDITS' },
    });
  });

  it.each([
    ['UPSTREAM_ERROR', 422],
    ['PROXY_ERROR', 422],
    ['OUTCOME_UNKNOWN', 422],
    ['NOT_FOUND', 422],
    ['BLOCKED', 422],
    ['UNSUPPORTED_CONTENT', 422],
    ['TIMEOUT', 408],
  ] as const)('answers the error %s of a page with %d', async (code, status) => {
    service.worker.follow(() => failed(code));
    expect(await ask('/v2/scrape', { body: { url: URL_A } })).toMatchObject({
      status,
      json: { success: false, code, error: expect.stringMatching(/\. [A-Z]/), requestId: expect.any(String) },
    });
  });

  it('answers errors of pages with 400 in version 1, whose SDK shows the message of no 422', async () => {
    service.worker.follow(() => failed('UPSTREAM_ERROR'));
    expect(await ask('/firecrawl/v1/scrape', { body: { url: URL_A } })).toMatchObject({
      status: 400,
      json: { success: false, code: 'UPSTREAM_ERROR' },
    });
  });

  it('refuses a word that is not a URL before it is fetched', async () => {
    expect(await ask('/v2/scrape', { body: { url: 'notaurl' } })).toMatchObject({
      status: 400,
      json: { success: false, code: 'INVALID_URL' },
    });
  });

  it('answers the 429 of a page as its error, and an error of ours with 5xx', async () => {
    service.worker.follow(() => failed('RATE_LIMITED', { source: 'target' }));
    expect((await ask('/v2/scrape', { body: { url: URL_A } })).status).toBe(422);
    service.worker.follow(() => failed('INTERNAL_ERROR'));
    expect(await ask('/v2/scrape', { body: { url: URL_A } })).toMatchObject({
      status: 500,
      json: { code: 'INTERNAL_ERROR' },
    });
  });

  it.each([
    [
      { url: URL_A, formats: ['summary'] },
      'NOT_SUPPORTED',
      'formats.0 is not supported. The operator has not set up a language model',
    ],
    [{ url: URL_A, lockdown: true }, 'NOT_SUPPORTED', 'lockdown is not supported'],
    [{ url: URL_A, format: ['markdown'] }, 'INVALID_REQUEST', 'did you mean "formats"?'],
    [{ url: URL_A, formats: ['markup'] }, 'INVALID_REQUEST', 'formats.0 must be one of: markdown'],
    [{}, 'INVALID_REQUEST', 'url is required'],
    [{ url: 'http://10.0.0.1/' }, 'INVALID_URL', '10.0.0.1'],
    [{ url: 'ftp://example.com/' }, 'INVALID_URL', 'ftp'],
    [{ url: URL_A, excludeTags: ['a['] }, 'INVALID_SELECTOR', 'exclude'],
    [{ url: URL_A, headers: { Host: 'a' } }, 'INVALID_REQUEST', 'headers.Host'],
    [{ url: URL_A, profile: { name: 'prof_1' }, proxy: 'stealth' }, 'INVALID_REQUEST', 'profile'],
  ])('rejects %j with %s', async (body, code, message) => {
    expect(await ask('/v2/scrape', { body })).toMatchObject({
      status: 400,
      json: { success: false, code, error: expect.stringContaining(message) },
    });
    expect(service.worker.commands).toEqual([]);
  });
});
