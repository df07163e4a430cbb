import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { readConfig } from '@gleaner/config';
import { createLogger, createMetrics } from '@gleaner/service-kit';
import type { Database } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY_SETTINGS } from '../src/config.ts';
import { startGateway } from '../src/start-gateway.ts';
import { call } from './support/call.ts';
import { found, neverReplies, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestKey } from './support/test-bed.ts';

/** Settings of a gateway that waits for its clients far longer than a test does. */
const WAITING = {
  HEADERS_TIMEOUT_MS: '600000',
  REQUEST_TIMEOUT_MS: '600000',
  KEEP_ALIVE_TIMEOUT_MS: '600000',
};
const PATIENCE_MS = 120_000;

let bed: TestBed;
let worker: ScriptedWorker;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  worker = await startScriptedWorker(bed.broker);
  owner = await bed.createKey({ balance: 50 });
});
afterEach(() => worker.reset());
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a gateway that cannot start', () => {
  it('leaves no connection of its own open', async () => {
    const gateway = await bed.startGateway();
    const opened: Database[] = [];
    const { database, broker } = bed;
    const watched: Database = {
      ...database,
      async connectApart(maxPoolSize) {
        const apart = await database.connectApart(maxPoolSize);
        opened.push(apart);
        return apart;
      },
    };
    const stream = { write: () => {} };
    const logger = createLogger({ service: 'gateway', level: 'error', format: 'json', stream });
    const config = readConfig(GATEWAY_SETTINGS, { PORT: String(gateway.port) });
    const deps = {
      config,
      logger,
      metrics: createMetrics('gateway'),
      broker,
      database: watched,
      show: () => {},
    };
    await expect(startGateway(deps)).rejects.toThrow(String(gateway.port));
    expect(opened.map(({ state }) => state)).toEqual(['disconnected']);
  });
});

describe('a gateway that is asked to stop', () => {
  it('finishes calls in flight, closes its connections and accepts no new ones', async () => {
    const gateway = await bed.startGateway();
    const gate = Promise.withResolvers<void>();
    worker.follow(async () => {
      await gate.promise;
      return found();
    });
    const running = call(`${gateway.url}/v1/scrape`, {
      key: owner.key,
      body: { url: 'https://example.com/' },
    });
    await eventually(() => expect(worker.commands).toHaveLength(1));
    const stopped = gateway.stop(AbortSignal.timeout(30_000));
    await expect(call(gateway.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    gate.resolve();
    const { status, headers } = await running;
    expect([status, headers.connection]).toEqual([200, 'close']);
    await stopped;
  });

  it('cuts calls that do not finish in time, and does not charge them', async () => {
    const gateway = await bed.startGateway();
    const watcher = await bed.startGateway();
    worker.follow(neverReplies);
    const running = call(`${gateway.url}/v1/scrape`, {
      key: owner.key,
      body: { url: 'https://example.com/' },
    });
    const cut = expect(running).rejects.toMatchObject({ code: 'ECONNRESET' });
    await eventually(() => expect(worker.commands).toHaveLength(1));
    await gateway.stop(AbortSignal.timeout(100));
    await cut;
    await eventually(async () => {
      const { json } = await call(`${watcher.url}/v1/usage`, { key: owner.key });
      expect(json.usage).toMatchObject({ reserved: 0, remaining: 49 });
    });
    await eventually(() => expect(worker.cancellations).toHaveLength(1));
  });

  it('does not wait for idle connections', async () => {
    const gateway = await bed.startGateway(WAITING);
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) => {
      request(gateway.url, { agent }, (incoming) => incoming.resume().once('end', resolve)).end();
    });
    const patience = AbortSignal.timeout(PATIENCE_MS);
    await gateway.stop(patience);
    expect(patience.aborted).toBe(false);
    agent.destroy();
  });

  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['a wish for a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ['half a request', 'GET / HTTP/1.1\r\n'],
    ['nothing', ''],
  ])('does not wait for clients without a call: %s', async (_, bytes) => {
    const gateway = await bed.startGateway(WAITING);
    const stranger = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    stranger.on('error', () => {}).resume();
    await once(stranger, 'connect');
    stranger.write(bytes);
    const patience = AbortSignal.timeout(PATIENCE_MS);
    await gateway.stop(patience);
    expect(patience.aborted).toBe(false);
    stranger.destroy();
  });
});

describe('a running gateway', () => {
  it('reports that it is alive and ready', async () => {
    const gateway = await bed.startGateway();
    expect((await call(`${gateway.url}/livez`)).json).toEqual({ success: true, status: 'alive' });
    await eventually(async () => {
      expect((await call(`${gateway.url}/readyz`)).json).toEqual({ success: true, status: 'ready' });
    });
  });

  it('counts calls by route, status and code', async () => {
    const gateway = await bed.startGateway();
    await call(`${gateway.url}/v1/usage`, { key: owner.key });
    await call(`${gateway.url}/v1/usage`);
    await call(`${gateway.url}/nowhere/at/all`);
    await eventually(async () => {
      const { text } = await gateway.metrics.render();
      const lines = text.split('\n').filter((line) => line.startsWith('gleaner_http_requests_total'));
      expect(lines).toEqual([
        expect.stringMatching(/route="getUsage",method="GET",status="200",code="".* 1$/),
        expect.stringMatching(/route="getUsage",method="GET",status="401",code="UNAUTHORIZED".* 1$/),
        expect.stringMatching(/route="none",method="GET",status="404",code="ROUTE_NOT_FOUND".* 1$/),
      ]);
      expect(text).toMatch(/gleaner_http_request_duration_seconds_count\{.*route="getUsage".*\} 2/);
      expect(text).toMatch(/gleaner_http_requests_in_flight\{.*\} 0/);
    });
  });
});
