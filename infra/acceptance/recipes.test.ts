import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { eventually, type Site, startSite } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GLEANER, runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let shop: Site;
let bed: TestStack;
let folder: string;
let isRedesigned = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-recipes-'));
  bed = await joinStack();
  // The demo shop, which can have another look.
  shop = await startSite(async ({ url, response }) => {
    const answer = await fetch(new URL(url.pathname + url.search, bed.stack.demoUrl));
    const html = await answer.text();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(isRedesigned ? html.replaceAll('class="price"', 'class="cost"') : html);
  });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the files of the example in the documentation, for the shop of this test, with their pages. */
async function writeExample(): Promise<void> {
  const docs = await readFile(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
  const files = [...docs.matchAll(/<!-- (recipes\/\S+) -->\n```\w+\n(.*?)```/gs)];
  expect(files.map(([, path]) => path)).toHaveLength(4);
  for (const [, path = '', text = ''] of files) {
    const content = text.replaceAll('http://127.0.0.1:8090', shop.origin);
    await write(path, content);
    if (!path.endsWith('.json')) continue;
    for (const { file, url } of JSON.parse(content).tests) {
      await write(join('recipes', file), await (await fetch(url)).text());
    }
  }
  await write(
    'bin/gleaner',
    `#!/bin/sh\nexec "${process.execPath}" --disable-warning=ExperimentalWarning "${GLEANER}" "$@"\n`,
  );
  await chmod(join(folder, 'bin/gleaner'), 0o755);
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

/** Runs the script of the documentation, and returns its exit code. */
function check(...args: string[]): Promise<number> {
  const { url, apiKey } = bed.stack;
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    GLEANER_URL: url,
    GLEANER_API_KEY: apiKey,
  };
  return new Promise((done) => {
    const options = { cwd: folder, env: { ...env, XDG_CONFIG_HOME: folder } };
    const child = execFile('sh', ['recipes/check.sh', ...args], options, () => done(child.exitCode ?? -1));
  });
}

async function gleaner(...args: string[]) {
  const { code, stdout, stderr } = await runGleaner(bed.stack, folder, args);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('recipes in a repository', () => {
  it('pass their tests, are stored, and are used by the URLs that they match', async () => {
    await writeExample();
    expect(await check('nightly')).toBe(0);
    expect(await readFile(join(folder, 'kept.xml'), 'utf8')).toContain('tests="3" failures="0" errors="0"');
    expect(await check('main')).toBe(0);
    const listed = await gleaner('recipe', 'list', '--json');
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Article', 'Book', 'Category']);
    const { id } = listed[1];
    const scraped = await gleaner('scrape', `${shop.origin}/books/emma`, '--recipe', 'auto', '--json');
    expect(scraped).toMatchObject({
      data: { title: 'Emma', author: 'Jane Austen', stock: 8 },
      metadata: { recipe: `${id}@1` },
    });
  });

  it('fail where a page has changed, and while the kept pages are still found', async () => {
    isRedesigned = true;
    expect(await check()).toBe(0);
    expect(await check('nightly')).toBe(1);
    const report = await readFile(join(folder, 'live.xml'), 'utf8');
    expect(report).toContain('tests="3" failures="2" errors="0"');
    expect(report).toContain('price.currency is not there, not &quot;GBP&quot;');
    const path = join(folder, 'recipes/book/dracula.html');
    await writeFile(path, await (await fetch(`${shop.origin}/books/dracula`)).text());
    expect(await check()).toBe(1);
    isRedesigned = false;
    await writeFile(path, await (await fetch(`${shop.origin}/books/dracula`)).text());
    expect(await check()).toBe(0);
  });

  it('get a test of a result that is believed, which a pull brings into the folder', async () => {
    const [, { id }] = await gleaner('recipe', 'list', '--json');
    const url = `${shop.origin}/books/emma`;
    const { id: jobId } = await gleaner('job', 'create', url, '--recipe', id, '--snapshot', '--json');
    await eventually(async () =>
      expect((await bed.ask(`/v1/jobs/${jobId}`)).json.job.status).toBe('completed'),
    );
    const { json } = await bed.ask(`/v1/jobs/${jobId}`);
    expect(json.job.options).toMatchObject({ recipe: `${id}@1`, selectors: { title: 'h1' } });
    const recorded = await gleaner('recipe', 'record', id, '--job', jobId, '--json');
    expect(recorded.result).toMatchObject({ name: '/books/emma', passed: true });
    await gleaner('recipe', 'pull', 'recipes', '--json');
    const { tests } = JSON.parse(await readFile(join(folder, 'recipes/book.json'), 'utf8'));
    expect(tests).toMatchObject([
      { name: 'Dracula', file: 'book/dracula.html' },
      { name: '/books/emma', file: 'book/books-emma.html', url, expect: json.job.results[0].data },
    ]);
    expect(await check()).toBe(0);
    const pushed = await gleaner('recipe', 'push', 'recipes', '--json');
    expect(pushed.map(({ done }: { done: string }) => done)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    const tested = await gleaner('recipe', 'test', id, '--json');
    expect(tested).toHaveLength(2);
    expect((await runGleaner(bed.stack, folder, ['recipe', 'delete', id])).code).toBe(0);
    expect((await bed.ask(`/v1/jobs/${jobId}/rerun`, {})).status).toBe(202);
  });
});
