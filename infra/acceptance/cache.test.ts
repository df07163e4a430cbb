import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gleaner } from '@gleaner/client';
import { type Site, startSite } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

const TEXT = 'A kettle boils a litre of water in four minutes, and is made of glass and steel. '.repeat(5);
const HOUR_MS = 3_600_000;

let bed: TestStack;
let gleaner: Gleaner;
let site: Site;
let folder: string;

beforeAll(async () => {
  bed = await joinStack();
  gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
  folder = await mkdtemp(join(tmpdir(), 'gleaner-cache-'));
  // Each answer has a number of its own.
  site = await startSite(({ number, response }) => {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': `visit=${number}` });
    response.end(`<!doctype html><title>Kettles</title><h1>${number}</h1><h2>Emma</h2><p>${TEXT}`);
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const NUMBER = { number: 'h1' };

describe('maxAge', () => {
  it('takes the page of before, for other selectors and formats as well, and counts it as cached', async () => {
    const url = `${site.origin}/scrapes`;
    const first = await gleaner.scrape({ url, maxAge: HOUR_MS, selectors: NUMBER });
    const request = {
      url,
      maxAge: HOUR_MS,
      selectors: { ...NUMBER, name: 'h2' },
      formats: ['text' as const],
    };
    const second = await gleaner.scrape(request);
    expect(second).toMatchObject({
      data: { number: first.data.number, name: 'Emma' },
      formats: { text: expect.stringContaining('four minutes') },
      metadata: { credits: 0, engine: 'http', cache: { age: expect.any(Number) } },
    });
    expect(first.metadata).not.toHaveProperty('cache');
    const { json } = await bed.ask('/v1/usage');
    expect(json.usage).toMatchObject({ used: 1, byOperation: { cached: { credits: 0, requests: 1 } } });
    const afresh = await gleaner.scrape({ url, selectors: NUMBER });
    expect(afresh.data.number).not.toBe(first.data.number);
  });

  it('is shared by scrapes, jobs, the command line and programs written for Firecrawl', async () => {
    const urls = [`${site.origin}/one`, `${site.origin}/two`];
    const args = ['scrape', urls[0] ?? '', '--max-age', `${HOUR_MS}`, '-s', 'number=h1'];
    const { stdout } = await runGleaner(bed.stack, folder, args);
    const { id } = await gleaner.jobs.create({ urls, maxAge: HOUR_MS, selectors: NUMBER });
    expect(await gleaner.jobs.wait(id)).toMatchObject({ status: 'completed', creditsUsed: 1 });
    const results = [];
    for await (const result of gleaner.jobs.results(id)) results.push(result);
    expect(results).toMatchObject([
      { data: JSON.parse(stdout), metadata: { credits: 0, cache: { age: expect.any(Number) } } },
      { metadata: { credits: 1 } },
    ]);
    const body = { url: `${site.origin}/firecrawl`, maxAge: HOUR_MS };
    await bed.ask('/v2/scrape', body);
    const { json } = await bed.ask('/v2/scrape', body);
    expect(json.data.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 0 });
    const stored = await bed.ask('/v2/scrape', { ...body, storeInCache: false });
    expect(stored.json.data.metadata).toMatchObject({ creditsUsed: 1 });
  });

  it('keeps no page of a crawl, and takes none for it', async () => {
    const url = `${site.origin}/crawled`;
    await gleaner.scrape({ url, maxAge: HOUR_MS });
    const { id } = await gleaner.jobs.create({ urls: [url], crawl: { limit: 1 }, maxAge: HOUR_MS });
    expect(await gleaner.jobs.wait(id)).toMatchObject({ status: 'completed', creditsUsed: 1 });
  });
});
