import { createId } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { failed, found, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway } from './support/test-bed.ts';

let bed: TestBed;
let gateways: readonly [TestGateway, TestGateway];
let worker: ScriptedWorker;

beforeAll(async () => {
  bed = await startTestBed();
  const env = { RATE_LIMIT_SCRAPE: '10000', MAX_SCRAPES_IN_FLIGHT: '1000', SWEEP_INTERVAL_MS: '100' };
  gateways = [await bed.startGateway(env), await bed.startGateway(env)];
  worker = await startScriptedWorker(bed.broker);
});
afterEach(() => worker.reset());
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

function scrape(key: string, options: object = {}, index = 0) {
  return call(`${gateways[index % 2]?.url}/v1/scrape`, {
    key,
    body: { url: 'https://example.com/', ...options },
  });
}

async function usageOf(key: string) {
  const { json } = await call(`${gateways[0].url}/v1/usage`, { key });
  return json.usage;
}

describe('credits', () => {
  it('are charged exactly K times when K are left and more scrapes run at once, through two gateways', async () => {
    const { key } = await bed.createKey({ balance: 7 });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => scrape(key, {}, index)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(answers.filter(({ json }) => json.error?.code === 'INSUFFICIENT_CREDITS')).toHaveLength(9);
    expect(await usageOf(key)).toMatchObject({ used: 7, remaining: 0, reserved: 0 });
    expect(worker.commands).toHaveLength(7);
  });

  it('must cover the worst case, and are charged only for what ran', async () => {
    const { key } = await bed.createKey({ balance: 15 });
    worker.follow(() => found({ price: { base: 1 } }));
    expect((await scrape(key, { antiBot: true })).json.metadata.credits).toBe(1);
    const { json } = await scrape(key, { antiBot: true });
    expect(json.error).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message: expect.stringContaining('may cost 15'),
    });
    expect(await usageOf(key)).toMatchObject({ used: 1, remaining: 14, reserved: 0 });
  });

  it('must cover no more than maxCredits, where the price may be less', async () => {
    const { key } = await bed.createKey({ balance: 12 });
    expect((await scrape(key, { antiBot: true })).status).toBe(402);
    expect((await scrape(key, { antiBot: true, maxCredits: 13 })).status).toBe(402);
    expect((await scrape(key, { antiBot: true, maxCredits: 12 })).status).toBe(200);
    expect(worker.commands.at(-1)?.request).toMatchObject({ antiBot: true, maxCredits: 12 });
  });

  it.each([
    [{ antiBot: true, maxCredits: 0 }, 'must be at least 1'],
    [{ waitFor: 10, maxCredits: 4 }, 'must be at least 5, because the page costs that much'],
    [{ screenshot: true, antiBot: true, maxCredits: 5 }, 'must be at least 6'],
  ])('are not enough for any way with %j', async (options, message) => {
    const { key } = await bed.createKey();
    const { status, json } = await scrape(key, options);
    expect(status).toBe(400);
    expect(json.error.details).toEqual([{ path: 'maxCredits', message: expect.stringContaining(message) }]);
  });

  it('must cover no more than maxCredits of a job', async () => {
    const { key } = await bed.createKey({ balance: 40 });
    const create = (options: object) =>
      call(`${gateways[0].url}/v1/jobs`, { key, body: { urls, antiBot: true, ...options } });
    const urls = ['https://example.com/1', 'https://example.com/2', 'https://example.com/3'];
    await startScriptedOrchestrator(bed.broker);
    expect((await create({})).json.error.message).toContain('may cost 45');
    expect((await create({ maxCredits: 41 })).json.error.message).toContain('may cost 41');
    expect((await create({ maxCredits: 40 })).status).toBe(202);
  });

  it('of a crawl are bounded by crawl.maxCredits alone', async () => {
    const { key } = await bed.createKey();
    const body = { urls: ['https://example.com/'], crawl: {}, maxCredits: 10 };
    const { status, json } = await call(`${gateways[0].url}/v1/jobs`, { key, body });
    expect(status).toBe(400);
    expect(json.error.details).toEqual([
      { path: 'maxCredits', message: expect.stringContaining('set crawl.maxCredits') },
    ]);
  });

  it('are held while a scrape runs', async () => {
    const { key } = await bed.createKey({ balance: 3 });
    const gate = Promise.withResolvers<void>();
    worker.follow(async () => {
      await gate.promise;
      return found();
    });
    const running = scrape(key);
    await eventually(() => expect(worker.commands).toHaveLength(1));
    expect(await usageOf(key)).toMatchObject({ used: 0, remaining: 2, reserved: 1 });
    gate.resolve();
    await running;
    expect(await usageOf(key)).toMatchObject({ used: 1, remaining: 2, reserved: 0 });
  });

  it('are not charged for failures', async () => {
    const { key } = await bed.createKey({ balance: 2 });
    worker.follow(() => failed('BLOCKED'));
    const answers = await Promise.all(Array.from({ length: 6 }, () => scrape(key)));
    for (const { json } of answers) expect(['BLOCKED', 'INSUFFICIENT_CREDITS']).toContain(json.error.code);
    expect(await usageOf(key)).toMatchObject({ used: 0, remaining: 2, reserved: 0 });
  });

  it('are charged for each call, also with the same X-Request-Id', async () => {
    const { key } = await bed.createKey({ balance: 5 });
    for (let count = 0; count < 2; count++) {
      const body = { url: 'https://example.com/' };
      await call(`${gateways[0].url}/v1/scrape`, { key, body, headers: { 'X-Request-Id': 'the-same' } });
    }
    expect(await usageOf(key)).toMatchObject({ used: 2, remaining: 3 });
  });

  it('that a dead gateway had reserved are released', async () => {
    const { key, accountId } = await bed.createKey({ balance: 9 });
    const now = new Date();
    await bed.stores.credits.reserve({
      account: { id: accountId, balance: 9 },
      operationId: createId('req'),
      credits: 9,
      now,
      expiresAt: now,
    });
    await eventually(async () =>
      expect(await usageOf(key)).toMatchObject({ used: 0, remaining: 9, reserved: 0 }),
    );
  });

  it('are not reduced where they are unlimited, but usage is counted', async () => {
    const { key } = await bed.createKey({ balance: null });
    await scrape(key);
    const today = new Date().toISOString().slice(0, 10);
    expect(await usageOf(key)).toMatchObject({
      used: 1,
      remaining: null,
      reserved: 0,
      byDay: [{ day: today, credits: 1, requests: 1 }],
      byOperation: { scrape: { credits: 1, requests: 1 } },
    });
  });

  it('of one account are not visible to others', async () => {
    const { key } = await bed.createKey({ balance: 4 });
    expect(await usageOf(key)).toMatchObject({ used: 0, remaining: 4, byDay: [], byOperation: {} });
  });

  it('are summed over the requested days, both included', async () => {
    const { key } = await bed.createKey();
    await scrape(key);
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const used = async (query: string) => {
      const { json } = await call(`${gateways[0].url}/v1/usage?${query}`, { key });
      return json.usage;
    };
    const today = await used(`from=${day(0)}&to=${day(0)}`);
    expect(today).toMatchObject({ used: 1, from: `${day(0)}T00:00:00.000Z`, to: `${day(1)}T00:00:00.000Z` });
    expect((await used(`from=${day(-9)}&to=${day(-1)}`)).used).toBe(0);
  });
});
