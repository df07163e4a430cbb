import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './support/call.ts';
import {
  type ScriptedOrchestrator,
  seedJob,
  startScriptedOrchestrator,
} from './support/scripted-orchestrator.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let worker: ScriptedWorker;
let orchestrator: ScriptedOrchestrator;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '100000' });
  worker = await startScriptedWorker(bed.broker);
  orchestrator = await startScriptedOrchestrator(bed.broker);
  await startScriptedScheduler(bed.broker, bed.stores);
});
beforeEach(async () => {
  owner = await bed.createKey();
  worker.reset();
  orchestrator.reset();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

function ask(path: string, options: CallOptions = {}): Promise<TestAnswer> {
  return call(gateway.url + path, { key: owner.key, ...options });
}

const OPTIONS = { selectors: { title: 'h1' }, locale: 'de' };
const PAGE = 'https://shop.test/books/1';

async function create(body: object = {}): Promise<string> {
  const { status, json } = await ask('/v1/recipes', { body: { name: 'Books', options: OPTIONS, ...body } });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.recipe.id;
}

const change = (id: string, body: object) => ask(`/v1/recipes/${id}`, { method: 'PATCH', body });

describe('"recipe" of a scrape', () => {
  const scrape = async (body: object) => {
    const answer = await ask('/v1/scrape', { body: { url: PAGE, ...body } });
    return { ...answer, request: worker.commands.at(-1)?.request };
  };

  it('brings its options, which those of the request stand over', async () => {
    const id = await create();
    const { json, request } = await scrape({ recipe: id, locale: 'en' });
    expect(request).toEqual({ url: PAGE, selectors: { title: 'h1' }, locale: 'en', recipe: `${id}@1` });
    expect(json.metadata.recipe).toBe(`${id}@1`);
  });

  it('is the latest version, or the one that it names', async () => {
    const id = await create();
    await change(id, { options: { selectors: { title: 'h2' } } });
    expect((await scrape({ recipe: id })).request).toMatchObject({
      selectors: { title: 'h2' },
      recipe: `${id}@2`,
    });
    expect((await scrape({ recipe: `${id}@1` })).request).toMatchObject({ selectors: { title: 'h1' } });
  });

  it('is with auto the one whose pattern has the most characters', async () => {
    await create({ name: 'all', match: ['https://shop.test/**'] });
    const books = await create({
      name: 'books',
      match: ['https://other.test/', 'https://shop.test/books/*'],
    });
    await create({ name: 'hosts', match: ['https://*.test/**'] });
    expect((await scrape({ recipe: 'auto' })).request?.recipe).toBe(`${books}@1`);
    const { json } = await scrape({ url: 'https://nowhere.example/', recipe: 'auto' });
    expect(json.error).toMatchObject({ code: 'RECIPE_NOT_FOUND', details: [{ path: 'url' }] });
    expect((await scrape({ url: 'nonsense', recipe: 'auto' })).json.error.code).toBe('INVALID_URL');
  });

  it('is ambiguous with auto where two match equally well', async () => {
    const first = await create({ name: 'one', match: ['https://shop.test/books/*'] });
    await create({ name: 'two', match: ['https://shop.test/*/1****', 'https://shop.test/books/**'] });
    const { status, json } = await scrape({ recipe: 'auto' });
    expect([status, json.error.code]).toEqual([409, 'RECIPE_AMBIGUOUS']);
    expect(json.error.message).toContain(`"one" (${first}) by https://shop.test/books/*`);
  });

  it('is refused with a hint where it is malformed', async () => {
    const { json } = await scrape({ recipe: 'books' });
    expect(json.error.details).toEqual([{ path: 'recipe', message: expect.stringContaining('or "auto"') }]);
  });

  it('has errors of options that do not go together by their paths', async () => {
    const id = await create({ options: { render: true } });
    const { json } = await scrape({ recipe: id, method: 'POST' });
    expect(json.error).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('"recipe" of a job', () => {
  it('is stored as the version, with its options', async () => {
    const id = await create({ match: ['https://shop.test/books/*'] });
    await ask('/v1/jobs', { body: { urls: [PAGE, 'https://shop.test/books/2'], recipe: 'auto' } });
    expect(orchestrator.commands.at(-1)).toMatchObject({ request: { ...OPTIONS, recipe: `${id}@1` } });
  });

  it('is the same for all URLs', async () => {
    await create({ name: 'books', match: ['https://shop.test/books/*'] });
    await create({ name: 'toys', match: ['https://shop.test/toys/*'] });
    const requests = [{ url: PAGE }, { url: 'https://shop.test/toys/1' }];
    const { status, json } = await ask('/v1/jobs', { body: { requests, recipe: 'auto' } });
    expect([status, json.error]).toMatchObject([
      409,
      { code: 'RECIPE_AMBIGUOUS', details: [{ path: 'requests.1.url' }] },
    ]);
    const urls = [PAGE, 'https://nowhere.example/'];
    const missing = await ask('/v1/jobs', { body: { urls, recipe: 'auto' } });
    expect(missing.json.error).toMatchObject({ code: 'RECIPE_NOT_FOUND', details: [{ path: 'urls.1' }] });
  });

  it('does not change what a repeated request means', async () => {
    const id = await create();
    const recipe = { ...OPTIONS, recipe: `${id}@1` };
    const stored = await seedJob(bed.stores, owner.accountId, [{ data: {} }], recipe);
    const idempotency = { key: 'once', requestHash: 'a' };
    await bed.database.models.jobs.updateOne({ _id: stored.id }, { $set: { idempotency } });
    await change(id, { options: { selectors: { title: 'h2' } } });
    const headers = { 'idempotency-key': 'once' };
    await ask('/v1/jobs', { body: { urls: [PAGE], recipe: id }, headers });
    expect(orchestrator.commands.at(-1)).toMatchObject({ request: recipe });
  });

  it('keeps its options when the recipe is deleted', async () => {
    const id = await create();
    const options = { ...OPTIONS, recipe: `${id}@1` };
    const job = await seedJob(bed.stores, owner.accountId, [{ data: {} }], options);
    await ask(`/v1/recipes/${id}`, { method: 'DELETE' });
    expect((await ask(`/v1/jobs/${job.id}`)).json.job.options).toEqual(options);
    expect((await ask(`/v1/jobs/${job.id}/rerun`, { method: 'POST' })).status).toBe(202);
    expect(orchestrator.commands.at(-1)).toMatchObject({ request: options });
  });

  it('counts in an estimate', async () => {
    const id = await create({ options: { antiBot: true } });
    const { json } = await ask('/v1/estimate', { body: { urls: [PAGE], recipe: id } });
    const own = await ask('/v1/estimate', { body: { urls: [PAGE], antiBot: true } });
    expect(json.estimate.credits).toEqual(own.json.estimate.credits);
  });
});

describe('"recipe" of a schedule', () => {
  const CRON = { url: PAGE, cron: '0 9 * * *' };

  it('is stored as the version, until the schedule is given another', async () => {
    const id = await create();
    const { json } = await ask('/v1/schedules', { body: { ...CRON, recipe: id, locale: 'en' } });
    const path = `/v1/schedules/${json.schedule.id}`;
    expect(json.schedule).toMatchObject({ recipe: `${id}@1`, selectors: { title: 'h1' }, locale: 'en' });
    await change(id, { options: { selectors: { title: 'h2' }, timeout: 5000 } });
    const named = await ask(path, { method: 'PATCH', body: { name: 'Other' } });
    expect(named.json.schedule).toMatchObject({ recipe: `${id}@1`, selectors: { title: 'h1' } });
    const renewed = await ask(path, { method: 'PATCH', body: { recipe: id } });
    expect(renewed.json.schedule).toMatchObject({
      recipe: `${id}@2`,
      selectors: { title: 'h2' },
      timeout: 5000,
      locale: 'en',
    });
    const without = await ask(path, { method: 'PATCH', body: { recipe: null } });
    expect(without.json.schedule).toMatchObject({ locale: 'en', selectors: null });
    for (const name of ['recipe', 'timeout']) expect(without.json.schedule).not.toHaveProperty(name);
  });

  it('keeps its options when the recipe is deleted', async () => {
    const id = await create();
    const { json } = await ask('/v1/schedules', { body: { ...CRON, recipe: id } });
    await ask(`/v1/recipes/${id}`, { method: 'DELETE' });
    const path = `/v1/schedules/${json.schedule.id}`;
    const { json: after } = await ask(path, { method: 'PATCH', body: { name: 'Other' } });
    expect(after.schedule).toMatchObject({ recipe: `${id}@1`, selectors: { title: 'h1' } });
    const missing = await ask(path, { method: 'PATCH', body: { recipe: id } });
    expect(missing.json.error.code).toBe('RECIPE_NOT_FOUND');
  });
});
