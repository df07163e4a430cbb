import { FORMAT_NAMES, type ScrapeRequest, type ScrapeResult } from '@gleaner/contracts';
import { eventually, htmlPath, typedPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const PAGE = htmlPath(
  `<!doctype html><title>Shop</title><h1>Kettles</h1><p>Two of them.</p><a href=/next>Next</a>
  <table><caption>Prices<tr><th>Name<th>Price<tr><td>Emma<td>19.90<tr><td>Otto<td>24.50</table>`,
);
const LIST = htmlPath(
  `<!doctype html><header>Shop<nav>Home</nav></header><main><header><h1>Kettles</h1></header>
  <article>Emma</article><article>Otto</article><aside>Cups</aside></main><footer>Imprint</footer>`,
);
const JSON_TEXT = '{"offers": [{"id": 7, "html": "<b>x</b> &amp;"}]}';

async function resultOf(scraper: TestScraper, request: ScrapeRequest): Promise<ScrapeResult> {
  const reply = await scraper.scrape(request);
  if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  return reply.result;
}

async function formatsOf(scraper: TestScraper, request: ScrapeRequest): Promise<Record<string, unknown>> {
  const { formatsJson, dataJson } = await resultOf(scraper, request);
  expect(dataJson).toBeUndefined();
  return JSON.parse(formatsJson ?? '');
}

describe('formats', () => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper();
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it('are read beside the values of the selectors, and cost nothing more', async () => {
    const { dataJson, formatsJson, price } = await resultOf(scraper, {
      url: PAGE,
      selectors: { heading: 'h1' },
      formats: ['links', 'text'],
    });
    expect(JSON.parse(dataJson ?? '')).toEqual({ heading: 'Kettles' });
    expect(Object.keys(JSON.parse(formatsJson ?? ''))).toEqual(['links', 'text']);
    expect(price).toEqual({ base: 1 });
  });

  it('are read without selectors, in the order of the request', async () => {
    const formats = await formatsOf(scraper, { url: PAGE, formats: [...FORMAT_NAMES] });
    expect(Object.keys(formats)).toEqual(FORMAT_NAMES);
    expect(formats).toMatchObject({
      markdown: expect.stringContaining('# Kettles\n'),
      metadata: { title: 'Shop', jsonLd: [] },
      links: [{ url: `${scraper.origin.url}/next`, text: 'Next' }],
      tables: [{ caption: 'Prices' }],
      text: expect.stringContaining('Kettles\nTwo of them.'),
      html: expect.stringContaining('<h1>Kettles</h1>'),
    });
  });

  it('of the main content leave out what surrounds it, and say when nothing would be left', async () => {
    const formats = [{ type: 'text' as const, main: true }];
    expect(await formatsOf(scraper, { url: LIST, formats })).toEqual({ text: 'Kettles\nEmma\nOtto' });
    const { formatsJson, warnings } = await resultOf(scraper, { url: htmlPath('<nav>All'), formats });
    expect(JSON.parse(formatsJson ?? '')).toEqual({ text: 'All' });
    expect(warnings).toMatchObject([{ field: 'formats.text', code: 'MAIN_NOT_FOUND' }]);
  });

  it('of a part of a page that is read in a thread are those of the part', async () => {
    const formats = [{ type: 'text' as const, exclude: 'p' }, 'html' as const];
    const read = await formatsOf(scraper, { url: '/size/300000', formats });
    expect(read).toEqual({ text: '', html: expect.stringContaining('<p>') });
  });

  it('of a page of a job come in its outcome', async () => {
    await scraper.sendPage({ url: PAGE, formats: ['text'] }, { pageId: 'job_1:7' });
    await eventually(() => {
      const reported = scraper.outcomes.find(({ pageId }) => pageId === 'job_1:7');
      expect(reported?.outcome).toMatchObject({
        kind: 'found',
        formatsJson: expect.stringContaining('Two of them.'),
      });
      expect(reported?.outcome).not.toHaveProperty('dataJson');
    });
  });

  it('of a page of a job count to the size of its outcome', async () => {
    await scraper.sendPage(
      { url: '/size/300000', selectors: { none: 'h6' }, formats: ['html'] },
      { pageId: 'job_1:8' },
    );
    const expected = [{ pageId: 'job_1:8', outcome: { kind: 'found' } }];
    await eventually(() => expect(scraper.largeOutcomes).toMatchObject(expected));
  });

  it('of XML that is not well-formed come with a warning', async () => {
    const url = typedPath('text/xml', '<feed><title>one</feed>');
    const { warnings } = await resultOf(scraper, { url, formats: ['text'] });
    expect(warnings).toMatchObject([{ code: 'XML_NOT_WELL_FORMED' }]);
  });

  it('that are too large together fail with the status of the page', async () => {
    const url = '/size/9000000';
    const reply = await scraper.scrape({ url, formats: ['html'], selectors: { all: 'p' } });
    expect(reply).toMatchObject({
      ok: false,
      failure: { code: 'UNSUPPORTED_CONTENT', targetStatusCode: 200 },
      attempts: [{ statusCode: 200, outcome: 'UNSUPPORTED_CONTENT' }],
    });
  });
});

await describeWithBrowser('a rendered page', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it('has the formats of what its scripts made', async () => {
    const url = htmlPath('<h1></h1><script>document.querySelector("h1").append("Late")</script>');
    const formats = await formatsOf(scraper, { url, formats: ['text', 'html'], render: true });
    expect(formats).toEqual({ text: 'Late', html: expect.stringContaining('<h1>Late</h1>') });
  });

  it('has the main content of what its scripts made', async () => {
    const url = htmlPath(
      '<div id=a>Menu</div><div id=b>List</div><script>a.setAttribute("role", "navigation")</script><footer>End',
    );
    const formats = [{ type: 'text' as const, main: true }];
    expect(await formatsOf(scraper, { url, formats, render: true })).toEqual({ text: 'List' });
  });

  it.each(['application/json', 'application/ld+json', 'text/json; charset=utf-8'])(
    'that came as %s is read as with the http engine',
    async (type) => {
      const request = { url: typedPath(type, JSON_TEXT), selectors: { all: 'pre', bold: 'b' } };
      const [plain, rendered] = await Promise.all([
        resultOf(scraper, request),
        resultOf(scraper, { ...request, render: true }),
      ]);
      expect(JSON.parse(plain.dataJson ?? '')).toEqual({ all: JSON_TEXT, bold: null });
      expect(rendered.dataJson).toBe(plain.dataJson);
    },
  );
});
