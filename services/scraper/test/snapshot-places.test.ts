import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBroker } from '@gleaner/broker';
import { startAmqpServer } from '@gleaner/embedded';
import { createLogger } from '@gleaner/service-kit';
import { eventually, untilReady } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { serveSnapshots } from '../src/snapshots/serve-snapshots.ts';

it('works on a few snapshots at once, of which one account has only a part', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-scraper-'));
  const amqp = await startAmqpServer({ dataDir });
  const logger = createLogger({ service: 'scraper', level: 'silent', format: 'json' });
  const broker = await connectBroker({ url: amqp.url, name: 'scraper-test', logger });
  const begun: string[] = [];
  const gate = Promise.withResolvers<string>();
  const workOnSnapshot = ({ accountId }: { readonly accountId: string }) => {
    begun.push(accountId);
    return gate.promise;
  };
  const unread = () => Promise.reject(new Error('No page is read for a model.'));
  const pageReader = { workOnSnapshot, read: unread };
  const serving = serveSnapshots({ broker, pageReader, model: undefined });
  await untilReady(broker);

  const page = { kind: 'html' as const, baseUrl: 'https://a.test/', source: '' };
  const extract = { type: 'extract' as const, request: {} };
  const read = { type: 'read' as const, requestId: 'req_1', request: {} };
  const send = (accountId: string, count: number, task: typeof extract | typeof read = extract) =>
    Array.from({ length: count }, () => {
      const command = { accountId, page, task };
      return broker.request('snapshots.commands', command, { timeoutMs: 60_000 });
    });
  const sent = send('acc_busy', 3, read);
  await eventually(() => expect(begun).toHaveLength(2));
  const busy = send('acc_busy', 8);
  await eventually(() => expect(begun).toHaveLength(6));
  const others = send('acc_other', 4);
  await eventually(() => expect(begun).toHaveLength(8));
  await eventually(async () => expect(await broker.messageCount('snapshots.commands')).toBe(0));
  expect(begun).toEqual([...Array(6).fill('acc_busy'), ...Array(2).fill('acc_other')]);

  gate.resolve('');
  expect(await Promise.all([...sent, ...busy, ...others])).toHaveLength(15);
  await serving.stop(1000);
  await broker.close();
  await amqp.close();
  await rm(dataDir, { recursive: true, force: true });
});
