import type { SnapshotCommand } from '@gleaner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './support/call.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { seedHealth, startScriptedSnapshots } from './support/scripted-snapshots.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let owner: TestKey;
const commands: SnapshotCommand[] = [];

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '10000' });
  await startScriptedScheduler(bed.broker, bed.stores);
  await startScriptedSnapshots(bed.broker, commands);
});
beforeEach(async () => {
  owner = await bed.createKey();
  commands.length = 0;
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const SELECTORS = {
  price: '.price',
  stock: '.stock',
  title: 'h1',
  books: { selector: '.card', all: true, fields: { title: 'h2', price: '.p' } },
};

function ask(path: string, options: CallOptions = {}): Promise<TestAnswer> {
  return call(gateway.url + path, { key: owner.key, ...options });
}

async function fallen(
  paths: readonly string[],
  settings: object = { selectors: SELECTORS },
): Promise<string> {
  const body = { url: 'https://example.com/', cron: '0 9 * * *', ...settings };
  const { json } = await ask('/v1/schedules', { body });
  await seedHealth(bed.stores, { id: json.schedule.id, accountId: owner.accountId }, paths);
  return `/v1/schedules/${json.schedule.id}`;
}

describe('the health of a schedule', () => {
  it('is ok in its record and in lists until a run is judged, and then what was judged', async () => {
    const { json } = await ask('/v1/schedules', { body: { url: 'https://example.com/', cron: '0 9 * * *' } });
    expect(json.schedule.health).toBe('ok');
    const { json: empty } = await ask(`/v1/schedules/${json.schedule.id}/health`);
    expect(empty.health).toMatchObject({ health: 'ok', runs: 0, lastJobId: null, fields: [], pages: [] });
    const path = await fallen(['price']);
    expect((await ask(path)).json.schedule.health).toBe('broken');
    const listed = (await ask('/v1/schedules')).json.schedules;
    expect(listed.map(({ health }: { health: string }) => health)).toEqual(['broken', 'ok']);
    const paused = await ask(`${path}/pause`, { method: 'POST' });
    expect(paused.json.schedule.health).toBe('broken');
  });

  it('has each field before and now, with a suggestion or why there is none', async () => {
    const path = await fallen(['price', 'books.price', 'gone']);
    const { json } = await ask(`${path}/health`);
    expect(json.health).toMatchObject({
      health: 'broken',
      runs: 5,
      lastJobId: 'job_2',
      fields: [
        { path: 'price', before: { fill: 1 }, now: { fill: 0 }, suggestion: { isVerified: true } },
        { path: 'books.price', suggestion: { isVerified: true } },
        { path: 'gone', note: expect.stringContaining('not among the selectors') },
        { path: 'title', health: 'ok' },
      ],
      pages: [{ url: 'https://example.com/', good: expect.any(String), bad: expect.any(String) }],
    });
    expect(commands.map(({ task }) => task)).toMatchObject([
      { type: 'repair', selectors: SELECTORS, paths: [['price'], ['books', 'price']], others: [] },
    ]);
  });

  it('is shown without work on pages when no suggestions are wanted', async () => {
    const { json } = await ask(`${await fallen(['price'])}/health?suggest=false`);
    expect(json.health.fields[0]).not.toHaveProperty('suggestion');
    expect(commands).toEqual([]);
  });

  it('says so when the pages are not kept any more', async () => {
    const path = await fallen(['price']);
    const { json } = await ask(`${path}/health`);
    await bed.stores.snapshots.deleteExcess(owner.accountId, 0);
    const [{ good, bad }] = json.health.pages;
    const { json: later } = await ask(`${path}/health`);
    expect([good, bad]).toContain(later.health.pages[0].good ?? later.health.pages[0].bad);
    expect(later.health.fields[0]).toMatchObject({ note: expect.stringContaining('No page of before') });
  });

  it('of a rule of a crawl is repaired in that rule', async () => {
    const rules = [{ match: '/a/**' }, { match: '/b/**', selectors: { price: '.price' } }];
    const path = await fallen(['rules.1.price'], { crawl: { rules } });
    const { status, json } = await ask(`${path}/health/accept`, { body: {} });
    expect([status, json.error]).toEqual([200, undefined]);
    expect(json.schedule.crawl.rules).toEqual([
      { match: '/a/**' },
      { match: '/b/**', selectors: { price: '.price, .cost' } },
    ]);
  });

  it('is not shown to another account', async () => {
    const path = await fallen(['price']);
    const { key } = await bed.createKey();
    expect((await ask(`${path}/health`, { key })).status).toBe(404);
    expect((await ask(`${path}/health/accept`, { key, body: {} })).status).toBe(404);
  });
});

describe('a suggestion', () => {
  const accept = (path: string, body: object) => ask(`${path}/health/accept`, { body });

  it('that is verified is accepted without being named; one that is not, only by its name', async () => {
    const path = await fallen(['price', 'stock']);
    const { json } = await accept(path, {});
    expect(json).toMatchObject({
      accepted: ['price'],
      schedule: { health: 'broken', selectors: { ...SELECTORS, price: '.price, .cost' } },
    });
    expect((await accept(path, { fields: ['stock'] })).json).toMatchObject({
      accepted: ['stock'],
      schedule: { selectors: { ...SELECTORS, price: '.price, .cost', stock: '.left' } },
    });
  });

  it('for records replaces those for their fields', async () => {
    const path = await fallen(['books', 'books.price']);
    const { json } = await accept(path, {});
    expect(json.accepted).toEqual(['books']);
    expect(json.schedule.selectors.books).toEqual({ selector: '.tile', all: true, fields: { title: 'h3' } });
  });

  it('is refused when the selectors are not those that it was made for any more', async () => {
    const path = await fallen(['price']);
    const { suggestedFor } = (await ask(`${path}/health`)).json.health;
    await ask(path, { method: 'PATCH', body: { selectors: { price: '.other' } } });
    const { status, json } = await accept(path, { suggestedFor });
    expect([status, json.error.code]).toEqual([409, 'SUGGESTION_OUTDATED']);
    expect((await ask(path)).json.schedule.selectors).toEqual({ price: '.other' });
  });

  it('is accepted where another setting has changed since', async () => {
    const path = await fallen(['price']);
    const { suggestedFor } = (await ask(`${path}/health`)).json.health;
    await ask(path, { method: 'PATCH', body: { name: 'Renamed' } });
    expect((await accept(path, { suggestedFor })).json.schedule).toMatchObject({ name: 'Renamed' });
  });

  it.each([
    [['title'], 'has not fallen'],
    [['nothing'], 'is not a field of the schedule'],
  ])('for %j does not exist', async (fields, reason) => {
    const { status, json } = await accept(await fallen(['price']), { fields });
    expect([status, json.error.code]).toEqual([409, 'NO_SUGGESTION']);
    expect(json.error.details).toEqual([{ path: 'fields.0', message: reason }]);
  });
});

describe('suggestions for the selectors of a recipe', () => {
  const RED = { name: 'a red page', html: '<p>red</p>', expect: {} };
  const GREEN = { name: 'a page', html: '<p>A</p>', expect: {} };

  async function fallenWithRecipe(tests: readonly object[]) {
    const options = { selectors: SELECTORS, locale: 'de' };
    const { json } = await ask('/v1/recipes', { body: { name: 'Books', options, tests } });
    const recipe: string = json.recipe.id;
    return { recipe, path: await fallen(['price'], { recipe }) };
  }

  it('become a version of it once its tests pass with them', async () => {
    const { recipe, path } = await fallenWithRecipe([GREEN]);
    const { json } = await ask(`${path}/health/accept`, { body: {} });
    const version = `${recipe}@2`;
    expect(json).toMatchObject({ recipe: { version, isNew: true, red: [] }, schedule: { recipe: version } });
    const selectors = { ...SELECTORS, price: '.price, .cost' };
    expect(json.schedule.selectors).toEqual(selectors);
    expect((await ask(`/v1/recipes/${recipe}`)).json.recipe).toMatchObject({
      version: 2,
      options: { selectors, locale: 'de' },
    });
  });

  it('stay with the schedule where a test is red with them', async () => {
    const { recipe, path } = await fallenWithRecipe([GREEN, RED]);
    const { json } = await ask(`${path}/health/accept`, { body: {} });
    const version = `${recipe}@1`;
    expect(json.recipe).toEqual({ version, isNew: false, red: ['a red page'] });
    expect(json.schedule).toMatchObject({ recipe: version, selectors: { price: '.price, .cost' } });
    expect((await ask(`/v1/recipes/${recipe}`)).json.recipe.version).toBe(1);
  });

  it('do not change a recipe whose selectors the schedule does not use', async () => {
    const { json: created } = await ask('/v1/recipes', {
      body: { name: 'Books', options: { locale: 'de' } },
    });
    const path = await fallen(['price'], { recipe: created.recipe.id, selectors: SELECTORS });
    const { json } = await ask(`${path}/health/accept`, { body: {} });
    expect(json).not.toHaveProperty('recipe');
    expect((await ask(`/v1/recipes/${created.recipe.id}`)).json.recipe.version).toBe(1);
  });
});
