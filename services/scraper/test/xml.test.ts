import type { ScrapeResult } from '@gleaner/contracts';
import { typedPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const RSS = `<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title><link>https://example.org/</link>
<item><pubDate>now</pubDate><dc:creator>Ann</dc:creator><description><![CDATA[<b>x</b>]]></description></item></channel></rss>`;

const XHTML = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A&nbsp;page</title></head><body><h1/><p class="x">one<br/>two</p>
<svg xmlns="http://www.w3.org/2000/svg"><linearGradient/></svg></body></html>`;

/** Documents by type, with selectors and the expected data. */
const CASES = [
  {
    type: 'application/rss+xml',
    source: RSS,
    selectors: {
      link: 'channel > link',
      date: 'item > pubDate',
      folded: 'item > pubdate',
      creator: 'creator::html',
      description: 'item > description',
    },
    data: {
      link: 'https://example.org/',
      date: 'now',
      folded: null,
      creator: '<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Ann</dc:creator>',
      description: '<b>x</b>',
    },
  },
  {
    type: 'application/atom+xml',
    source:
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><title>One</title><link href="/1"/></entry></feed>',
    selectors: { title: 'entry > title::html', link: { selector: 'entry > link::attr(href)' }, page: 'pre' },
    data: { title: '<title xmlns="http://www.w3.org/2005/Atom">One</title>', link: '/1', page: null },
  },
  {
    type: 'application/xml',
    source: '<?xml version="1.0"?><urlset><url><loc>https://example.org/1</loc></url></urlset>',
    selectors: { all: 'url > loc::all', page: 'html' },
    data: { all: ['https://example.org/1'], page: null },
  },
  {
    type: 'application/xhtml+xml',
    source: XHTML,
    selectors: { title: 'title', heading: 'h1', p: 'h1 + p::html', gradient: 'lineargradient' },
    data: {
      title: 'A page',
      heading: '',
      p: '<p xmlns="http://www.w3.org/1999/xhtml" class="x">one<br />two</p>',
      gradient: null,
    },
  },
  {
    type: 'image/svg+xml',
    source: '<svg xmlns="http://www.w3.org/2000/svg"><title>Drawing</title><linearGradient id="a"/></svg>',
    selectors: { title: 'title', gradient: 'linearGradient::attr(id)' },
    data: { title: 'Drawing', gradient: 'a' },
  },
];

async function resultOf(scraper: TestScraper, request: object): Promise<ScrapeResult> {
  const reply = await scraper.scrape(request as Parameters<TestScraper['scrape']>[0]);
  if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  return reply.result;
}

describe('a scrape of XML', () => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper();
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it.each(CASES)('sent as $type reads it as XML', async ({ type, source, selectors, data }) => {
    const { dataJson } = await resultOf(scraper, {
      url: scraper.origin.url + typedPath(type, source),
      selectors,
    });
    expect(JSON.parse(dataJson ?? '')).toEqual(data);
  });

  it('reads a feed that was sent as HTML', async () => {
    const url = scraper.origin.url + typedPath('text/html', RSS);
    const { dataJson } = await resultOf(scraper, { url, selectors: { link: 'channel > link' } });
    expect(JSON.parse(dataJson ?? '')).toEqual({ link: 'https://example.org/' });
  });

  it('reads XML that is not well-formed, with a warning', async () => {
    const url = scraper.origin.url + typedPath('text/xml', '<rss><title>a & b</title><link>x</link></rss>');
    const { dataJson, warnings } = await resultOf(scraper, {
      url,
      selectors: { title: 'title', link: 'link' },
    });
    expect(JSON.parse(dataJson ?? '')).toEqual({ title: 'a & b', link: 'x' });
    expect(warnings).toEqual([
      { code: 'XML_NOT_WELL_FORMED', message: expect.stringContaining('as far as its tags tell') },
    ]);
    const { warnings: ofDefaults } = await resultOf(scraper, { url });
    expect(ofDefaults).toEqual(warnings);
  });

  it('describes a feed when no selectors are given', async () => {
    const { dataJson } = await resultOf(scraper, { url: scraper.origin.url + typedPath('text/xml', RSS) });
    expect(JSON.parse(dataJson ?? '')).toMatchObject({ title: 'News', links: ['https://example.org/'] });
  });
});

await describeWithBrowser('a rendered XML document', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it.each(CASES)(
    'sent as $type gives the same data as a plain scrape',
    async ({ type, source, selectors, data }) => {
      const url = scraper.origin.url + typedPath(type, source);
      const { dataJson, engine } = await resultOf(scraper, { url, selectors, render: true });
      expect(engine).toBe('browser');
      expect(JSON.parse(dataJson ?? '')).toEqual(data);
    },
  );

  it('that is not well-formed is read up to its first error, with a warning', async () => {
    const url = scraper.origin.url + typedPath('application/xhtml+xml', XHTML.replace('<br/>two', '<br>two'));
    const { dataJson, warnings } = await resultOf(scraper, { url, selectors: { p: 'p' }, render: true });
    expect(JSON.parse(dataJson ?? '')).toEqual({ p: 'one' });
    expect(warnings).toEqual([
      { code: 'XML_NOT_WELL_FORMED', message: expect.stringContaining('up to its first error') },
    ]);
  });

  it('is read as its scripts have changed it', async () => {
    const script = "document.querySelector('p').setAttribute('title', 'new')";
    const source = XHTML.replace('</body>', `<script>${script}</script></body>`);
    const url = scraper.origin.url + typedPath('application/xhtml+xml', source);
    const { dataJson } = await resultOf(scraper, {
      url,
      selectors: { title: 'p::attr(title)' },
      render: true,
    });
    expect(JSON.parse(dataJson ?? '')).toEqual({ title: 'new' });
  });
});
