import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Gleaner, type JobResult } from '@gleaner/client';
import { makePdf, type Origin, routesOf, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

const LARGE = randomBytes(12 * 1024 * 1024 + 3);
const REPORTS = 50;
const numbers = Array.from({ length: REPORTS }, (_, index) => String(index + 1).padStart(2, '0'));

const links = numbers.map((number) => `<li><a href="report-${number}.pdf">Report ${number}</a>`);

/** A folder of reports as web servers list it, a file beside it, and one that is larger than a page may be. */
const FILES = {
  '/reports/': `<title>Index of /reports/</title><ul>${links.join('')}<li><a href="prices.zip">ZIP</a></ul>`,
  '/reports/prices.zip': {
    body: 'PK\u0003\u0004prices',
    headers: { 'content-type': 'application/zip' },
  },
  ...Object.fromEntries(
    numbers.map((number) => [
      `/reports/report-${number}.pdf`,
      { body: () => reportOf(number), headers: { 'content-type': 'application/pdf' } },
    ]),
  ),
  '/large': {
    body: LARGE,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="../large.bin"',
    },
  },
};

function reportOf(number: string): Buffer {
  const lines = [{ text: `Report ${number}`, size: 24 }, { text: `Kettles boiled ${number},000 litres.` }];
  return makePdf([lines, [{ text: 'The end.' }]], { title: `Report ${number}` });
}

let bed: TestStack;
let site: Origin;
let gleaner: Gleaner;
let folder: string;

beforeAll(async () => {
  bed = await joinStack();
  site = await startOrigin({ routes: routesOf(FILES) });
  gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
  folder = await mkdtemp(join(tmpdir(), 'gleaner-files-'));
});
afterAll(async () => {
  await site.close();
  await bed[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const command = (...args: string[]) => runGleaner(bed.stack, folder, args);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('files', () => {
  it('that are larger than any page come back as they were sent, by the client', async () => {
    const { file, metadata } = await gleaner.scrape({ url: `${site.url}/large`, download: true });
    expect(file).toEqual({
      id: expect.stringMatching(/^fil_/),
      name: 'large.bin',
      contentType: 'application/octet-stream',
      size: LARGE.length,
      sha256: hashOf(LARGE),
    });
    expect(metadata.credits).toBe(1);
    const bytes = await gleaner.files.get(file?.id ?? '');
    expect(hashOf(bytes)).toBe(hashOf(LARGE));
  });

  it('are written by the command line, and by the Python client', async () => {
    const { stdout } = await command('scrape', `${site.url}/large`, '--download');
    const { id } = JSON.parse(stdout) as { id: string };
    expect(await command('file', id, '-o', 'large.bin')).toMatchObject({ code: 0, stdout: '' });
    expect(hashOf(await readFile(join(folder, 'large.bin')))).toBe(hashOf(LARGE));
    expect(await command('file', 'fil_none', '-o', 'none.bin')).toMatchObject({ code: 1 });
    expect(await readdir(folder)).not.toContain('none.bin');
    const program = `
import hashlib, os
from gleaner_client import Gleaner
gleaner = Gleaner(os.environ["GLEANER_URL"], os.environ["GLEANER_API_KEY"])
hash = hashlib.sha256()
for part in gleaner.files.download("${id}"): hash.update(part)
print(hash.hexdigest())`;
    const sources = resolve(import.meta.dirname, '../../packages/client-python/src');
    const python = await promisify(execFile)('python3', ['-W', 'error', '-c', program], {
      env: {
        ...process.env,
        PYTHONPATH: sources,
        PYTHONDONTWRITEBYTECODE: '1',
        GLEANER_URL: bed.stack.url,
        GLEANER_API_KEY: bed.stack.apiKey,
      },
    });
    expect(python.stdout.trim()).toBe(hashOf(LARGE));
  });

  it('of a job have a row of its CSV each, and those that are missing cost nothing', async () => {
    const urls = [`${site.url}/reports/prices.zip`, `${site.url}/gone.zip`];
    const { id } = await gleaner.jobs.create({ urls, download: true });
    const job = await gleaner.jobs.wait(id);
    expect(job).toMatchObject({ status: 'partial', creditsUsed: 1 });
    const { stdout } = await command('job', 'results', id, '--format', 'csv');
    expect(stdout.split('\r\n').slice(0, 2)).toEqual([
      'url,file.id,file.name,file.contentType,file.size,file.sha256',
      expect.stringMatching(/prices\.zip,fil_\w+,prices\.zip,application\/zip,10,[0-9a-f]{64}$/),
    ]);
  });

  it('that a crawl comes to are kept beside its pages', async () => {
    const { id } = await gleaner.jobs.create({
      urls: [`${site.url}/reports/`],
      download: true,
      selectors: { title: 'title' },
      crawl: { exclude: ['/reports/report-*'], sitemap: 'skip' },
    });
    expect(await gleaner.jobs.wait(id)).toMatchObject({ status: 'completed' });
    const results: JobResult[] = [];
    for await (const result of gleaner.jobs.results<JobResult>(id)) results.push(result);
    expect(results).toMatchObject([
      { data: { title: 'Index of /reports/' } },
      { file: { name: 'prices.zip', size: 10 } },
    ]);
  });

  it('that a crawl comes to are written into a folder as they are', async () => {
    const args = [
      '--exclude',
      '/reports/report-*',
      '--sitemap',
      'skip',
      '--formats',
      'markdown',
      '--download',
    ];
    const { code } = await command('crawl', `${site.url}/reports/`, ...args, '-o', 'kept/');
    expect(code).toBe(0);
    const names = (await readdir(join(folder, 'kept'))).sort();
    expect(names).toEqual(['reports-prices.zip', 'reports.md']);
    expect(await readFile(join(folder, 'kept', 'reports-prices.zip'))).toHaveLength(10);
  });
});

describe('a folder of fifty PDFs', () => {
  it('is crawled to Markdown, a file each', async () => {
    const crawled = await command(
      ...['crawl', `${site.url}/reports/`, '--include', '/reports/*.pdf', '--formats', 'markdown'],
      ...['--sitemap', 'skip', '-o', 'reports/'],
    );
    expect(crawled).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${REPORTS} pages are in reports/`),
    });
    const names = (await readdir(join(folder, 'reports'))).sort();
    expect(names).toHaveLength(REPORTS);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, 'reports', name), 'utf8')));
    const bodies = texts.map((text) => text.replace(/^---\n[\s\S]*?\n---\n/, '').trim());
    expect(bodies.sort()).toEqual(
      numbers.map((number) => `# Report ${number}\n\nKettles boiled ${number},000 litres.\n\nThe end.`),
    );
    expect(texts[0]).toMatch(/^---\ntitle: "Report \d\d"\nurl: "http.*\.pdf"\n/);
  });
});
