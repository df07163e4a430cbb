import { brotliDecompressSync } from 'node:zlib';
import type { Broker } from '@gleaner/broker';
import type { PackedPage, PageOutcome, ScrapeRequest, SnapshotCommand } from '@gleaner/contracts';
import { eventually, htmlPath, typedPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packPage } from '../src/snapshots/pack-page.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const PAGE = htmlPath(
  `<!doctype html><title>Shop</title><ul>${['Emma', 'Otto', 'Ada']
    .map((name) => `<li class=kettle><h2>${name}</h2><a href=/${name}>more</a>`)
    .join('')}</ul><script>document.title = 'ran'</script>`,
);

async function snapshotOf(scraper: TestScraper, request: ScrapeRequest): Promise<PackedPage> {
  const reply = await scraper.scrape({ ...request, snapshot: true });
  if (!reply.ok || !reply.result.snapshot) throw new Error(JSON.stringify(reply));
  return reply.result.snapshot;
}

function unpack(text: string): string {
  return brotliDecompressSync(Buffer.from(text, 'base64')).toString();
}

describe('snapshots', () => {
  let scraper: TestScraper;
  let broker: Broker;
  let page: PackedPage;

  beforeAll(async () => {
    scraper = await startTestScraper();
    broker = await scraper.connect();
    page = await snapshotOf(scraper, { url: PAGE });
  });
  afterAll(async () => {
    await broker.close();
    await scraper[Symbol.asyncDispose]();
  });

  async function work(task: SnapshotCommand['task'], from = page): Promise<string> {
    const command = { accountId: 'acc_test', page: from, task };
    const { content } = await broker.request('snapshots.commands', command, { timeoutMs: 240_000 });
    return unpack(content);
  }

  it('are the page as it was read', async () => {
    expect(page).toMatchObject({ kind: 'html', baseUrl: `${scraper.origin.url}${PAGE}` });
    expect(unpack(page.source)).toContain("<script>document.title = 'ran'</script>");
  });

  it('are returned only if the request asks for one', async () => {
    const reply = await scraper.scrape({ url: PAGE });
    expect(reply.ok && reply.result.snapshot).toBeUndefined();
  });

  it('come with pages of a job that show the fields of its schedule, also where these lack a required one', async () => {
    const request = { url: PAGE, selectors: { price: { selector: '.price', required: true } } };
    for (const [pageId, evidence] of [
      ['job_1:0', ['job_1:0']],
      ['job_1:1', ['job_1:0']],
    ] as const) {
      await scraper.sendPage(request, { pageId, evidence: [...evidence] });
      const outcome = await eventually(() => {
        const found = scraper.outcomes.find((each) => each.pageId === pageId);
        expect(found).toBeDefined();
        return found?.outcome as Extract<PageOutcome['outcome'], { kind: 'failed' }>;
      });
      expect(outcome.failure).toMatchObject({ code: 'REQUIRED_FIELD_MISSING', verdict: 'content' });
      expect(outcome.snapshot).toEqual(pageId === 'job_1:0' ? page : undefined);
    }
    const reply = await scraper.scrape({ ...request, snapshot: true });
    expect(reply).toMatchObject({ ok: false, failure: { code: 'REQUIRED_FIELD_MISSING' } });
    expect(reply).not.toHaveProperty('snapshot');
  });

  it('give the values that a scrape gives, with the elements that they come from', async () => {
    const selectors = { names: 'h2::text::all', link: { selector: 'a::attr(href)', type: 'url' } } as const;
    const reply = await scraper.scrape({ url: PAGE, selectors, formats: ['text'] });
    const result = JSON.parse(await work({ type: 'extract', request: { selectors, formats: ['text'] } }));
    expect(reply.ok && JSON.parse(reply.result.dataJson ?? '')).toEqual(result.data);
    expect(reply.ok && JSON.parse(reply.result.formatsJson ?? '')).toEqual(result.formats);
    expect(result.matches).toEqual({ names: [6, 9, 12], link: [7, 10, 13] });
  });

  it('give formats of a part of the page, with a warning where it does not exist', async () => {
    const formats = [{ type: 'text' as const, include: 'h2', exclude: '.kettle:first-child' }];
    const found = JSON.parse(await work({ type: 'extract', request: { formats } }));
    expect(found).toEqual({ success: true, formats: { text: 'Otto\nAda' }, matches: {} });
    const none = { formats: [{ type: 'markdown' as const, include: 'h9' }] };
    expect(JSON.parse(await work({ type: 'extract', request: none }))).toMatchObject({
      formats: { markdown: '' },
      warnings: [{ field: 'formats.markdown', code: 'SELECTOR_NO_MATCH' }],
    });
  });

  it('give links in the encoding of the page', async () => {
    const legacy = await snapshotOf(scraper, { url: LEGACY });
    const result = JSON.parse(await work({ type: 'extract', request: { selectors: LEGACY_LINK } }, legacy));
    expect(result.data.link).toMatch(/\/s\?q=%E9$/);
  });

  it('give the default data without selectors', async () => {
    const result = JSON.parse(await work({ type: 'extract', request: {} }));
    expect(result).toMatchObject({ success: true, data: { title: 'Shop' }, matches: {} });
  });

  it('give selectors for picked elements, also tested on others', async () => {
    const task: SnapshotCommand['task'] = {
      type: 'suggest',
      request: { kind: 'list', picks: [5, 8] },
      others: [page],
    };
    const { candidates } = JSON.parse(await work(task));
    expect(candidates[0]).toMatchObject({ kind: 'list', matches: 3, stableOn: '1 of 1' });
  });

  it('give the selectors of fields that another page has elsewhere', async () => {
    const redesigned =
      '<main><article><h4>Emma</h4></article><article><h4>Otto</h4></article><article><h4>Ada</h4></article></main>';
    const task: SnapshotCommand['task'] = {
      type: 'repair',
      selectors: { names: 'h2::text::all', never: '.never' },
      paths: [['names'], ['never']],
      now: await packPage(redesigned, { kind: 'html', baseUrl: PAGE }),
      others: [],
    };
    expect(JSON.parse(await work(task))).toMatchObject([
      { isVerified: true, selector: 'h2, article h4::text::all', now: ['Emma', 'Otto', 'Ada'] },
      { note: expect.any(String) },
    ]);
  });

  it('are shown without their scripts, with numbers on their elements', async () => {
    const view = await work({ type: 'view' });
    expect(view).toContain('<h2 data-gl-n="6">Emma</h2>');
    expect(view).not.toContain('<script');
    const withPicker = await work({ type: 'view', script: 'pick()' });
    expect(withPicker.match(/<script>.*?<\/script>/g)).toEqual(['<script>pick()</script>']);
  });

  it('reject elements that the page does not have, by field', async () => {
    const asked = work({ type: 'suggest', request: { kind: 'one', picks: [999] }, others: [] });
    await expect(asked).rejects.toMatchObject({ code: 'INVALID_REQUEST', details: [{ path: 'picks' }] });
  });
});

/** A page that is not UTF-8: its links have their queries in its encoding. */
const LEGACY = typedPath('text/html; charset=iso-8859-1', Buffer.from('<a href="/s?q=é">é</a>', 'latin1'));
const LEGACY_LINK = { link: { selector: 'a::attr(href)', absolute: true } } as const;

describe('pages of jobs', () => {
  it('keep the encoding of their links in the snapshot', async () => {
    await using scraper = await startTestScraper();
    await scraper.sendPage({ url: LEGACY, snapshot: true, selectors: LEGACY_LINK });
    await eventually(() => expect(scraper.outcomes).toHaveLength(1));
    const outcome = scraper.outcomes[0]?.outcome;
    if (outcome?.kind !== 'found' || !outcome.snapshot) throw new Error('Nothing was kept.');
    const { snapshot, statusCode, engine, timestamp: readAt, dataJson } = outcome;
    expect(dataJson).toMatch(/\/s\?q=%E9"/);
    const kept = { ...snapshot, statusCode, engine, readAt };
    await scraper.sendPage({ url: LEGACY, selectors: LEGACY_LINK }, { pageId: 'job_2:0', kept });
    await eventually(() => expect(scraper.outcomes).toHaveLength(2));
    expect(scraper.outcomes[1]?.outcome).toMatchObject({ dataJson });
  });

  it('come with their snapshot, and give other values from it without being fetched', async () => {
    await using scraper = await startTestScraper();
    await scraper.sendPage({ url: PAGE, snapshot: true });
    await eventually(() => expect(scraper.outcomes).toHaveLength(1));
    const [fetched] = scraper.outcomes;
    if (fetched?.outcome.kind !== 'found' || !fetched.outcome.snapshot) throw new Error('Nothing was kept.');
    const { snapshot, statusCode, engine, timestamp, finalUrl } = fetched.outcome;
    const requests = scraper.origin.requests.length;
    const kept = { ...snapshot, statusCode, engine, readAt: timestamp };
    await scraper.sendPage({ url: PAGE, selectors: { first: 'h2' } }, { pageId: 'job_2:0', kept });
    await scraper.sendPage({ url: PAGE }, { pageId: 'job_2:1', kept: null });
    await eventually(() => expect(scraper.outcomes).toHaveLength(3));
    const outcomeOf = (id: string) => scraper.outcomes.find(({ pageId }) => pageId === id)?.outcome;
    expect(outcomeOf('job_2:0')).toMatchObject({
      kind: 'found',
      dataJson: '{"first":"Emma"}',
      attempts: [],
      price: { base: 0 },
      finalUrl,
      statusCode: 200,
      engine: 'http',
      timestamp,
    });
    expect(outcomeOf('job_2:1')).toMatchObject({ kind: 'failed', failure: { code: 'SNAPSHOT_NOT_FOUND' } });
    expect(scraper.origin.requests).toHaveLength(requests);
  });
});

await describeWithBrowser('snapshots of rendered pages', (settings) => {
  it('are the page after its scripts ran', async () => {
    await using scraper = await startTestScraper(settings);
    const { source } = await snapshotOf(scraper, { url: PAGE, render: true });
    expect(unpack(source)).toContain('<title>ran</title>');
  });

  it('keep the encoding in which the page was sent', async () => {
    await using scraper = await startTestScraper(settings);
    const request = { url: LEGACY, render: true, snapshot: true, selectors: LEGACY_LINK };
    const reply = await scraper.scrape(request);
    expect(reply.ok && reply.result).toMatchObject({
      dataJson: expect.stringMatching(/\/s\?q=%E9"/),
      snapshot: { encoding: 'windows-1252' },
    });
  });
});
