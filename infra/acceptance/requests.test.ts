import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gleaner } from '@gleaner/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let bed: TestStack;
let gleaner: Gleaner;
let folder: string;
let shop: string;

beforeAll(async () => {
  bed = await joinStack();
  gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
  shop = bed.stack.demoUrl;
  folder = await mkdtemp(join(tmpdir(), 'gleaner-requests-'));
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const AUSTEN = ['Emma', 'Pride and Prejudice'];

describe('searches by POST', () => {
  it('are scraped as a form, as the documentation shows', async () => {
    const args = ['scrape', `${shop}search`, '--form', 'q=austen', '-s', 'titles=.book h2::all'];
    const { code, stdout } = await runGleaner(bed.stack, folder, args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).titles).toEqual(expect.arrayContaining(AUSTEN));
  });

  it('are scraped as JSON, as the documentation shows', async () => {
    const { data, metadata } = await gleaner.scrape({
      url: `${shop}api/search.json`,
      json: { q: 'austen', sort: 'price' },
      selectors: {
        books: {
          json: '$.books[*]',
          all: true,
          fields: { title: { json: '$.title' }, price: { json: '$.price' } },
        },
      },
    });
    expect(data.books.map(({ title }) => title)).toEqual(expect.arrayContaining(AUSTEN));
    expect(metadata).toMatchObject({ engine: 'http', credits: 1 });
  });

  it('make a job, of which each has its results, and which runs again', async () => {
    const searches = ['austen', 'brontë', 'austen', 'no such book'];
    const url = `${shop}api/search.json`;
    const created = await gleaner.jobs.create({
      requests: searches.map((q) => ({ url, json: { q, token: 'hush' } })),
      repeatable: true,
      selectors: { total: { json: '$.total' } },
    });
    const job = await gleaner.jobs.wait(created.id);
    expect(job).toMatchObject({ status: 'completed', totalUrls: 4, creditsUsed: 3 });
    const results = [];
    for await (const result of gleaner.jobs.results(created.id)) results.push(result);
    expect(results.map(({ request }) => request)).toEqual(
      searches.map((q) => ({ json: { q, token: '[redacted]' } })),
    );
    const totals = results.map(({ data }) => data?.total);
    expect(totals).toEqual([totals[0], totals[1], totals[0], 0]);
    const csv = await runGleaner(bed.stack, folder, ['job', 'results', created.id, '--format', 'csv']);
    expect(csv.stdout.split('\r\n')[1]).toContain('"{""json"":{""q"":""austen""');
    const again = await gleaner.jobs.rerun(created.id);
    await gleaner.jobs.wait(again.id);
    const repeated = [];
    for await (const result of gleaner.jobs.results(again.id)) repeated.push(result.data);
    expect(repeated).toEqual(results.map(({ data }) => data));
  });

  it('come from a file of the command line, and are estimated', async () => {
    const file = join(folder, 'searches.ndjson');
    const lines = ['emma', 'dracula'].map((q) => JSON.stringify({ url: `${shop}search`, form: { q } }));
    await writeFile(file, `${lines.join('\n')}\n`);
    const args = ['job', 'create', '--requests-file', file, '-s', 'first=.book h2'];
    const estimate = await runGleaner(bed.stack, folder, [...args, '--dry-run', '--json']);
    expect(JSON.parse(estimate.stdout)).toMatchObject({ of: 'job', pages: { atMost: 2 } });
    const { stdout: job } = await runGleaner(bed.stack, folder, [...args, '--watch', '--json']);
    const results = ['job', 'results', JSON.parse(job).id, '--format', 'csv'];
    const { stdout } = await runGleaner(bed.stack, folder, results);
    expect(stdout).toContain('Emma');
    expect(stdout).toContain('Dracula');
  });
});
