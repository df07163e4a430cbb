import type { ScrapeRequest } from '@gleaner/contracts';
import { htmlPath, makePdf, typedPath, writePdf } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** Returns a path that answers with this file. */
const pdf = (bytes: Uint8Array, type = 'application/pdf') => typedPath(type, bytes);

const REPORT = makePdf(
  [
    [{ text: 'Kettles', size: 24 }, { text: 'They boil <water> & tea.' }],
    [{ text: 'All kettles', url: 'https://shop.example/kettles?a=1&b=2' }, { text: 'The end.' }],
  ],
  { title: 'Annual report', author: 'An honest shop' },
);

describe('a PDF', () => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper();
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  async function read(url: string, options: Omit<ScrapeRequest, 'url'> = {}) {
    const reply = await scraper.scrape({ url, ...options }, { timeoutMs: 240_000 });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    const { dataJson = 'null', formatsJson = '{}', ...result } = reply.result;
    return { data: JSON.parse(dataJson), formats: JSON.parse(formatsJson), result };
  }

  async function fail(url: string, options: Omit<ScrapeRequest, 'url'> = {}) {
    const reply = await scraper.scrape({ url, ...options }, { timeoutMs: 240_000 });
    if (reply.ok) throw new Error('The scrape did not fail.');
    return reply.failure;
  }

  it('has markdown, text, links and metadata', async () => {
    const { formats, result } = await read(pdf(REPORT), {
      formats: ['markdown', 'text', 'links', 'metadata'],
    });
    const link = 'https://shop.example/kettles?a=1&b=2';
    expect(formats).toEqual({
      markdown: `# Kettles\n\nThey boil \\<water> & tea.\n\n[All kettles](${link})\n\nThe end.`,
      text: 'Kettles\nThey boil <water> & tea.\nAll kettles\nThe end.',
      links: [{ url: link, text: 'All kettles', rel: null }],
      metadata: expect.objectContaining({ title: 'Annual report', author: 'An honest shop', pages: 2 }),
    });
    expect(result).toMatchObject({
      statusCode: 200,
      engine: 'http',
      warnings: [],
      price: { base: 1 },
      verdict: { page: 'content', signals: [] },
    });
  });

  it('has title, text and links without formats, and no snapshot', async () => {
    const { data, result } = await read(pdf(REPORT), { snapshot: true });
    expect(data).toEqual({
      title: 'Annual report',
      description: null,
      text: 'Kettles\nThey boil <water> & tea.\nAll kettles\nThe end.',
      links: ['https://shop.example/kettles?a=1&b=2'],
    });
    expect(result.warnings).toEqual([expect.objectContaining({ code: 'SNAPSHOT_NOT_KEPT' })]);
    expect(result.snapshot).toBeUndefined();
  });

  it('is recognized by its first bytes, whatever its type', async () => {
    for (const type of ['text/html', 'application/octet-stream', 'text/plain']) {
      expect((await read(pdf(REPORT, type))).data).toMatchObject({ title: 'Annual report' });
    }
  });

  it('refuses selectors and formats of markup, and names each', async () => {
    const failure = await fail(pdf(REPORT), {
      selectors: { title: 'h1' },
      formats: ['markdown', 'tables', { type: 'text', main: true, exclude: 'p' }],
    });
    expect(failure).toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      targetStatusCode: 200,
      suggestion: expect.stringContaining('markdown, text, links, metadata'),
      details: [{ path: 'selectors' }, { path: 'formats.1' }, { path: 'formats.2.exclude' }],
    });
  });

  it('has the formats of its main content, as all of it is', async () => {
    const { formats } = await read(pdf(REPORT), {
      overlays: 'hide',
      formats: [{ type: 'text', main: true }],
    });
    expect(formats.text).toMatch(/^Kettles\n/);
  });

  it('is read up to a number of pages', async () => {
    const { data, result } = await read(pdf(REPORT), { pdf: { maxPages: 1 } });
    expect(data.text).toBe('Kettles\nThey boil <water> & tea.');
    expect(result.warnings).toEqual([
      { code: 'PDF_CUT', message: expect.stringContaining('first 1 of 2 pages') },
    ]);
  });

  it('without text has a warning', async () => {
    const { data, result } = await read('/files/scan.pdf');
    expect(data).toMatchObject({ title: null, text: '' });
    expect(result.warnings).toEqual([expect.objectContaining({ code: 'PDF_WITHOUT_TEXT' })]);
  });

  it('that is cut short is repaired as far as it goes, or refused', async () => {
    const cut = await fail('/files/cut.pdf');
    expect(cut).toMatchObject({ code: 'UNSUPPORTED_CONTENT', message: expect.stringContaining('damaged') });
    const { data } = await read(pdf(REPORT.subarray(0, -15)));
    expect(data.text).toContain('Kettles');
  });

  it('that is encrypted is refused', async () => {
    const entries = '/Filter /Standard /V 1 /R 2 /P -4';
    const key = '<0102030405060708091011121314151617181920212223242526272829303132>';
    const trailer = `/Encrypt << ${entries} /O ${key} /U ${key} >> /ID [<00112233> <00112233>]`;
    expect(await fail(pdf(makePdf([[{ text: 'Secret' }]], { trailer })))).toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: expect.stringContaining('encrypted'),
    });
  });

  it('is not what a page is that was sent as one', async () => {
    const failure = await fail(typedPath('application/pdf', '<h1>Please log in</h1>'));
    expect(failure).toMatchObject({ code: 'UNSUPPORTED_CONTENT', message: expect.stringContaining('%PDF-') });
    const quoting = htmlPath('<title>Files</title><p>%PDF-1.7 is how they begin.');
    expect((await read(quoting)).data).toMatchObject({ title: 'Files' });
  });

  it('that refers to itself ends', async () => {
    const tree = '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 100000 >>';
    const looped = writePdf(['<< /Type /Catalog /Pages 2 0 R >>', tree, 'null', 'null']);
    expect(await fail(pdf(looped))).toMatchObject({ code: 'UNSUPPORTED_CONTENT' });
  });
});

await describeWithBrowser('a PDF in a browser', (settings) => {
  it('is refused with the advice to fetch it', async () => {
    await using scraper = await startTestScraper(settings);
    const reply = await scraper.scrape({ url: '/files/report.pdf', render: true }, { timeoutMs: 240_000 });
    expect(reply).toMatchObject({
      ok: false,
      failure: { code: 'UNSUPPORTED_CONTENT', suggestion: expect.stringContaining('without render') },
    });
  });
});
