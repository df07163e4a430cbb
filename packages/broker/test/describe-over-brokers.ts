import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAmqpServer } from '@gleaner/embedded';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals';
import { connect } from 'amqplib';
import { Fixture } from './fixture.ts';

const RABBITMQ_URL = 'amqp://guest:guest@127.0.0.1:5672';

interface BrokerServer {
  readonly name: string;
  start(): Promise<{ url: string; close(): Promise<unknown> }>;
}

/** Runs a suite over the embedded server, and over RabbitMQ where one runs on this machine. */
export async function describeOverBrokers(
  name: string,
  suite: (newFixture: () => Fixture) => void,
): Promise<void> {
  const servers: BrokerServer[] = [{ name: 'the embedded server', start: startEmbedded }];
  if (await rabbitmqAnswers()) servers.push({ name: 'RabbitMQ', start: useRabbitmq });
  describe.each(servers)(`${name}, over $name,`, ({ start }) => {
    let server: Awaited<ReturnType<BrokerServer['start']>>;
    let fixture: Fixture;
    beforeAll(async () => {
      server = await start();
    });
    beforeEach(() => {
      fixture = new Fixture(server.url);
    });
    afterEach(() => fixture.close());
    afterAll(() => server.close());
    suite(() => fixture);
  });
}

async function startEmbedded() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-broker-test-'));
  const server = await startAmqpServer({ dataDir });
  const close = async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  };
  return { url: server.url, close };
}

async function useRabbitmq() {
  return { url: RABBITMQ_URL, close: async () => {} };
}

async function rabbitmqAnswers(): Promise<boolean> {
  try {
    await (await connect(RABBITMQ_URL, { timeout: 2000 })).close();
    return true;
  } catch {
    return false;
  }
}
