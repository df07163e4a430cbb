import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { sendJson, startService, type TestService } from './support/start-service.ts';

let folder: string;
let service: TestService;
/** Recipes of the service by their names, and its pages. */
let stored: Record<string, Record<string, unknown>>;
let pages: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-recipes-'));
  stored = {};
  pages = {};
  service = await startService((response, { method, path, body }) => {
    const given = body ? JSON.parse(body) : {};
    const [, id = ''] = /^\/v1\/recipes\/(rec_\w+)/.exec(path) ?? [];
    if (path.startsWith('/v1/recipes/pages/')) {
      response.writeHead(200, { 'content-type': 'text/plain' });
      return void response.end(pages[path.slice(18)]);
    }
    if (path === '/v1/scrape')
      return sendJson(response, 200, { data: {}, snapshotId: 'snp_1', metadata: {}, requestId: 'req_1' });
    if (path.endsWith('/test')) {
      if (given.options?.locale === 'wrong')
        return sendJson(response, 400, {
          error: { code: 'INVALID_REQUEST', message: 'locale is wrong.', source: 'api' },
        });
      const tests = given.tests ?? stored[id]?.tests;
      const results = tests.map(resultOf);
      const failed = results.filter((result: { passed: boolean }) => !result.passed).length;
      return sendJson(response, 200, { recipe: `${id}@1`, passed: results.length - failed, failed, results });
    }
    if (method === 'GET' && id) return sendJson(response, 200, { recipe: stored[id] });
    if (method === 'GET') return sendJson(response, 200, { recipes: Object.values(stored) });
    const recipe = { id: id || `rec_${Object.keys(stored).length}`, version: id ? 2 : 1, ...given };
    stored[recipe.id] = recipe;
    sendJson(response, method === 'POST' ? 201 : 200, { recipe });
  });
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A test is red where its page, or its name, says so. */
function resultOf({ name, html = '' }: { readonly name: string; readonly html?: string }) {
  const passed = !`${html}${name}`.includes('red');
  const differences = passed ? [] : [{ path: 'title', expected: '"<A&B>"', actual: '"\u0000\ud800"' }];
  return { name, passed, verdict: 'content', differences, duration: 1234 };
}

const gleaner = (...args: string[]) => runGleaner(['recipe', ...args], { env: service.env, cwd: folder });
const write = (name: string, content: object) => writeFile(join(folder, name), JSON.stringify(content));
const posted = (path: string) =>
  service.received
    .filter((each) => each.method !== 'GET' && each.path === path)
    .map(({ body }) => JSON.parse(body));

const RECIPE = {
  name: 'Books',
  match: ['https://shop.test/books/*'],
  options: { selectors: { title: 'h1' } },
  tests: [{ name: 'a book', file: 'pages/a.html', url: 'https://shop.test/books/1', expect: { title: 'A' } }],
};

async function writeRecipe(html = '<h1>A</h1>', recipe: object = RECIPE): Promise<void> {
  await mkdir(join(folder, 'pages'), { recursive: true });
  await writeFile(join(folder, 'pages/a.html'), html);
  await write('books.json', recipe);
}

describe('gleaner recipe test', () => {
  it('runs the tests of files, and ends with 1 if one is red', async () => {
    await writeRecipe();
    const green = await gleaner('test', '.', '--json');
    expect([green.code, JSON.parse(green.stdout)]).toMatchObject([
      0,
      [{ recipe: 'Books', name: 'a book', passed: true }],
    ]);
    expect(green.stderr).toContain('1 green, 0 red');
    const { file: _file, ...test } = RECIPE.tests[0] as (typeof RECIPE.tests)[number];
    expect(posted('/v1/recipes/test')).toEqual([
      { options: RECIPE.options, tests: [{ ...test, html: '<h1>A</h1>' }] },
    ]);
    await writeRecipe('red');
    const red = await gleaner('test', 'books.json', '--format', 'table');
    expect(red.code).toBe(1);
    expect(red.stdout).toContain('title is');
  });

  it('writes a report in the form of JUnit, whatever the texts hold', async () => {
    await writeRecipe('red', { ...RECIPE, name: 'A & "B"\n' });
    expect((await gleaner('test', '.', '--junit', 'report.xml')).code).toBe(1);
    expect(await readFile(join(folder, 'report.xml'), 'utf8')).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gleaner recipe test" tests="1" failures="1" errors="0" time="1.234">
  <testsuite name="A &amp; &quot;B&quot;&#10;" tests="1" failures="1" errors="0" time="1.234">
    <testcase name="a book" classname="A &amp; &quot;B&quot;&#10;" time="1.234">
      <failure message="title is &quot;\\u0000\\ud800&quot;, not &quot;&lt;A&amp;B&gt;&quot;">title is "\\u0000\\ud800", not "&lt;A&amp;B&gt;"</failure>
    </testcase>
  </testsuite>
</testsuites>
`.replaceAll('\\u0000\\ud800', '\ufffd\ufffd'),
    );
  });

  it('shows options that the service refuses as a red test', async () => {
    await writeRecipe('', { ...RECIPE, options: { locale: 'wrong' } });
    const { code, stdout } = await gleaner('test', '.', '--junit', 'report.xml', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      [{ name: 'the recipe is valid', passed: false, error: { message: 'locale is wrong.' } }],
    ]);
    expect(await readFile(join(folder, 'report.xml'), 'utf8')).toContain(
      '<error message="locale is wrong.">',
    );
  });

  it('runs what is stored, all of it or by ids', async () => {
    stored.rec_1 = { id: 'rec_1', name: 'One', tests: [{ name: 'a' }] };
    stored.rec_2 = { id: 'rec_2', name: 'Two', tests: [{ name: 'red' }] };
    expect((await gleaner('test')).code).toBe(1);
    const one = await gleaner('test', 'rec_1', '--json');
    expect([one.code, JSON.parse(one.stdout)]).toMatchObject([0, [{ recipe: 'One', name: 'a' }]]);
  });

  it('fetches the pages again where it is asked to', async () => {
    await writeRecipe();
    expect((await gleaner('test', '.', '--fetch')).code).toBe(0);
    expect(posted('/v1/scrape')).toEqual([
      { ...RECIPE.options, url: 'https://shop.test/books/1', snapshot: true },
    ]);
    expect(posted('/v1/recipes/test')).toMatchObject([{ tests: [{ name: 'a book', snapshotId: 'snp_1' }] }]);
  });

  it.each([
    ['is not JSON', '{', 'is not JSON'],
    ['is not a recipe', '{"name":"a"}', 'is not a recipe'],
    ['names no page', '{"name":"a","options":{},"tests":[{"name":"b"}]}', 'has no file'],
    [
      'names a page that is not there',
      '{"name":"a","options":{},"tests":[{"file":"x.html"}]}',
      'is not there',
    ],
  ])('refuses a file that %s', async (_case, content, message) => {
    await writeFile(join(folder, 'a.json'), content);
    const { code, stderr } = await gleaner('test', '.');
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(service.received).toEqual([]);
  });

  it('sends no file from outside of the folder, whichever way leads there', async () => {
    await mkdir(join(folder, 'inner'));
    await writeFile(join(folder, 'secret.html'), 'secret');
    await symlink(join(folder, 'secret.html'), join(folder, 'inner/link.html'));
    for (const file of ['../secret.html', join(folder, 'secret.html'), 'link.html']) {
      await write('inner/a.json', { name: 'a', options: {}, tests: [{ name: 'b', file, expect: {} }] });
      const { code, stderr } = await gleaner('test', 'inner');
      expect([code, stderr]).toEqual([2, expect.stringContaining('outside of its folder')]);
    }
    expect(service.received).toEqual([]);
  });
});

describe('gleaner recipe push', () => {
  it('creates a recipe, then changes it, and leaves it alone where nothing differs', async () => {
    await writeRecipe();
    const created = await gleaner('push', '.', '--json');
    expect(JSON.parse(created.stdout)).toMatchObject([{ recipe: 'Books', done: 'created', version: 1 }]);
    const { tests, ...rest } = RECIPE;
    const [test] = posted('/v1/recipes')[0].tests;
    expect(posted('/v1/recipes')).toEqual([{ ...rest, tests: [{ ...test, html: '<h1>A</h1>' }] }]);
    const { html: _html, ...shown } = test;
    const page = '8a1a4b0a5b2b2a5c0b1b9d4c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70';
    stored = { rec_1: { id: 'rec_1', version: 3, ...rest, tests: [{ ...shown, page, bytes: 10 }] } };
    const changed = await gleaner('push', '.', '--json');
    expect(JSON.parse(changed.stdout)).toMatchObject([{ done: 'changed', id: 'rec_1' }]);
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update('<h1>A</h1>').digest('hex');
    stored = { rec_1: { id: 'rec_1', version: 3, ...rest, tests: [{ ...shown, page: sha256, bytes: 10 }] } };
    const same = await gleaner('push', '.', '--json');
    expect(JSON.parse(same.stdout)).toMatchObject([{ done: 'unchanged', version: 3 }]);
    expect(tests).toHaveLength(1);
  });
});

describe('gleaner recipe pull', () => {
  it('writes files that push takes back, whatever the names hold', async () => {
    pages = { aa: '\ufeff<h1>A</h1>', bb: '{"a":1}' };
    const tests = [
      { name: '../../etc/passwd', page: 'aa', bytes: 10, expect: { a: 1 } },
      { name: 'CON', page: 'bb', bytes: 7, kind: 'json', expect: {} },
      { name: 'con', page: 'aa', bytes: 10, expect: {} },
    ];
    stored.rec_1 = { id: 'rec_1', version: 1, name: 'Böoks/../x', match: [], options: {}, tests };
    const { code, stdout } = await gleaner('pull', 'out', '--json');
    const [{ path }] = JSON.parse(stdout);
    expect([code, path]).toEqual([0, join('out', 'böoks-.-x.json')]);
    const written = JSON.parse(await readFile(join(folder, path), 'utf8'));
    expect(written.tests.map(({ file }: { file: string }) => file)).toEqual([
      'böoks-.-x/etc-passwd.html',
      'böoks-.-x/con-file.json',
      'böoks-.-x/con-file.html',
    ]);
    expect(await readFile(join(folder, 'out/böoks-.-x/etc-passwd.html'), 'utf8')).toBe('\ufeff<h1>A</h1>');
    const again = await gleaner('pull', 'out', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject([{ path }]);
  });
});

describe('gleaner recipe list', () => {
  it('shows which tests are red', async () => {
    const common = { version: 1, match: [], updatedAt: '' };
    stored = {
      a: { id: 'rec_1', name: 'a', tests: 2, tested: { passed: 2, failed: 0 }, ...common },
      b: { id: 'rec_2', name: 'b', tests: 3, tested: { passed: 1, failed: 2 }, ...common },
      c: { id: 'rec_3', name: 'c', tests: 1, ...common },
      d: { id: 'rec_4', name: 'd', tests: 0, ...common },
    };
    const { stdout } = await gleaner('list', '--format', 'table');
    for (const text of ['2 green', '2 of 3 red', '1, not run', 'none']) expect(stdout).toContain(text);
  });
});
