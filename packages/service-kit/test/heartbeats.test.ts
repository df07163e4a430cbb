import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import type { Heartbeat } from '@gleaner/contracts';
import { startAmqpServer } from '@gleaner/embedded';
import { eventually } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createLogger } from '../src/index.ts';
import { endServices, launch } from './service-process.ts';

let folder: string;
let server: Awaited<ReturnType<typeof startAmqpServer>>;
let broker: Broker;
let heard: Heartbeat[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-heartbeats-'));
  server = await startAmqpServer({ dataDir: folder });
  const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
  broker = await connectBroker({ url: server.url, name: 'test', logger });
  broker.onBroadcast('heartbeats', (heartbeat) => {
    heard.push(heartbeat);
  });
  await eventually(() => expect(broker.isReady).toBe(true));
});
beforeEach(() => {
  heard = [];
});
afterEach(endServices);
afterAll(async () => {
  await broker.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const start = (env: Record<string, string> = {}) =>
  launch({ AMQP_URL: server.url, ...env }, ['--broker-only'], 'backends');

it('tells that the process runs, and that it stops', async () => {
  const { child, ready, ended } = start({ INSTANCE: 'replica-7' });
  await ready;
  const [first] = await eventually(() => {
    expect(heard.length).toBeGreaterThanOrEqual(1);
    return heard;
  });
  expect(first).toMatchObject({
    service: 'fixture',
    name: 'replica-7',
    isLast: false,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    facts: { pausedHosts: [{ host: 'slow.example' }] },
  });
  expect(Date.parse(first?.startedAt ?? '')).toBeLessThanOrEqual(Date.now());
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  await eventually(() => expect(heard.at(-1)).toMatchObject({ isLast: true }));
  expect([...new Set(heard.map(({ id }) => id))]).toEqual([first?.id]);
  expect(heard.slice(0, -1).filter(({ isLast }) => isLast)).toEqual([]);
});

it('names a process without INSTANCE by its host and its id, and tells replicas apart', async () => {
  const processes = [start(), start()];
  await Promise.all(processes.map(({ ready }) => ready));
  await eventually(() => expect(new Set(heard.map(({ id }) => id)).size).toBe(2));
  for (const { child } of processes)
    expect(heard.some(({ name }) => name.endsWith(`-${child.pid}`))).toBe(true);
});
