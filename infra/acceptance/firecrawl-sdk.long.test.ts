import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type SearxngQuestion,
  type SearxngStub,
  type Site,
  startModel,
  startSearxng,
  startSite,
  type TestModel,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestStack, type TestStack } from '../stack/test/test-stack.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SDK = fileURLToPath(import.meta.resolve('firecrawl'));
const SUITE = resolve(dirname(SDK), '../src/__tests__/e2e/v2');

let bed: TestStack;
let site: Site;
let model: TestModel;
let searxng: SearxngStub;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-sdk-'));
  site = await startSite(({ response }) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(PAGE);
  });
  model = await startModel(() => ANSWER);
  searxng = await startSearxng(findRecords);
  const settings = { LLM_URL: model.url, LLM_MODEL: 'test-model', SEARCH_URL: searxng.url };
  bed = await startTestStack(settings, ['127.0.0.1']);
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await searxng[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const TITLE = 'Firecrawl documentation';
const PAGE = `<!DOCTYPE html><html lang="en"><head><title>${TITLE}</title></head><body><main><article>
<h1>${TITLE}</h1><img src="/logo.svg" alt="Logo"><p>Everything about crawling the pages of a site.</p>
<ul><li><a href="/docs/start">Start</a><li><a href="/docs/crawl">Crawl</a><li><a href="/blog/news">News</a></ul>
</article></main></body></html>`;

const title = { value: TITLE, quote: TITLE };
/** The fields of every schema of the suite. */
const ANSWER = {
  title,
  summary: title,
  answers: [title],
  $summary: { value: 'A page that explains how the pages of a site are crawled.', quote: TITLE },
};

/** Finds the page for every query. */
function findRecords({ query, page }: SearxngQuestion): object[] {
  if (page > 1) return [];
  const content = query.includes('France') ? 'Paris is the capital of France.' : 'A page.';
  return [
    { url: `${site.origin}/docs/start`, title: query, content, img_src: `${site.origin}/logo.svg` },
    { url: `${site.origin}/docs/crawl`, title: query, content, img_src: `${site.origin}/logo.png` },
  ];
}

/** Returns a file of the suite that loads natively, with the site in the place of those of the Internet. */
function adapt(text: string): string {
  const zod = createRequire(SDK).resolve('zod');
  return text
    .replaceAll(/https:\/\/(?:docs\.firecrawl\.dev|firecrawl\.dev|github\.com)/g, site.origin)
    .replace('import { config } from "dotenv";', '')
    .replace(/^config\(\);$/m, '')
    .replaceAll('"../../../index"', JSON.stringify(SDK))
    .replace('from "zod"', `from ${JSON.stringify(zod)}`)
    .replaceAll(/"(\.\/utils\/\w+)"/g, '"$1.ts"');
}

interface SuiteReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs the suite by jest in a process of its own. */
async function runSuite(): Promise<SuiteReport> {
  await mkdir(join(folder, 'e2e/utils'), { recursive: true });
  const files = await readdir(SUITE, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.ts')))
    await writeFile(join(folder, 'e2e', file), adapt(await readFile(join(SUITE, file), 'utf8')));
  const report = join(folder, 'report.json');
  const jest = join(ROOT, 'infra/node_modules/jest/bin/jest.js');
  const config = join(ROOT, 'jest.config.mjs');
  const options = [
    '--rootDir',
    folder,
    '--config',
    config,
    '--maxWorkers=1',
    '--json',
    '--outputFile',
    report,
  ];
  const { url, apiKey } = bed.stack;
  const child = spawn(process.execPath, [jest, ...options], {
    env: { ...process.env, npm_lifecycle_event: '', FIRECRAWL_API_URL: url, FIRECRAWL_API_KEY: apiKey },
    stdio: 'ignore',
  });
  await once(child, 'close');
  return JSON.parse(await readFile(report, 'utf8'));
}

describe('the suite of the SDK of Firecrawl', () => {
  it('passes', async () => {
    const { numPassedTests, testResults } = await runSuite();
    const failed = testResults.flatMap(({ message, assertionResults }) =>
      assertionResults.flatMap(({ fullName, status }) =>
        status === 'passed' ? [] : [{ fullName, message }],
      ),
    );
    expect(failed).toEqual([]);
    expect(numPassedTests).toBe(55);
  }, 1_200_000);
});
