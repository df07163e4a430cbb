import { brotliDecompressSync } from 'node:zlib';
import type { Broker } from '@gleaner/broker';
import type { ExtractResponse, ScrapeRequest, SnapshotCommand } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packPage } from '../src/snapshots/pack-page.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

type Options = Extract<SnapshotCommand['task'], { type: 'read' }>['request'];

const SHOP = `<!doctype html><title>Shop</title><nav><a href=/>Home</a></nav><main><h1>Kettles</h1>
  <ul><li class=kettle><h2>Emma</h2><b>1.234,50 €</b><a href=emma>more</a><li class=kettle><h2>Otto</h2></ul></main>`;

describe('a page that a caller sends', () => {
  let scraper: TestScraper;
  let broker: Broker;

  beforeAll(async () => {
    scraper = await startTestScraper();
    broker = await scraper.connect();
  });
  afterAll(async () => {
    await broker.close();
    await scraper[Symbol.asyncDispose]();
  });

  async function read(source: string, request: Options = {}, url?: string): Promise<ExtractResponse> {
    const page = await packPage(source, { kind: 'html', baseUrl: url ?? 'about:blank' });
    const task = { type: 'read' as const, requestId: 'req_1', request, ...defined({ url }) };
    const command = { accountId: 'acc_test', page, task };
    const { content } = await broker.request('snapshots.commands', command, { timeoutMs: 240_000 });
    return JSON.parse(brotliDecompressSync(Buffer.from(content, 'base64')).toString());
  }

  it.each<[string, Options]>([
    ['nothing in particular', {}],
    ['formats', { formats: ['metadata', 'links', { type: 'markdown', main: true }] }],
    [
      'selectors',
      {
        selectors: {
          kettles: {
            selector: '.kettle',
            all: true,
            fields: { name: 'h2', price: { selector: 'b', type: 'price' } },
          },
          none: '.none',
          link: { selector: '.kettle a::attr(href)', type: 'url' },
        },
        formats: ['text'],
        locale: 'de',
      },
    ],
  ])('gives what a scrape of it gives, asked for %s', async (_name, request) => {
    const path = htmlPath(SHOP);
    const reply = await scraper.scrape({ url: path, ...request } as ScrapeRequest);
    if (!reply.ok) throw new Error(JSON.stringify(reply));
    const { dataJson, formatsJson, warnings, verdict } = reply.result;
    const response = await read(SHOP, request, `${scraper.origin.url}${path}`);
    expect(response).toEqual({
      success: true,
      ...(dataJson !== undefined && { data: JSON.parse(dataJson) }),
      ...(formatsJson !== undefined && { formats: JSON.parse(formatsJson) }),
      metadata: {
        url: `${scraper.origin.url}${path}`,
        timestamp: expect.any(String),
        duration: expect.any(Number),
        credits: 0,
        verdict,
      },
      ...(warnings.length > 0 && { warnings }),
      requestId: 'req_1',
    });
  });

  it('has no absolute links without a URL, and says so of a field', async () => {
    const selectors = { link: { selector: '.kettle a::attr(href)', type: 'url' } } as const;
    const { data, formats, warnings, metadata } = await read(SHOP, { selectors, formats: ['links'] });
    expect([data, formats]).toEqual([{ link: null }, { links: [] }]);
    expect(warnings).toMatchObject([{ field: 'link', code: 'VALUE_NOT_CONVERTED' }]);
    expect(metadata).not.toHaveProperty('url');
  });

  it('is relative to its base element even so', async () => {
    const source = `<base href=https://a.test/shop/><a href=emma>Emma</a>`;
    expect((await read(source, { formats: ['links'] })).formats).toEqual({
      links: [{ url: 'https://a.test/shop/emma', text: 'Emma', rel: null }],
    });
  });

  it('is judged as a page that was fetched', async () => {
    const { metadata, warnings } = await read(
      '<title>Sign in</title><form><input><input type=password></form>',
    );
    expect(metadata.verdict).toMatchObject({ page: 'login', basis: 'observed' });
    expect(warnings).toMatchObject([{ code: 'PAGE_SUSPECT' }]);
  });

  it('fails where a required field is missing', async () => {
    const selectors = { price: { selector: '.price', required: true } } as const;
    const code = 'REQUIRED_FIELD_MISSING';
    await expect(read(SHOP, { selectors })).rejects.toMatchObject({ code, verdict: 'content' });
    const login = '<title>Sign in</title><form><input><input type=password></form>';
    await expect(read(login, { selectors })).rejects.toMatchObject({ code, verdict: 'login' });
  });
});
