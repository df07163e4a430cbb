import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId } from '@gleaner/contracts';
import { eventually, freePort, startWebhookReceiver } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { generateSecret, signMessage } from '../src/delivery/sign-message.ts';
import { ACCOUNT, startTestBed, type TestBed } from './start-test-bed.ts';

// Some attempts get no answer. A busy machine may be slow with the others, and an event has eight attempts.
const SETTINGS = { RETRY_SCALE: '0.0002', DELIVERY_TIMEOUT_MS: '15000' };

let bed: TestBed;

beforeEach(async () => {
  bed = await startTestBed();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('two notifiers', () => {
  it('that are killed during deliveries and started again lose no event and change none', async () => {
    await using receiver = await startWebhookReceiver();
    const answers = [200, 'stall', 503, 200, 'reset', 302] as const;
    receiver.script(
      ...Array.from({ length: 80 }, (_, index) => ({
        status: answers[index % answers.length] ?? 200,
        delayMs: 30,
      })),
    );
    const fork = () => bed.forkNotifier(SETTINGS);
    const notifiers: ChildProcess[] = await Promise.all([fork(), fork()]);
    const jobId = await bed.seedJob({ webhook: receiver.url });
    const sent = new Set<string>();
    const announceMore = async () => {
      for (let count = 0; count < 10; count++) sent.add((await bed.announce(jobId)).id);
    };
    for (let round = 0; round < 3; round++) {
      const before = receiver.deliveries.length;
      await announceMore();
      await eventually(() => expect(receiver.deliveries.length).toBeGreaterThan(before + 2));
      notifiers.shift()?.kill('SIGKILL');
      notifiers.push(await fork());
    }
    await eventually(
      async () => {
        const page = { jobId, limit: 100, offset: 0 };
        const { deliveries } = await bed.stores.deliveries.listDeliveries(ACCOUNT, page);
        expect(deliveries.filter(({ status }) => status === 'delivered')).toHaveLength(sent.size);
      },
      { timeoutMs: 240_000, intervalMs: 200 },
    );
    const secret = await bed.stores.webhookSecrets.findSecret(ACCOUNT);
    const bodies = new Map<string, Set<string>>();
    for (const { body, headers } of receiver.deliveries) {
      const id = String(headers['webhook-id']);
      new Webhook(secret?.secret ?? '').verify(body.toString(), headers as Record<string, string>);
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body.toString('base64')));
    }
    expect(new Set(bodies.keys())).toEqual(sent);
    expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true);
  }, 600_000);
});

describe('a notifier with a wrong clock', () => {
  it.each([3_600_000, -3_600_000])(
    'that is %d ms ahead signs by the right time, and leaves deliveries to others when it dies',
    async (ahead) => {
      await using receiver = await startWebhookReceiver();
      receiver.script({ status: 200 }, { status: 503 }, { status: 'stall' });
      const wrong = await bed.forkNotifier(SETTINGS, ahead);
      const jobId = await bed.seedJob({ webhook: receiver.url });
      for (let count = 0; count < 3; count++) {
        await bed.announce(jobId);
        await eventually(() => expect(receiver.deliveries.length).toBeGreaterThan(count));
      }
      wrong.kill('SIGKILL');
      await bed.forkNotifier(SETTINGS);
      await eventually(async () => {
        const page = { jobId, limit: 10, offset: 0 };
        const { deliveries } = await bed.stores.deliveries.listDeliveries(ACCOUNT, page);
        expect(deliveries.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
      });
      const secret = await bed.stores.webhookSecrets.findSecret(ACCOUNT);
      for (const { body, headers } of receiver.deliveries)
        new Webhook(secret?.secret ?? '').verify(body.toString(), headers as Record<string, string>);
    },
  );
});

describe('the reconciler', () => {
  it('sends deliveries whose message was lost', async () => {
    await using receiver = await startWebhookReceiver();
    const now = new Date();
    const { id } = await bed.stores.deliveries.insertDelivery({
      id: createId('del'),
      accountId: ACCOUNT,
      eventId: createId('evt'),
      type: 'job.completed',
      url: receiver.url,
      body: '{}',
      createdAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
    });
    await bed.startNotifier();
    await eventually(async () => {
      expect(await bed.stores.deliveries.readDelivery(id)).toMatchObject({ status: 'delivered' });
    });
    expect(receiver.deliveries).toHaveLength(1);
  });
});

describe('the receiver of docs/webhooks.md', () => {
  it('accepts genuine events and rejects others', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
    const folder = await mkdtemp(join(tmpdir(), 'gleaner-docs-'));
    const file = join(folder, 'receiver.mjs');
    await writeFile(file, /```js\n(.*?)```/s.exec(page)?.[1] ?? '');
    const secret = generateSecret();
    const port = await freePort();
    const child = spawn(process.execPath, [file], {
      env: { WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const body = JSON.stringify({ id: 'evt_1', type: 'job.completed', data: { job: { id: 'job_1' } } });
    const post = async (secrets: string[], timestampSeconds = Math.floor(Date.now() / 1000)) => {
      const headers = signMessage({ id: 'evt_1', timestampSeconds, body }, secrets);
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
    };
    try {
      await eventually(async () => expect(await post([generateSecret()])).toBe(400));
      expect(await post([secret])).toBe(204);
      expect(await post([generateSecret(), secret])).toBe(204);
      expect(await post([secret], Math.floor(Date.now() / 1000) - 3600)).toBe(400);
    } finally {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await rm(folder, { recursive: true });
    }
  });
});
