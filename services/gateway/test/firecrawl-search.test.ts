import { type SearxngStub, startSearxng } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failed, found } from './support/scripted-worker.ts';
import type { TestGateway } from './support/test-bed.ts';
import { useFirecrawl } from './support/use-firecrawl.ts';

const firecrawl = useFirecrawl();
const { service, ask } = firecrawl;
let searxng: SearxngStub;
let at: TestGateway;

beforeAll(async () => {
  searxng = await startSearxng();
  at = await service.bed.startGateway({ SEARCH_URL: searxng.url });
});
afterAll(async () => {
  await searxng[Symbol.asyncDispose]();
});

const urlOf = (index: number) => `https://example.com/1/${index}`;
const MARKDOWN = JSON.stringify({ markdown: '# A page' });

describe('POST /search', () => {
  it('lists results, in version 1 as data itself', async () => {
    const result = { url: urlOf(0), title: 'a 0', description: 'Page 1.', position: 1 };
    const body = { query: 'a', limit: 1, origin: 'test', integration: null };
    expect(await ask('/v2/search', { body, at })).toMatchObject({
      status: 200,
      json: { success: true, data: { web: [result] }, creditsUsed: 0 },
    });
    expect((await ask('/firecrawl/v1/search', { body, at })).json).toEqual({
      success: true,
      data: [result],
      creditsUsed: 0,
    });
  });

  it('has ten results by default, five in version 1, and none where nothing is found', async () => {
    const { json } = await ask('/v2/search', { body: { query: 'a' }, at });
    expect(json.data.web).toHaveLength(10);
    const older = { query: 'a', lang: 'en', country: 'us', timeout: 60_000, scrapeOptions: { formats: [] } };
    const { data, ...rest } = (await ask('/firecrawl/v1/search', { body: older, at })).json;
    expect([data.length, rest]).toEqual([5, { success: true, creditsUsed: 0 }]);
    expect(searxng.asked.at(-1)).toMatchObject({ language: 'en' });
    const nothing = await ask('/v2/search', { body: { query: 'dead' }, at });
    expect(nothing.json).toMatchObject({ data: { web: [] }, warning: expect.stringContaining('duckduckgo') });
  });

  it('scrapes the results where formats are asked for, at most ten', async () => {
    firecrawl.service.worker.follow(({ body }) =>
      body.request.url === urlOf(1)
        ? failed('NOT_FOUND', { message: 'It answered 404.', targetStatusCode: 404 })
        : found({ formatsJson: MARKDOWN }),
    );
    const scrapeOptions = { formats: ['markdown'], skipTlsVerification: true };
    const body = { query: 'a', limit: 20, tbs: 'qdr:w', includeDomains: ['example.com'], scrapeOptions };
    const { status, json } = await ask('/v2/search', { body, at });
    expect([status, json.data.web.length, json.creditsUsed]).toEqual([200, 10, 9]);
    expect(json.data.web.slice(0, 2)).toMatchObject([
      {
        url: urlOf(0),
        title: 'a 0',
        markdown: '# A page',
        metadata: { sourceURL: urlOf(0), creditsUsed: 1 },
      },
      { url: urlOf(1), metadata: { statusCode: 404, error: 'It answered 404.' } },
    ]);
    expect(json.warning).toMatch(
      /^scrapeOptions\.skipTlsVerification has no effect.*limit is 10, the most with pages here\.$/,
    );
    expect(searxng.asked.at(-1)).toMatchObject({ q: 'a site:example.com', time_range: 'week' });
  });

  it('searches news and images, each with the limit, and scrapes the web alone', async () => {
    service.worker.follow(() => found({ formatsJson: MARKDOWN }));
    const sources = ['images', { type: 'news' }, 'web', 'alexandria'];
    const body = { query: 'a', limit: 2, sources, scrapeOptions: { formats: ['markdown'] } };
    const { json } = await ask('/v2/search', { body, at });
    expect(json).toMatchObject({
      data: {
        web: [{ url: urlOf(0), markdown: '# A page' }, { url: urlOf(1) }],
        news: [
          { url: urlOf(0), title: 'a 0', snippet: 'Page 1.', date: '2026-01-31T12:00:00.000Z', position: 1 },
          { url: urlOf(1) },
        ],
        images: [
          { url: urlOf(0), title: 'a 0', imageUrl: 'https://example.com/1/0.png', position: 1 },
          { imageUrl: 'https://example.com/1/1.png' },
        ],
      },
      creditsUsed: 2,
      warning: 'sources: alexandria is left out.',
    });
    expect(json.data.news[0].markdown).toBeUndefined();
    expect(
      searxng.asked
        .slice(-3)
        .map(({ categories = 'general' }) => categories)
        .toSorted(),
    ).toEqual(['general', 'images', 'news']);
  });

  it('leaves out images without an address, and inside of private networks', async () => {
    const images = { query: 'inside', limit: 2, sources: ['images'] };
    expect((await ask('/v2/search', { body: images, at })).json).toMatchObject({
      data: { images: [{ imageUrl: 'https://example.com/a.png' }] },
      warning: expect.stringMatching(/no URL.*private network/),
    });
  });

  it.each([
    [{ sources: ['alexandria'] }, 'sources'],
    [{ tbs: 'cdr:1' }, 'tbs'],
    [{ tbs: 'constructor' }, 'tbs'],
    [{ includeDomains: ['a.example', 'b.example'] }, 'includeDomains'],
    [{ excludeDomains: ['a.example'] }, 'excludeDomains'],
    [{ categories: ['github'] }, 'categories'],
    [{ enterprise: ['zdr'] }, 'enterprise'],
    [{ scrapeOptions: { formats: ['summary'] } }, 'scrapeOptions.formats.0'],
  ])('refuses %j, which has no equal', async (more, path) => {
    const { status, json } = await ask('/v2/search', { body: { query: 'a', ...more }, at });
    expect([status, json.code, json.details.map((detail: { path: string }) => detail.path)]).toEqual([
      400,
      'NOT_SUPPORTED',
      [path],
    ]);
  });

  it('refuses a query that is missing or leads elsewhere, and sends no profile to results', async () => {
    const codes = [];
    const profile = { formats: ['markdown'], profile: { name: 'prof_1' } };
    for (const body of [{}, { query: '!!g a' }, { query: 'a', scrapeOptions: profile }])
      codes.push((await ask('/v2/search', { body, at })).json.code);
    expect(codes).toEqual(Array(3).fill('INVALID_REQUEST'));
  });

  it('tells what the operator has to do', async () => {
    expect(await ask('/v2/search', { body: { query: 'a' } })).toMatchObject({
      status: 503,
      json: { success: false, code: 'NOT_CONFIGURED', error: expect.stringContaining('SEARCH_URL') },
    });
    expect(await ask('/v2/search', { body: { query: 'forbidden' }, at })).toMatchObject({
      status: 502,
      json: { code: 'SEARCH_MISCONFIGURED', error: expect.stringContaining('settings.yml') },
    });
  });
});
