import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import { AppError } from '@gleaner/contracts';
import { startAmqpServer } from '@gleaner/embedded';
import { untilReady } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, sendCommand } from '../src/index.ts';

const OPTIONS = {
  service: 'webhook-notifier',
  timeoutMs: 240_000,
  timeoutSuggestion: 'Look at the list first.',
  signal: new AbortController().signal,
};
const COMMAND = { type: 'redeliver', accountId: 'acc_1', deliveryId: 'dlv_1' } as const;

let folder: string;
let server: Awaited<ReturnType<typeof startAmqpServer>>;
let broker: Broker;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-send-command-'));
  server = await startAmqpServer({ dataDir: folder });
  const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });
  broker = await connectBroker({ url: server.url, name: 'test', logger });
  await untilReady(broker);
});

afterAll(async () => {
  await broker.close();
  await server.close();
  await rm(folder, { recursive: true });
});

describe('sendCommand', () => {
  it('rejects with SERVICE_UNAVAILABLE when no process of the service is running', async () => {
    const reply = sendCommand({ broker }, 'schedules.commands', pause(), {
      ...OPTIONS,
      service: 'scheduler',
    });
    await expect(reply).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'No scheduler is running.',
      suggestion: expect.stringContaining('start a scheduler'),
      retryAfterSeconds: 5,
    });
  });

  it('returns the reply of the service, or rejects with its error', async () => {
    const subscription = await serve(async ({ body }) => {
      if (body.type !== 'redeliver') throw new AppError('TIMEOUT', { message: 'The page takes long.' });
      return { deliveryId: body.deliveryId };
    });
    expect(await sendCommand({ broker }, 'webhooks.commands', COMMAND, OPTIONS)).toEqual({
      deliveryId: 'dlv_1',
    });
    const rejected = sendCommand(
      { broker },
      'webhooks.commands',
      { type: 'ensure-secret', accountId: 'acc_1' },
      OPTIONS,
    );
    await expect(rejected).rejects.toMatchObject({ code: 'TIMEOUT', message: 'The page takes long.' });
    await subscription.stop(0);
  });

  it('rejects with SERVICE_UNAVAILABLE and its own advice when the service does not reply in time', async () => {
    const subscription = await serve(() => new Promise(() => {}));
    const reply = sendCommand({ broker }, 'webhooks.commands', COMMAND, { ...OPTIONS, timeoutMs: 50 });
    await expect(reply).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('The webhook-notifier did not reply in time.'),
      suggestion: 'Look at the list first.',
      retryAfterSeconds: 5,
      cause: { code: 'TIMEOUT' },
    });
    await subscription.stop(0);
  });
});

function pause() {
  return { type: 'pause', scheduleId: 'sch_1', accountId: 'acc_1' } as const;
}

async function serve(handler: Parameters<typeof broker.respond<'webhooks.commands'>>[1]) {
  const subscription = broker.respond('webhooks.commands', handler, { concurrency: 1 });
  await untilReady(broker);
  return subscription;
}
