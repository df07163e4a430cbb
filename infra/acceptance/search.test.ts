import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gleaner } from '@gleaner/client';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';
import { runPython } from './run-python.ts';

let bed: TestStack;
let gleaner: Gleaner;
let folder: string;

beforeAll(async () => {
  bed = await joinStack();
  gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
  folder = await mkdtemp(join(tmpdir(), 'gleaner-search-'));
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const SCRAPE = { selectors: { title: 'h1' } };

describe('a search', () => {
  it('finds pages, scrapes them, and charges the pages alone', async () => {
    const url = `${bed.stack.demoUrl}books/emma`;
    expect(await gleaner.search({ query: 'emma' })).toMatchObject({
      results: [{ url, title: 'Emma', snippet: expect.any(String) }],
      warnings: [],
    });
    const before = (await gleaner.usage()).used;
    const { results, metadata } = await gleaner.search({ query: 'emma', scrape: SCRAPE });
    expect(results).toMatchObject([{ url, page: { data: { title: 'Emma' }, metadata: { finalUrl: url } } }]);
    expect(metadata.credits).toBe(1);
    await eventually(async () => expect((await gleaner.usage()).used).toBe(before + 1));
  });

  it('scrapes more than ten by a job, once for an Idempotency-Key', async () => {
    const body = { query: 'book', limit: 15, scrape: SCRAPE, maxCredits: 20 };
    const { results, job } = await gleaner.search(body, { idempotencyKey: 'books' });
    expect(results).toHaveLength(15);
    const again = await gleaner.search(body, { idempotencyKey: 'books' });
    expect([again.job?.id, again.results.map(({ url }) => url)]).toEqual([
      job?.id,
      results.map(({ url }) => url),
    ]);
    await expect(gleaner.search({ ...body, limit: 14 }, { idempotencyKey: 'books' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    const finished = await gleaner.jobs.wait(job?.id ?? '');
    expect(finished).toMatchObject({ status: 'completed', completedUrls: 15, creditsUsed: 15 });
    const titles: unknown[] = [];
    for await (const result of gleaner.jobs.results(job?.id ?? '')) titles.push(result.data);
    expect(titles).toEqual(results.map(({ title }) => ({ title })));
  });

  it('runs on the command line, with and without data', async () => {
    const run = (...args: string[]) => runGleaner(bed.stack, folder, ['search', ...args]);
    const found = await run('emma', '--limit', '1', '--format', 'csv');
    expect(found.stdout).toContain(`Emma,${bed.stack.demoUrl}books/emma,`);
    const file = join(folder, 'emma.ndjson');
    const scraped = await run('emma', '-s', 'title=h1', '-o', file);
    expect([scraped.code, JSON.parse(await readFile(file, 'utf8'))]).toMatchObject([
      0,
      { title: 'Emma', page: { data: { title: 'Emma' } } },
    ]);
    const many = await run('book', '--limit', '12', '-s', 'title=h1');
    expect(many.stderr).toMatch(/gleaner job results job_/);
    const refused = await run('forbidden');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('settings.yml')]);
  });

  it('runs in Python', async () => {
    const program = [
      'import os',
      'from gleaner_client import Gleaner',
      'gleaner = Gleaner(os.environ["GLEANER_URL"], os.environ["GLEANER_API_KEY"])',
      'found = gleaner.search({"query": "emma", "scrape": {"selectors": {"title": "h1"}}})',
      'print(found["results"][0]["page"]["data"]["title"])',
    ].join('\n');
    expect(await runPython(bed, folder, program)).toBe('Emma');
  });
});
