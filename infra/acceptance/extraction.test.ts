import { compileSchema, FORMAT_NAMES, ScrapeResponseSchema } from '@gleaner/contracts';
import { eventually, typedPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HAS_BROWSER, type TestAnswer, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let bed: TestStack;

beforeAll(async () => {
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const ENGINES = HAS_BROWSER ? [{ render: false }, { render: true }] : [{ render: false }];

function sentAs(type: string, text: string): string {
  return bed.origin.url + typedPath(type, text);
}

const CARDS = `<h1>Kettles</h1><ul><li class=card><h2>Emma</h2><i>3 left</i><li class=card><h2>Otto</h2><i>none</i></ul>`;
const SELECTORS = {
  heading: 'h1',
  cards: { selector: '.card', all: true, fields: { name: 'h2', left: { selector: 'i', pattern: '\\d+' } } },
};

async function finishedJob(body: object): Promise<string> {
  const { status, json } = await bed.ask('/v1/jobs', body);
  expect([status, json.error]).toEqual([202, undefined]);
  await eventually(async () => {
    const { job } = (await bed.ask(`/v1/jobs/${json.job.id}`)).json;
    expect(job.completedUrls).toBe(job.totalUrls);
    expect(['completed', 'partial', 'failed']).toContain(job.status);
  });
  return json.job.id;
}

const LIST = `<header><a href=/>Shop</a><img src=/logo.png></header><nav>Sale</nav><main><h1>Kettles</h1>
<article><h2>Emma</h2><p>${'A kettle of steel, which boils water in two minutes, quietly and safely, for years. '.repeat(3)}</p></article>
<article><h2>Otto</h2><p>Glass.<img src=/s.png srcset="/l.png 2x" alt=Otto width=300></p></article><aside>Cups</aside></main><footer>Imprint</footer>`;

const RICH = `<!doctype html><html lang=en><title>Kettles</title><link rel=canonical href=/k><link rel=icon href=/i.png>
<link rel=alternate type=application/rss+xml href=/feed><meta property=og:title content=K><meta property=og:image content=/1.png>
<meta name=author content="A. Writer"><meta name=twitter:card content=summary>
<script type="application/ld+json">{"@type":"Product","offers":[{"price":9.5}]}</script>
<div itemscope itemtype="https://schema.org/Offer" itemid="https://a.example/1"><b itemprop=price>9.5</b></div>
<nav><a href=/a rel=nofollow>A</a><a href=/b><img alt=B src=/b.png></a></nav><article><h1>Kettles</h1>${'<p>Water boils in a kettle, which stands on the stove, until it whistles and is poured over the leaves of the tea.</p>'.repeat(12)}</article>
<table><caption>Sizes<tr><th>Part<th>Size<tr><td>Lid<td rowspan=2>12<tr><td>Base</table><table><tr><td>1<td>2<tr><td>3</table>`;

describe('extraction over REST', () => {
  it.each(ENGINES)('returns every format as its schema describes it (%j)', async (engine) => {
    const checkResponse = compileSchema(ScrapeResponseSchema);
    for (const [type, text] of [
      ['text/html', RICH],
      ['text/html', '<table>'],
      [
        'application/rss+xml',
        '<rss><channel><title>News</title><link>https://a.example/</link></channel></rss>',
      ],
      ['application/json', '{"a":[1,2]}'],
    ] as const) {
      const { json } = await bed.ask('/v1/scrape', {
        url: sentAs(type, text),
        formats: FORMAT_NAMES,
        ...engine,
      });
      expect(checkResponse(json)).toMatchObject({ ok: true });
      expect(Object.keys(json.formats)).toEqual(FORMAT_NAMES);
    }
  });

  it.each(ENGINES)('returns formats with or without data (%j)', async (engine) => {
    const page = { url: sentAs('text/html', CARDS), formats: ['text', 'html', 'metadata'], ...engine };
    const only = await bed.ask('/v1/scrape', page);
    expect(only.json).not.toHaveProperty('data');
    expect(only.json.formats).toEqual({
      text: 'Kettles\nEmma\n3 left\nOtto\nnone',
      html: expect.stringContaining('<h1>Kettles</h1>'),
      metadata: expect.objectContaining({ title: null, jsonLd: [] }),
    });
    const both = await bed.ask('/v1/scrape', { ...page, selectors: { heading: 'h1' } });
    expect(both.json).toMatchObject({ data: { heading: 'Kettles' }, formats: only.json.formats });
    expect(both.json.metadata.credits).toBe(engine.render ? 5 : 1);
  });

  it.each(ENGINES)(
    'reads the list of a page as its main content, where the article is one teaser (%j)',
    async (engine) => {
      const images = { type: 'images', main: true };
      const formats = ['article', { type: 'markdown', main: true, exclude: 'p' }, images];
      const page = { url: sentAs('text/html', LIST), ...engine };
      const { json } = await bed.ask('/v1/scrape', { ...page, formats });
      expect(json.formats.article.markdown).not.toContain('Otto');
      const url = `${bed.origin.url}/l.png`;
      expect(json.formats.images).toEqual([{ url, alt: 'Otto', width: 300, height: null }]);
      expect(json.formats.markdown).toBe('# Kettles\n\n## Emma\n\n## Otto');
      const crawl = {
        limit: 1,
        sitemap: 'skip',
        robots: 'ignore',
        rules: [{ match: '**', follow: false, formats }],
      };
      const id = await finishedJob({ urls: [page.url], crawl, ...engine });
      const { job } = (await bed.ask(`/v1/jobs/${id}`)).json;
      expect(job.results).toMatchObject([{ formats: json.formats }]);
    },
  );

  it.each(ENGINES)('reads JSON documents by their paths (%j)', async (engine) => {
    const url = sentAs('application/json', '{"offers":[{"id":1},{"id":2,"html":"<b>x</b>"}]}');
    const selectors = {
      ids: { json: '$.offers[*].id', all: true },
      offers: { json: '$.offers[*]', all: true, fields: { html: { json: '$.html' } } },
    };
    const { json } = await bed.ask('/v1/scrape', { url, selectors, ...engine });
    expect(json.data).toEqual({ ids: [1, 2], offers: [{ html: null }, { html: '<b>x</b>' }] });
  });

  it.each(ENGINES)(
    'fails alike in a scrape and a job when a required field is missing (%j)',
    async (engine) => {
      const request = { selectors: { title: { selector: 'h6', required: true } }, ...engine };
      const url = `${sentAs('text/html', CARDS)}&seen=${engine.render}`;
      const before = (await bed.ask('/v1/usage')).json.usage.used;
      const scrape: TestAnswer = await bed.ask('/v1/scrape', { url, ...request });
      expect([scrape.status, scrape.json.error.code]).toEqual([422, 'REQUIRED_FIELD_MISSING']);
      const id = await finishedJob({ urls: [url], ...request });
      const { job } = (await bed.ask(`/v1/jobs/${id}`)).json;
      expect(job).toMatchObject({ status: 'failed', creditsUsed: 0 });
      expect((await bed.ask('/v1/usage')).json.usage.used).toBe(before);
      const { requestId: _requestId, attempts, ...error } = scrape.json.error;
      const { attempts: attemptsOfPage, ...errorOfPage } = job.results[0].error;
      expect(error).toEqual(errorOfPage);
      expect(error).toMatchObject({
        source: 'target',
        targetStatusCode: 200,
        details: [{ path: 'selectors.title', message: expect.stringContaining('"h6"') }],
      });
      for (const [attempt, ...others] of [attempts, attemptsOfPage]) {
        expect(others).toEqual([]);
        expect(attempt).toMatchObject({ statusCode: 200, outcome: 'REQUIRED_FIELD_MISSING' });
      }
      expect(bed.origin.requests.filter((seen) => seen.url.endsWith(`seen=${engine.render}`))).toHaveLength(
        2,
      );
    },
  );

  it('keeps the shape and the query of a failing URL in a scrape and a job', async () => {
    const url = `${bed.origin.url}/status/404?page=7`;
    const scrape = await bed.ask('/v1/scrape', { url });
    const id = await finishedJob({ urls: [url] });
    const [page] = (await bed.ask(`/v1/jobs/${id}`)).json.job.results;
    const fields = ['code', 'message', 'suggestion', 'source', 'targetStatusCode', 'attempts'];
    expect(Object.keys(scrape.json.error).sort()).toEqual([...fields, 'requestId'].sort());
    expect(Object.keys(page.error).sort()).toEqual([...fields].sort());
    expect(scrape.json.error.message).toContain('/status/404?page=7');
    expect(page.error.message).toBe(scrape.json.error.message);
  });

  it('exports the records of a job as rows of CSV, with a column for each format', async () => {
    const urls = [sentAs('text/html', CARDS), `${bed.origin.url}/status/404`];
    const id = await finishedJob({ urls, selectors: SELECTORS, formats: ['text'], locale: 'en' });
    const { bytes, headers } = await bed.ask(`/v1/jobs/${id}/results?format=csv&rows=cards&pages=all`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.csv"`);
    const [head, ...lines] = bytes.toString().trimEnd().split('\r\n');
    expect(head).toMatch(/^heading,name,left,formats\.text,url,error,/);
    const [emma, otto] = lines;
    expect(emma).toContain('Kettles,Emma,3,"Kettles');
    expect(otto).toContain('Kettles,Otto,,"Kettles');
    expect(lines.at(-1)).toContain(',NOT_FOUND,');
    const rejected = await bed.ask(`/v1/jobs/${id}/results?format=csv&rows=heading`);
    expect(rejected.json.error.details[0].message).toContain('cards');
  });

  it('runs a schedule with its formats and locale', async () => {
    const body = {
      url: sentAs('text/html', CARDS),
      cron: '0 0 1 1 *',
      formats: [{ type: 'text', include: 'h1, h2', exclude: '.card ~ .card' }],
      locale: 'de',
    };
    const { json } = await bed.ask('/v1/schedules', body);
    expect(json.schedule).toMatchObject(body);
    const run = await bed.ask(`/v1/schedules/${json.schedule.id}/run`, {});
    expect([run.status, run.json.error]).toEqual([202, undefined]);
    await eventually(async () => {
      const { job } = (await bed.ask(`/v1/jobs/${run.json.job.id}`)).json;
      expect(job).toMatchObject({
        status: 'completed',
        results: [{ formats: { text: 'Kettles\nEmma' } }],
      });
    });
  });
});
