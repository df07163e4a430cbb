import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';
import { freePort } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { endServices, launch } from './service-process.ts';

type Server = Awaited<ReturnType<typeof startAmqpServer>>;
type MongoServer = Awaited<ReturnType<typeof startMongoServer>>;

let folder: string;
let amqp: Server;
let mongo: MongoServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-service-kit-'));
  amqp = await startAmqpServer({ dataDir: join(folder, 'broker'), port: await freePort() });
  mongo = await startMongoServer({ dataDir: join(folder, 'database'), port: await freePort() });
});

afterEach(async () => {
  await endServices();
  await Promise.all([amqp.close(), mongo.close()]);
  await rm(folder, { recursive: true });
});

describe('a service with broker and database', () => {
  it('is ready when both answer and its own check passes, and closes both when it stops', async () => {
    const { child, ready, ended } = launchWith({});
    const { metrics: port } = await ready;
    await untilReadiness(port, {
      status: 'ready',
      checks: { database: { ok: true }, broker: { ok: true }, own: { ok: true } },
    });
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(/gleaner_broker_events_total\{event="connected",.*\} 1/);
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain('"level":"error"');
  });

  it('is not ready while a check of its own fails', async () => {
    const { ready } = launchWith({ CHECK_FAILS: 'true' });
    expect(await readiness((await ready).metrics)).toMatchObject({
      status: 'not ready',
      checks: { own: { ok: false, reason: 'the own check fails' } },
    });
  });

  it('is not ready while the broker is away, and recovers', async () => {
    const { ready } = launchWith({});
    const { metrics: port } = await ready;
    await amqp.close();
    await untilReadiness(port, { status: 'not ready', checks: { broker: { ok: false } } });
    amqp = await startAmqpServer({ dataDir: join(folder, 'broker'), port: portOf(amqp.url) });
    await untilReadiness(port, { status: 'ready' });
  });

  it('is not ready while the database is away, and recovers', async () => {
    const { ready } = launchWith({});
    const { metrics: port } = await ready;
    await mongo.close();
    await untilReadiness(port, { status: 'not ready', checks: { database: { ok: false } } });
    mongo = await startMongoServer({ dataDir: join(folder, 'database'), port: portOf(mongo.uri) });
    await untilReadiness(port, { status: 'ready' });
  });

  it('waits during its start for backends that come up later', async () => {
    await Promise.all([amqp.close(), mongo.close()]);
    const { ready, logged } = launchWith({});
    await logged('The database does not answer yet');
    mongo = await startMongoServer({ dataDir: join(folder, 'database'), port: portOf(mongo.uri) });
    await logged('No connection to the broker');
    amqp = await startAmqpServer({ dataDir: join(folder, 'broker'), port: portOf(amqp.url) });
    await untilReadiness((await ready).metrics, { status: 'ready' });
  });
});

function launchWith(env: Record<string, string>) {
  return launch({ AMQP_URL: amqp.url, MONGODB_URI: mongo.uri, ...env }, [], 'backends');
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function readiness(port: number | undefined): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } })).json();
}

/** Asks until the answer holds what is expected; the time-out of the test is the bound. */
async function untilReadiness(port: number | undefined, expected: object): Promise<void> {
  for (;;) {
    const report = await readiness(port);
    try {
      return expect(report).toMatchObject(expected);
    } catch {
      await pause(50);
    }
  }
}
