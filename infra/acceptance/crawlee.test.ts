import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** A place from which programs find the packages of this folder. */
const CACHE = join(ROOT, 'infra/node_modules/.cache');

let test: TestStack;
let folder: string;

beforeAll(async () => {
  test = await joinStack();
  await mkdir(CACHE, { recursive: true });
  folder = await mkdtemp(join(CACHE, 'gleaner-crawlee-'));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

it('the program for Crawlee crawls the demo shop through Gleaner', async () => {
  const page = await readFile(join(ROOT, 'docs/crawlee.md'), 'utf8');
  const [, program = ''] = /<!-- crawl\.mjs -->\n```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
  await writeFile(join(folder, 'crawl.mjs'), program);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'crawl.mjs'],
    {
      cwd: folder,
      env: {
        ...process.env,
        GLEANER_URL: test.stack.url,
        GLEANER_API_KEY: test.stack.apiKey,
        SHOP_URL: test.stack.demoUrl,
        CRAWLEE_STORAGE_DIR: join(folder, 'storage'),
        CRAWLEE_LOG_LEVEL: 'ERROR',
      },
    },
  );
  expect(stdout.trim().split('\n').at(-1)).toMatch(/^\d+ pages, 0 failed$/);
  const [header, ...rows] = (await readFile(join(folder, 'books.csv'), 'utf8')).trim().split('\n');
  expect(header).toContain('title');
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.join('\n')).toMatch(/Moby-Dick.*moby-dick/);
});
