import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBroker } from '@gleaner/broker';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../keys/open-database.ts';
import { type Stack, startStack } from '../start-stack.ts';
import { runGleaner } from './run-gleaner.ts';
import { HAS_BROWSER } from './test-stack.ts';

const messages: string[] = [];
let dataDir: string;
let stack: Stack;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gleaner-stack-'));
  stack = await start();
});
afterAll(async () => {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): Promise<Stack> {
  return startStack({
    dataDir,
    announce: (message) => messages.push(message),
  });
}

async function call(
  path: string,
  init: RequestInit = {},
  key = stack.apiKey,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(stack.url + path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function scrapeDemo(url = stack.demoUrl): ReturnType<typeof call> {
  const body = JSON.stringify({ url, selectors: { titles: '.book h2::text::all' } });
  return call('/v1/scrape', { method: 'POST', body });
}

async function creditsUsed(): Promise<unknown> {
  const { body } = await call('/v1/usage');
  return (body.usage as { used: number }).used;
}

function pidOf(name: string): number {
  const pid = stack.processes().find((process) => process.name === name)?.pid;
  if (pid === undefined) throw new Error(`${name} is not running`);
  return pid;
}

describe('the stack on one machine', () => {
  it('starts without a problem to report', () => {
    expect(messages.filter((message) => !message.startsWith('compiling'))).toEqual([]);
  });

  it('keeps its broker and its database to this user', async () => {
    const socket = decodeURIComponent(new URL(stack.mongodbUri).hostname);
    expect(socket.startsWith(dataDir)).toBe(true);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const connect = async (url: string, connectTimeoutMs: number) => {
      const broker = await connectBroker({ url, name: 'test', logger, connectTimeoutMs });
      const subscription = broker.onBroadcast('cancellations', async () => {});
      const isReady = await broker.whenReady(connectTimeoutMs);
      await subscription.stop(1000);
      await broker.close();
      return isReady;
    };
    expect(await connect(stack.amqpUrl, 120_000)).toBe(true);
    expect(await connect(stack.amqpUrl.replace(/guest:[^@]+/, 'guest:guest'), 1000)).toBe(false);
  });

  it('scrapes the demo site through gateway, broker and scraper, and charges it', async () => {
    const { status, body } = await scrapeDemo();
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, metadata: { statusCode: 200, credits: 1, engine: 'http' } });
    expect(body.data).toEqual({ titles: expect.arrayContaining(['Middlemarch', 'Moby-Dick']) });
    expect(await creditsUsed()).toBe(1);
  });

  it('scrapes the demo site under the name localhost, too', async () => {
    const url = stack.demoUrl.replace('127.0.0.1', 'localhost');
    expect(await scrapeDemo(url)).toMatchObject({ status: 200, body: { metadata: { finalUrl: url } } });
  });

  if (HAS_BROWSER) {
    it('renders the demo site, waits for a selector and takes a screenshot', async () => {
      const selectors = { first: '.book h2' };
      const request = { url: stack.demoUrl, waitFor: '.book', screenshot: true, selectors };
      const usedBefore = Number(await creditsUsed());
      const { status, body } = await call('/v1/scrape', { method: 'POST', body: JSON.stringify(request) });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        data: { first: 'Middlemarch' },
        metadata: { statusCode: 200, credits: 6, engine: 'browser' },
      });
      const picture = Buffer.from(String(body.screenshot), 'base64');
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      expect(await creditsUsed()).toBe(usedBefore + 6);
    });
  }

  it('opens no private address but the demo site', async () => {
    const body = JSON.stringify({ url: `${stack.url}/v1/usage` });
    expect(await call('/v1/scrape', { method: 'POST', body })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_URL' } },
    });
  });

  it('calls no private webhook, and says how to let it through', async () => {
    const { code, stderr } = await runGleaner(stack, dataDir, ['webhook', 'listen', '--port', '0']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('EGRESS_ALLOW=127.0.0.1:')]);
  });

  it('serves the metrics and the health of all processes at one address', async () => {
    // On a slow machine, a process may be late with its answer, once or twice.
    await eventually(async () => {
      const text = await (await fetch(`${stack.metricsUrl}/metrics`)).text();
      for (const { name } of stack.processes()) {
        expect(text).toContain(`gleaner_process_ready{process="${name}"} 1`);
      }
      for (const name of ['gateway', 'scraper', 'job-orchestrator', 'scheduler', 'webhook-notifier']) {
        expect(text).toMatch(new RegExp(`^gleaner_build_info\\{.*service="${name}"`, 'm'));
      }
      expect(text).toContain('gleaner_queue_consumers{queue="pages.http",service="job-orchestrator"} 1');
      expect(text.match(/^# TYPE gleaner_build_info /gm)).toHaveLength(1);
    });
    await eventually(async () => {
      const health = await fetch(`${stack.metricsUrl}/readyz`);
      expect([health.status, await health.json()]).toMatchObject([200, { status: 'ready' }]);
    });
    expect((await fetch(`${stack.metricsUrl}/livez`)).status).toBe(200);
    expect((await fetch(`${stack.metricsUrl}/nothing`)).status).toBe(404);
    expect((await fetch(`${stack.metricsUrl}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  it.each(['scraper', 'background', 'gateway', 'backends'])(
    'restarts %s when it is killed, reports it, and keeps its data',
    async (name) => {
      const usedBefore = await creditsUsed();
      process.kill(pidOf(name), 'SIGKILL');
      await eventually(() => expect(messages).toContain(`${name} is running again`));
      await eventually(async () => expect(await scrapeDemo()).toMatchObject({ status: 200 }));
      expect(await creditsUsed()).toBe(Number(usedBefore) + 1);
    },
  );

  it('keeps its key and its data over a restart, leaves no process running, and honors keys that changed while it was stopped', async () => {
    const before = {
      key: stack.apiKey,
      used: await creditsUsed(),
      pids: stack.processes().map(({ pid }) => pid),
    };
    const revoked = await withKeys((keys) => keys.createKey({ accountId: DEFAULT_ACCOUNT_ID }));
    await stack.stop();
    for (const pid of before.pids) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    const created = await withKeys(async (keys) => {
      await keys.revokeKey(DEFAULT_ACCOUNT_ID, revoked.id);
      return await keys.createKey({ accountId: DEFAULT_ACCOUNT_ID });
    });
    stack = await start();
    expect(stack.apiKey).toBe(before.key);
    expect(await creditsUsed()).toBe(before.used);
    expect(await call('/v1/usage', {}, created.key)).toMatchObject({ status: 200 });
    expect(await call('/v1/usage', {}, revoked.key)).toMatchObject({
      status: 401,
      body: { error: { message: expect.stringContaining('revoked') } },
    });
  });
});

/** Runs the work on the database as `npm run keys` does, with the stack running or stopped. */
async function withKeys<Result>(work: (keys: Stores['keys']) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(dataDir, undefined);
  try {
    return await work(database.stores.keys);
  } finally {
    await database.close();
  }
}
