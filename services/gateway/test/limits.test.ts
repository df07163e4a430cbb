import { request } from 'node:http';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { found, neverReplies, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway } from './support/test-bed.ts';

let bed: TestBed;
let gateways: readonly [TestGateway, TestGateway];
let worker: ScriptedWorker;

beforeAll(async () => {
  bed = await startTestBed();
  const env = {
    RATE_LIMIT_READ: '6',
    RATE_LIMIT_CREATE: '2',
    RATE_LIMIT_SCRAPE: '40',
    MAX_SCRAPES_IN_FLIGHT: '4',
  };
  gateways = [await bed.startGateway(env), await bed.startGateway(env)];
  worker = await startScriptedWorker(bed.broker);
});
beforeEach(() => worker.reset());
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('the rate limit of a key', () => {
  it('holds over two gateways on one database', async () => {
    const { key } = await bed.createKey();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(`${gateways[index % 2]?.url}/v1/usage`, { key })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(6);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.json.error).toMatchObject({ code: 'RATE_LIMITED', source: 'api' });
    expect(refused?.headers['ratelimit-remaining']).toBe('0');
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(61);
  });

  it('counts down in the headers', async () => {
    const { key } = await bed.createKey();
    const remaining = [];
    for (const { url } of [...gateways, ...gateways]) {
      const { headers } = await call(`${url}/v1/usage`, { key });
      expect(headers['ratelimit-limit']).toBe('6');
      remaining.push(headers['ratelimit-remaining']);
    }
    expect(remaining).toEqual(['5', '4', '3', '2']);
  });

  it('is counted separately for each class of calls and for each key', async () => {
    const owner = await bed.createKey();
    const create = (key: string) => call(`${gateways[0].url}/v1/keys`, { key, body: {} });
    const statuses = [await create(owner.key), await create(owner.key), await create(owner.key)].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([201, 201, 429]);
    expect((await call(`${gateways[0].url}/v1/keys`, { key: owner.key })).status).toBe(200);
    const other = await bed.createKey({ accountId: owner.accountId });
    expect((await create(other.key)).status).toBe(201);
  });

  it('counts forbidden calls too, and takes precedence over FORBIDDEN', async () => {
    const { key } = await bed.createKey({ scopes: ['scrape'] });
    const statuses = [];
    for (let count = 0; count < 7; count++)
      statuses.push((await call(`${gateways[0].url}/v1/usage`, { key })).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 429]);
  });
});

describe('scrapes that begin while they are being counted', () => {
  const scrape = (url: string, key: string) =>
    call(`${url}/v1/scrape`, { key, body: { url: 'https://example.com/' } });
  const outcomesOf = (answers: readonly Awaited<ReturnType<typeof scrape>>[]) =>
    answers.map(({ status, headers }) => `${status}, ${headers['ratelimit-remaining']} left`);

  it('are rejected and cost nothing when another gateway has used up the limit', async () => {
    const [first, second] = gateways;
    const { key } = await bed.createKey();
    expect(outcomesOf([await scrape(first.url, key)])).toEqual(['200, 39 left']);
    for (let left = 38; left >= 0; left -= 1) {
      expect(outcomesOf([await scrape(second.url, key)])).toEqual([`200, ${left} left`]);
    }
    const ahead = await Promise.all([scrape(first.url, key), scrape(first.url, key)]);
    expect(outcomesOf(ahead)).toEqual(['429, 0 left', '429, 0 left']);
    const { json } = await call(`${first.url}/v1/usage`, { key });
    expect(json.usage).toMatchObject({ used: 40, reserved: 0 });
  });

  it('never exceed the limit, with many at once at several gateways', async () => {
    const { key } = await bed.createKey();
    const statuses: number[] = [];
    const callers = Array.from({ length: 4 }, async (_, index) => {
      for (let count = 0; count < 15; count += 1) {
        const { status } = await scrape((gateways[index % 2] ?? gateways[0]).url, key);
        statuses.push(status);
      }
    });
    await Promise.all(callers);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const { json } = await call(`${gateways[0].url}/v1/usage`, { key });
    expect(json.usage).toMatchObject({ used: 40 });
  });

  it('are answered with the limit first, whatever else is wrong with them', async () => {
    const { key } = await bed.createKey();
    const body = { url: 'no url' };
    const answers = [];
    for (let count = 0; count <= 40; count += 1)
      answers.push(await call(`${gateways[0].url}/v1/scrape`, { key, body }));
    expect(outcomesOf(answers).slice(38)).toEqual(['400, 1 left', '400, 0 left', '429, 0 left']);
  });
});

describe('the scrapes of a key in flight', () => {
  it('are bounded over two gateways, and make room when they finish', async () => {
    const { key } = await bed.createKey();
    const gate = Promise.withResolvers<void>();
    worker.follow(async () => {
      await gate.promise;
      return found();
    });
    const scrape = (index: number) =>
      call(`${gateways[index % 2]?.url}/v1/scrape`, { key, body: { url: 'https://example.com/' } });
    const held = [0, 1, 2, 3].map(scrape);
    await eventually(() => expect(worker.commands).toHaveLength(4));
    const { json, headers } = await scrape(4);
    expect(json.error).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('4 scrapes in flight'),
    });
    expect(headers['retry-after']).toBe('1');
    gate.resolve();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await eventually(async () => expect((await scrape(5)).status).toBe(200));
  });

  it('expire half a minute after the last renewal by their gateway, however long they may take', async () => {
    const { key, keyId } = await bed.createKey();
    worker.follow(neverReplies);
    const left = new AbortController();
    const body = { url: 'https://example.com/', timeout: 120_000 };
    const held = call(`${gateways[0].url}/v1/scrape`, { key, body, signal: left.signal }).catch(() => {});
    await eventually(() => expect(worker.commands).toHaveLength(1));
    const takeIn = (ms: number) => {
      const now = new Date(Date.now() + ms);
      const slot = { operationId: `in ${ms} ms`, max: 1, expiresAt: now };
      return bed.stores.rateLimits.takeFromRateLimit({
        keyId,
        class: 'scrape',
        limit: 1000,
        windowMs: 60_000,
        now,
        slot,
      });
    };
    await eventually(async () => expect((await takeIn(0)).refusedBy).toBe('concurrency'));
    expect((await takeIn(30_000)).refusedBy).toBeNull();
    left.abort();
    await held;
  });
});

describe('large bodies', () => {
  /** A request whose body of 20 MiB is sent but for its last byte, as its length is declared. */
  function beginLarge(url: string, key: string) {
    const text = JSON.stringify({ html: '<p>' });
    const body = text.padEnd(20 * 1024 * 1024, ' ');
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    };
    const outgoing = request(`${url}/v1/extract`, { method: 'POST', headers, agent: false });
    outgoing.on('error', () => {}).write(body.slice(1));
    return outgoing;
  }

  it('of one account wait unread beyond a bound, while other accounts go on', async () => {
    const owner = await bed.createKey();
    const other = await bed.createKey();
    const gateway = await bed.startGateway({
      MAX_BODY_BYTES_IN_FLIGHT: String(20 * 1024 * 1024),
      REQUEST_TIMEOUT_MS: '600000',
    });
    const first = beginLarge(gateway.url, owner.key);
    await eventually(() => expect(first.writableLength).toBe(0));
    const second = beginLarge(gateway.url, owner.key);
    const urls = Array.from({ length: 3000 }, () => 'https://example.com/a-page-with-a-long-path');
    const theirs = await call(`${gateway.url}/v1/jobs`, { key: other.key, body: { urls } });
    // No orchestrator runs here; the body was read and checked.
    expect(theirs.json.error.message).toBe('No job-orchestrator is running.');
    expect(second.writableLength).toBeGreaterThan(0);
    first.destroy();
    await eventually(() => expect(second.writableLength).toBe(0));
    second.destroy();
  });
});
