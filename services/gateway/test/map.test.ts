import { AppError, defined, type MapCommand, type MapReply } from '@gleaner/contracts';
import { eventually, untilReady } from '@gleaner/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

const URL_A = 'https://example.com/';
const RESULT = { urls: [{ url: URL_A }, { url: `${URL_A}b`, foundOn: URL_A }], sources: [], complete: true };

describe('POST /v1/map', () => {
  let bed: TestBed;
  let gateway: TestGateway;
  const commands: MapCommand[] = [];
  const cancelled: string[] = [];
  let answer: (command: MapCommand) => Promise<MapReply>;

  beforeAll(async () => {
    bed = await startTestBed();
    gateway = await bed.startGateway({ ROBOTS_POLICY: 'obey' });
    bed.broker.respond(
      'maps.commands',
      async ({ body }) => {
        commands.push(body);
        return await answer(body);
      },
      { concurrency: 10 },
    );
    bed.broker.onBroadcast('cancellations', ({ requestId }) => void cancelled.push(requestId));
    await untilReady(bed.broker);
  });
  beforeEach(() => {
    answer = async () => ({ mapJson: JSON.stringify(RESULT), pages: 1 });
  });
  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  const map = (body: object, { key }: Pick<TestKey, 'key'>, signal?: AbortSignal) =>
    call(`${gateway.url}/v1/map`, { key, body, ...defined({ signal }) });
  const usageOf = async ({ key }: TestKey) => (await call(`${gateway.url}/v1/usage`, { key })).json.usage;

  it('returns what a scraper found, and charges the pages that it read', async () => {
    const owner = await bed.createKey({ balance: 600 });
    answer = async () => ({ mapJson: JSON.stringify(RESULT), pages: 7 });
    const request = { url: URL_A, depth: 2, include: ['/b/**'], search: 'b' };
    const { status, json, headers } = await map(request, owner);
    expect([status, json]).toEqual([
      200,
      {
        success: true,
        ...RESULT,
        requestId: headers['x-request-id'],
        metadata: { url: URL_A, duration: expect.any(Number), credits: 7 },
      },
    ]);
    expect(commands.at(-1)).toMatchObject({ accountId: owner.accountId, request });
    expect(await usageOf(owner)).toMatchObject({
      used: 7,
      remaining: 593,
      byOperation: { map: { credits: 7, requests: 1 } },
    });
  });

  it('costs nothing when it fails or reads no page', async () => {
    const owner = await bed.createKey({ balance: 1 });
    answer = async () => {
      throw new AppError('NOT_FOUND', { source: 'target', targetStatusCode: 404 });
    };
    expect((await map({ url: URL_A }, owner)).json.error).toMatchObject({
      code: 'NOT_FOUND',
      source: 'target',
    });
    answer = async () => ({ mapJson: JSON.stringify(RESULT), pages: 0 });
    expect((await map({ url: URL_A, depth: 0 }, owner)).status).toBe(200);
    expect(await usageOf(owner)).toMatchObject({ used: 0, remaining: 1 });
  });

  it.each([
    [{ depth: 1 }, 0],
    [{ depth: 2 }, 499],
    [{ depth: 2, maxCredits: 20 }, 19],
  ])('needs credits for all pages that %j may read', async (options, balance) => {
    const { json } = await map({ url: URL_A, ...options }, await bed.createKey({ balance }));
    expect(json.error.code).toBe('INSUFFICIENT_CREDITS');
    expect(
      (await map({ url: URL_A, ...options }, await bed.createKey({ balance: balance + 1 }))).status,
    ).toBe(200);
  });

  it('is cancelled when the caller leaves, and frees the credits', async () => {
    const owner = await bed.createKey({ balance: 1 });
    const leaving = new AbortController();
    const before = commands.length;
    answer = () => new Promise(() => {});
    const calling = map({ url: URL_A }, owner, leaving.signal).catch(() => {});
    await eventually(() => expect(commands).toHaveLength(before + 1));
    leaving.abort();
    await calling;
    await eventually(() => expect(cancelled).toContain(commands.at(-1)?.requestId));
    await eventually(async () => expect(await usageOf(owner)).toMatchObject({ used: 0, remaining: 1 }));
  });

  it.each([
    [{ url: 'http://10.0.0.1/' }, 'INVALID_URL', 'url'],
    [{ url: '/x' }, 'INVALID_URL', 'url'],
    [{ url: URL_A, depth: 3 }, 'INVALID_REQUEST', 'depth'],
    [{ url: URL_A, limit: 50_001 }, 'INVALID_REQUEST', 'limit'],
    [{ url: URL_A, timeout: 60_001 }, 'INVALID_REQUEST', 'timeout'],
    [{ url: URL_A, maxDepth: 1 }, 'INVALID_REQUEST', 'maxDepth'],
    [{ url: URL_A, search: '' }, 'INVALID_REQUEST', 'search'],
    [{ url: URL_A, depth: 1, sitemap: 'only' }, 'INVALID_REQUEST', 'depth'],
    [{ url: URL_A, depth: 0, sitemap: 'skip' }, 'INVALID_REQUEST', 'depth'],
    [{ url: URL_A, robots: 'ignore' }, 'INVALID_REQUEST', 'robots'],
    [{ url: URL_A, exclude: ['/a', { regex: '(' }] }, 'INVALID_REQUEST', 'exclude.1'],
  ])('refuses %j', async (body, code, path) => {
    const { json } = await map(body, await bed.createKey());
    expect(json.error).toMatchObject({ code, details: [{ path }] });
  });
});
