import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GLEANER } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

let test: TestStack;
let folder: string;
let page: string;

beforeAll(async () => {
  test = await joinStack();
  folder = await mkdtemp(join(tmpdir(), 'gleaner-coming-'));
  await mkdir(join(folder, '.gleaner'));
  await writeFile(join(folder, '.gleaner/api-key'), test.stack.apiKey);
  page = await readFile(join(ROOT, 'docs/coming-from.md'), 'utf8');
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the example of a language under a heading of the page, with the addresses of the running stack. */
function exampleOf(heading: string, language: string): string {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section) ?? [];
  if (text === undefined) throw new Error(`${heading} has no example in ${language}.`);
  return text
    .replaceAll('http://127.0.0.1:8080', test.stack.url)
    .replaceAll('http://127.0.0.1:8090/', test.stack.demoUrl);
}

/** Runs a command of the page and returns what it prints. */
async function runShell(command: string): Promise<string> {
  const program = `gleaner() { "${process.execPath}" --disable-warning=ExperimentalWarning "${GLEANER}" "$@"; }\n${command}`;
  const { stdout } = await run('bash', ['-c', program], {
    cwd: folder,
    env: {
      ...process.env,
      GLEANER_URL: test.stack.url,
      GLEANER_API_KEY: test.stack.apiKey,
      XDG_CONFIG_HOME: folder,
    },
  });
  return stdout;
}

/** Creates the job of an example, and returns its results once it has finished. */
async function resultsOf(heading: string) {
  const { json } = await test.ask('/v1/jobs', JSON.parse(exampleOf(heading, 'json crawl')));
  return await eventually(async () => {
    const { job } = (await test.ask(`/v1/jobs/${json.job.id}`)).json;
    expect(job.status).toBe('completed');
    return job.results;
  });
}

describe('the page of those who come from another service', () => {
  it('reads a page as Firecrawl does', async () => {
    const { success, data } = JSON.parse(await runShell(exampleOf('Firecrawl', 'sh')));
    expect([success, data.metadata]).toEqual([true, expect.objectContaining({ statusCode: 200 })]);
    expect(data.markdown.length).toBeGreaterThan(100);
  });

  it('crawls as the spider of Scrapy does, with a request and with a command', async () => {
    const results = await resultsOf('Scrapy');
    expect(results.length).toBeGreaterThan(5);
    for (const { url, data } of results) {
      expect(url).toContain('/books/');
      expect(data).toEqual({ title: expect.stringMatching(/./), price: expect.stringMatching(/^£/) });
    }
    await runShell(exampleOf('Scrapy', 'sh'));
    const [header, ...rows] = (await readFile(join(folder, 'books.csv'), 'utf8')).trim().split('\r\n');
    expect(header).toMatch(/^title,price,/);
    expect(rows.length).toBeGreaterThan(5);
  });

  it('extracts what the rules of ScrapingBee extract', async () => {
    const { data } = JSON.parse(await runShell(exampleOf('ScrapingBee', 'sh')));
    expect(data).toMatchObject({
      title: 'All books',
      books: expect.arrayContaining([{ name: 'Moby-Dick', link: '/books/moby-dick' }]),
    });
  });

  it('crawls as the Actor of Apify does', async () => {
    const results = await resultsOf('Apify');
    expect(results.length).toBeGreaterThan(1);
    for (const { url, formats } of results) {
      expect(url).toContain('/blog');
      expect(formats.markdown.length).toBeGreaterThan(50);
    }
  });
});
