import { createHash } from 'node:crypto';
import { LIMITS, type SnapshotCommand } from '@gleaner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './support/call.ts';
import { seedJob } from './support/scripted-orchestrator.ts';
import { packedPage, startScriptedSnapshots } from './support/scripted-snapshots.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let owner: TestKey;
const commands: SnapshotCommand[] = [];

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '100000', RATE_LIMIT_EXTRACT: '100000' });
  await startScriptedSnapshots(bed.broker, commands);
});
beforeEach(async () => {
  owner = await bed.createKey();
  commands.length = 0;
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

function ask(path: string, options: CallOptions = {}): Promise<TestAnswer> {
  return call(gateway.url + path, { key: owner.key, ...options });
}

const OPTIONS = { selectors: { title: 'h1' }, locale: 'de' };
const HTML = '<h1>Dracula</h1>';
const TEST = { name: 'a book', html: HTML, expect: { title: 'Dracula' } };
const PAGE = 'https://shop.test/books/1';
const shaOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function create(body: object = {}): Promise<string> {
  const { status, json } = await ask('/v1/recipes', { body: { name: 'Books', options: OPTIONS, ...body } });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.recipe.id;
}

const change = (id: string, body: object) => ask(`/v1/recipes/${id}`, { method: 'PATCH', body });

describe('a recipe', () => {
  it('is stored with its tests, listed, and deleted', async () => {
    const match = ['https://shop.test/books/*'];
    const { status, json, headers } = await ask('/v1/recipes', {
      body: { name: 'Books', match, options: OPTIONS, tests: [TEST] },
    });
    const { id } = json.recipe;
    expect([status, headers.location]).toEqual([201, `/v1/recipes/${id}`]);
    expect(json.recipe).toMatchObject({ version: 1, name: 'Books', match, options: OPTIONS });
    const { html: _html, ...shown } = TEST;
    expect(json.recipe.tests).toEqual([{ ...shown, page: shaOf(HTML), bytes: HTML.length }]);
    expect((await ask(`/v1/recipes/${id}`)).json.recipe).toEqual(json.recipe);
    const listed = (await ask('/v1/recipes')).json.recipes;
    expect(listed).toMatchObject([{ id, version: 1, name: 'Books', match, tests: 1 }]);
    expect((await ask(`/v1/recipes/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(`/v1/recipes/${id}@1`)).json.error.code).toBe('RECIPE_NOT_FOUND');
    expect((await ask('/v1/recipes')).json.recipes).toEqual([]);
  });

  it('gets a version for each difference, and keeps those of before as they were', async () => {
    const id = await create({ tests: [TEST] });
    const options = { selectors: { title: 'h2' } };
    expect((await change(id, { options })).json.recipe).toMatchObject({ version: 2, options });
    expect((await change(id, { options: { selectors: { title: 'h2' } } })).json.recipe.version).toBe(2);
    expect((await change(id, { tests: [] })).json.recipe).toMatchObject({ version: 3, tests: [] });
    expect((await ask(`/v1/recipes/${id}@1`)).json.recipe).toMatchObject({
      version: 1,
      options: OPTIONS,
      tests: [{ name: 'a book' }],
    });
    expect((await ask(`/v1/recipes/${id}@2`)).json.recipe).toMatchObject({ version: 2, options });
    expect((await ask(`/v1/recipes/${id}`)).json.recipe).toMatchObject({ version: 3 });
    expect((await ask(`/v1/recipes/${id}@4`)).status).toBe(404);
  });

  it('gets one version for each of several changes at once', async () => {
    const id = await create();
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((title) => change(id, { options: { selectors: { title } } })),
    );
    const versions = answers.map(({ json }) => json.recipe.version);
    expect(versions.toSorted()).toEqual([2, 3, 4]);
    for (const { json } of answers) {
      const { version, options } = json.recipe;
      expect((await ask(`/v1/recipes/${id}@${version}`)).json.recipe.options).toEqual(options);
    }
  });

  it('keeps its last versions', async () => {
    const id = await create();
    const { recipes, clock } = bed.stores;
    for (let version = 1; version <= 4; version += 1) {
      const before = await recipes.findRecipe(owner.accountId, id);
      if (!before) throw new Error('It is there.');
      const { name, match, testsJson, pages } = before;
      const contents = { name, match, testsJson, pages, optionsJson: `{"locale":"de-${version}"}` };
      await recipes.replaceRecipe(before, { contents, now: clock.now(), kept: 3 });
    }
    const found = await Promise.all([1, 2, 3, 4, 5].map((version) => ask(`/v1/recipes/${id}@${version}`)));
    expect(found.map(({ status }) => status)).toEqual([404, 404, 200, 200, 200]);
  });

  it('belongs to one account', async () => {
    const id = await create({ match: ['https://shop.test/**'], tests: [TEST] });
    const { key } = await bed.createKey();
    const job = { jobId: 'job_none', index: 0 };
    const answers = await Promise.all([
      ask(`/v1/recipes/${id}`, { key }),
      ask(`/v1/recipes/${id}@1`, { key }),
      ask(`/v1/recipes/${id}`, { key, method: 'PATCH', body: { name: 'Mine' } }),
      ask(`/v1/recipes/${id}`, { key, method: 'DELETE' }),
      ask(`/v1/recipes/${id}/test`, { key, method: 'POST' }),
      ask(`/v1/recipes/${id}/tests/record`, { key, body: job }),
      ask(`/v1/recipes/pages/${shaOf(HTML)}`, { key }),
      ask('/v1/scrape', { key, body: { url: PAGE, recipe: id } }),
      ask('/v1/scrape', { key, body: { url: PAGE, recipe: 'auto' } }),
      ask('/v1/jobs', { key, body: { urls: [PAGE], recipe: `${id}@1` } }),
    ]);
    expect(answers.map(({ json }) => json.error.code)).toEqual(answers.map(() => 'RECIPE_NOT_FOUND'));
    expect((await ask('/v1/recipes', { key })).json.recipes).toEqual([]);
    const foreign = [{ name: 'a', page: shaOf(HTML), expect: {} }];
    const { json } = await ask('/v1/recipes', { key, body: { name: 'a', options: {}, tests: foreign } });
    expect(json.error.details).toMatchObject([{ path: 'tests.0.page' }]);
  });

  it.each([
    [{ optoins: {} }, 'optoins', 'did you mean "options"?'],
    [{ options: { slectors: {} } }, 'options.slectors', 'did you mean "selectors"?'],
    [{ options: { selectors: { a: 'h1::txt' } } }, 'options.selectors.a', ''],
    [{ options: { cookies: [] } }, 'options.cookies', 'is not a known field'],
    [{ options: { method: 'POST' } }, 'options.method', 'is not a known field'],
    [{ options: { recipe: 'auto' } }, 'options.recipe', 'is not a known field'],
    [{ options: { headers: { 'X-Api-Key': 'a' } } }, 'options.headers.X-Api-Key', 'may be a secret'],
    [{ options: { proxy: 'zz' } }, 'options.proxy', ''],
    [{ match: ['shop.test/books/*'] }, 'match.0', 'a glob of whole URLs'],
    [{ match: Array.from({ length: 21 }, (_, index) => `https://${index}.test/`) }, 'match', 'at most 20'],
    [{ tests: [{ name: 'a', expect: {} }] }, 'tests.0.html', 'is required, or snapshotId or page'],
    [{ tests: [{ ...TEST, snapshotId: 'snp_1' }] }, 'tests.0.snapshotId', 'must be left out'],
    [{ tests: [TEST, TEST] }, 'tests.1.name', 'is the name of tests.0'],
    [{ tests: [{ ...TEST, url: 'ftp://a.test/' }] }, 'tests.0.url', 'http or https'],
    [{ tests: [{ ...TEST, html: 'ä'.repeat(600_000) }] }, 'tests.0.html', 'has 1200000 bytes'],
    [{ tests: [{ ...TEST, expect: { a: 'x'.repeat(70_000) } }] }, 'tests.0.expect', 'at most 65536'],
    [{ tests: [{ ...TEST, expect: { [`${'a'.repeat(501)}`]: 1 } }] }, 'tests.0.expect', 'a path'],
    [{ tests: [{ ...TEST, verdict: 'contant' }] }, 'tests.0.verdict', 'did you mean "content"?'],
    [{ tests: [{ name: 'a', page: 'a'.repeat(64), expect: {} }] }, 'tests.0.page', 'not a page'],
    [
      { tests: Array.from({ length: 51 }, (_, index) => ({ ...TEST, name: `${index}` })) },
      'tests',
      'at most 50',
    ],
  ])('is refused with the path of what is wrong: %j', async (body, path, message) => {
    const { status, json } = await ask('/v1/recipes', { body: { name: 'Books', options: OPTIONS, ...body } });
    expect(status).toBe(400);
    expect(json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(JSON.stringify(json.error)).toContain(JSON.stringify(message).slice(1, -1));
  });

  it('has a name of its own in its account, also after changes', async () => {
    await create();
    const { json } = await ask('/v1/recipes', { body: { name: 'Books', options: {} } });
    expect(json.error.details).toEqual([
      { path: 'name', message: expect.stringContaining('another recipe') },
    ]);
    const other = await create({ name: 'Other' });
    expect((await change(other, { name: 'Books' })).json.error.details).toMatchObject([{ path: 'name' }]);
    expect((await ask(`/v1/recipes/${other}`)).json.recipe).toMatchObject({ name: 'Other', version: 1 });
  });

  it('is one of at most two hundred', async () => {
    const id = await create();
    const recipe = await bed.stores.recipes.findRecipe(owner.accountId, id);
    for (let index = 1; recipe && index < LIMITS.maxRecipesPerAccount; index += 1)
      await bed.stores.recipes.insertRecipe({ ...recipe, id: `rec_${index}`, name: `${index}` });
    const { json } = await ask('/v1/recipes', { body: { name: 'One more', options: {} } });
    expect(json.error.message).toContain('has 200 recipes');
  });
});

describe('the pages of tests', () => {
  it('are stored once, shared by their SHA-256, and read as text that no browser renders', async () => {
    const { json } = await ask('/v1/recipes/pages', { body: { html: HTML } });
    expect(json.page).toEqual({ sha256: shaOf(HTML), bytes: HTML.length });
    const test = { name: 'again', page: shaOf(HTML), expect: {} };
    await create({ tests: [TEST, test] });
    const { text, headers } = await ask(`/v1/recipes/pages/${shaOf(HTML)}`);
    expect(text).toBe(HTML);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    const { recipePages } = bed.database.models;
    expect(await recipePages.countDocuments({ accountId: owner.accountId })).toBe(1);
  });

  it('come from snapshots, with their kind, URL and encoding', async () => {
    const page = { ...packedPage('{"a":1}'), kind: 'json' as const, encoding: 'koi8-r' };
    const kept = { now: new Date(), retentionMs: 60_000, quotaBytes: 1024 * 1024 };
    const snapshotId = await bed.stores.snapshots.insertSnapshot({
      accountId: owner.accountId,
      page,
      ...kept,
    });
    const id = await create({ tests: [{ name: 'a', snapshotId, expect: {} }] });
    const [test] = (await ask(`/v1/recipes/${id}`)).json.recipe.tests;
    expect(test).toMatchObject({
      kind: 'json',
      url: page.baseUrl,
      encoding: 'koi8-r',
      page: shaOf('{"a":1}'),
    });
    const missing = [{ name: 'a', snapshotId: 'snp_none', expect: {} }];
    const { json } = await ask('/v1/recipes', { body: { name: 'b', options: {}, tests: missing } });
    expect(json.error.code).toBe('SNAPSHOT_NOT_FOUND');
  });

  it('that are too large are refused, also where they come compressed', async () => {
    const page = packedPage('x'.repeat(LIMITS.maxTestPageBytes + 1));
    const kept = { now: new Date(), retentionMs: 60_000, quotaBytes: 1024 * 1024 };
    const snapshotId = await bed.stores.snapshots.insertSnapshot({
      accountId: owner.accountId,
      page,
      ...kept,
    });
    const tests = [{ name: 'a', snapshotId, expect: {} }];
    const { json } = await ask('/v1/recipes', { body: { name: 'a', options: {}, tests } });
    expect(json.error.details).toMatchObject([{ path: 'tests.0.snapshotId' }]);
    const html = 'x'.repeat(LIMITS.maxTestPageBytes + 1);
    expect((await ask('/v1/recipes/pages', { body: { html } })).json.error.details).toMatchObject([
      { path: 'html' },
    ]);
  });
});

describe('POST /v1/recipes/{id}/test', () => {
  it('has scrapers compare each page, costs nothing, and notes the outcome', async () => {
    const { key, accountId } = await bed.createKey({ balance: 0 });
    owner = { ...owner, key, accountId };
    const red = {
      name: 'sold out',
      html: '<p>red</p>',
      url: PAGE,
      expect: { 'a.b': null },
      verdict: 'notice',
    };
    const options = { ...OPTIONS, render: true, overlays: 'accept', capture: { api: { url: '**' } } };
    const selectors = { title: 'h1', stock: { json: '$.stock', from: 'api' } };
    const id = await create({ options: { ...options, selectors }, tests: [TEST, red] });
    const { status, json } = await ask(`/v1/recipes/${id}/test`, { method: 'POST' });
    expect([status, json]).toMatchObject([
      200,
      {
        recipe: `${id}@1`,
        passed: 1,
        failed: 1,
        results: [
          { name: 'a book', passed: true, verdict: 'content', differences: [] },
          {
            name: 'sold out',
            passed: false,
            differences: [{ path: 'title', expected: '"A"', actual: '"B"' }],
          },
        ],
      },
    ]);
    const request = { selectors: { title: 'h1' }, locale: 'de', overlays: 'hide' };
    const sent = commands.map(({ task, page }) => ({ task, baseUrl: page.baseUrl }));
    expect(sent).toContainEqual({
      task: { type: 'test', engine: 'browser', request, expected: { expect: red.expect, verdict: 'notice' } },
      baseUrl: PAGE,
    });
    const [listed] = (await ask('/v1/recipes')).json.recipes;
    expect(listed.tested).toMatchObject({ passed: 1, failed: 1 });
    await change(id, { tests: [TEST] });
    expect((await ask('/v1/recipes')).json.recipes[0]).not.toHaveProperty('tested');
  });

  it('runs tests of a recipe that is not stored', async () => {
    const { json } = await ask('/v1/recipes/test', { body: { options: OPTIONS, tests: [TEST] } });
    expect(json).toMatchObject({ passed: 1, failed: 0 });
    const wrong = await ask('/v1/recipes/test', {
      body: { options: { selectors: { a: '..' } }, tests: [TEST] },
    });
    expect(wrong.json.error.details).toMatchObject([{ path: 'options.selectors.a' }]);
    expect(await bed.database.models.recipePages.countDocuments({ accountId: owner.accountId })).toBe(0);
  });
});

describe('POST /v1/recipes/{id}/tests/record', () => {
  const keepPage = (html: string) =>
    bed.stores.snapshots.insertSnapshot({
      accountId: owner.accountId,
      page: packedPage(html),
      now: new Date(),
      retentionMs: 60_000,
      quotaBytes: 1024 * 1024,
    });
  const record = (id: string, body: object) => ask(`/v1/recipes/${id}/tests/record`, { body });

  it('makes a test of the page and the data of a result, and runs it', async () => {
    const id = await create();
    const data = { title: 'Dracula', price: { amount: 8.49, currency: 'GBP' } };
    const snapshotId = await keepPage(HTML);
    const page = { data, verdict: 'content' as const, snapshotId };
    const { id: jobId } = await seedJob(bed.stores, owner.accountId, [{ data: {} }, page]);
    const { json } = await record(id, { jobId, index: 1 });
    expect(json.result).toMatchObject({ name: '/1', passed: true });
    expect(json.recipe).toMatchObject({
      version: 2,
      tests: [
        { name: '/1', url: 'https://example.com/', expect: data, verdict: 'content', page: shaOf(HTML) },
      ],
    });
    const again = await record(id, { jobId, index: 1, name: '/1' });
    expect(again.json.recipe).toMatchObject({ version: 2 });
    const other = await record(id, { jobId, index: 1, name: 'Dracula' });
    expect(other.json.recipe.tests).toHaveLength(2);
  });

  it('says what is wrong with a result that cannot be expected', async () => {
    const id = await create();
    const large = { data: { text: 'x'.repeat(70_000) }, snapshotId: await keepPage(HTML) };
    const gone = { data: {}, snapshotId: 'snp_gone' };
    const { id: jobId } = await seedJob(bed.stores, owner.accountId, [{ data: {} }, large, gone]);
    const answers = await Promise.all([0, 1, 2, 3].map((index) => record(id, { jobId, index })));
    expect(answers.map(({ json }) => [json.error.code, json.error.details?.[0].path])).toEqual([
      ['SNAPSHOT_NOT_FOUND', undefined],
      ['INVALID_REQUEST', 'index'],
      ['SNAPSHOT_NOT_FOUND', undefined],
      ['INVALID_REQUEST', 'index'],
    ]);
    expect((await record(id, { jobId: 'job_none', index: 0 })).json.error.code).toBe('JOB_NOT_FOUND');
  });
});
