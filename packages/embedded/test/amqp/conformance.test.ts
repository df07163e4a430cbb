import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { connect } from 'amqplib';
import { type AmqpServer, startAmqpServer } from '../../src/amqp/start-amqp-server.ts';
import { describeAmqpConformance } from './describe-amqp-conformance.ts';

const realUrl = process.env.AMQP_URL ?? 'amqp://guest:guest@127.0.0.1:5672';

let dataDir: string;
let server: AmqpServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gleaner-amqp-'));
  server = await startAmqpServer({ dataDir });
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

describeAmqpConformance('the embedded server', () => server.url);

if (await isAnswering(realUrl))
  describeAmqpConformance(`RabbitMQ at ${new URL(realUrl).host}`, () => realUrl);
else
  process.stderr.write(
    `No broker answers at ${new URL(realUrl).host}: the suite ran on the embedded server alone.\n`,
  );

async function isAnswering(url: string): Promise<boolean> {
  try {
    const connection = await connect(url, { timeout: 2_000 });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}
