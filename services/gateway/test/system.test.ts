import { randomUUID } from 'node:crypto';
import type { Heartbeat } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let admin: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway();
  admin = await bed.createKey();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

async function system(url = gateway.url) {
  const { status, json } = await call(`${url}/v1/system`, { key: admin.key });
  expect(status).toBe(200);
  return json.system;
}

function heartbeat(fields: Partial<Heartbeat>): Heartbeat {
  const startedAt = '2026-01-01T00:00:00.000Z';
  return {
    id: randomUUID(),
    service: 'scraper',
    name: 'n',
    version: '1.0.0',
    startedAt,
    facts: {},
    isLast: false,
    ...fields,
  };
}

/** Sends a heartbeat until the gateway shows what it should: the first may come before it listens. */
async function tell(message: Heartbeat, check: (shown: Awaited<ReturnType<typeof system>>) => void) {
  await eventually(async () => {
    await bed.broker.broadcast('heartbeats', message);
    check(await system());
  });
}

describe('GET /v1/system', () => {
  it('shows processes with their versions and browsers, until they stop', async () => {
    const browsers = [{ kind: 'plain' as const, version: '149.0.1.2', tabs: 2, memoryBytes: 1024 }];
    const chromium = { version: '149.0.1.2', releasedAt: '2026-05-27T00:00:00.000Z' };
    const process = heartbeat({ name: 'host-1', facts: { browsers, chromium } });
    await tell(process, ({ instances }) =>
      expect(instances).toContainEqual({
        id: process.id,
        service: 'scraper',
        name: 'host-1',
        version: '1.0.0',
        browsers,
        chromium,
        startedAt: process.startedAt,
        seenAt: expect.any(String),
      }),
    );
    const other = await bed.startGateway();
    expect((await system(other.url)).instances).toHaveLength(1);
    await tell({ ...process, isLast: true }, ({ instances }) => expect(instances).toEqual([]));
  });

  it('shows hosts while they are paused, the longest pause first and each once', async () => {
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const [short, long, past] = [inSeconds(60), inSeconds(120), inSeconds(-1)];
    const pausedBy = (...pausedHosts: { host: string; until: string }[]) =>
      heartbeat({ service: 'job-orchestrator', facts: { pausedHosts } });
    const former = pausedBy({ host: 'a.test', until: short }, { host: 'c.test', until: past });
    await tell(former, ({ pausedHosts }) => expect(pausedHosts).toEqual([{ host: 'a.test', until: short }]));
    const present = pausedBy({ host: 'b.test', until: short }, { host: 'a.test', until: long });
    await tell(present, ({ pausedHosts }) =>
      expect(pausedHosts).toEqual([
        { host: 'a.test', until: long },
        { host: 'b.test', until: short },
      ]),
    );
  });

  it('is for admins', async () => {
    const { key } = await bed.createKey({ scopes: ['jobs'] });
    expect((await call(`${gateway.url}/v1/system`, { key })).status).toBe(403);
  });
});
