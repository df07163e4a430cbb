import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAmqpServer } from '@gleaner/embedded';
import { eventually, freePort, untilReady } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { Fixture } from './fixture.ts';

it('does queued work and serves requests after a restart of the broker', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-broker-test-'));
  const port = await freePort();
  const server = await startAmqpServer({ dataDir, port });
  const fixture = new Fixture(server.url);
  const pages = fixture.work('pages');
  const echo = fixture.request('echo');
  const publisher = await fixture.transport();
  const worker = await fixture.transport();
  const seen: string[] = [];
  const isOpen = Promise.withResolvers<void>();
  worker.respond(echo, async ({ body }) => body, { concurrency: 1 });
  worker.consumeWork(
    pages,
    async ({ body, signal, redelivered }) => {
      if (!redelivered && body.text === 'in progress') await isOpen.promise;
      if (!signal.aborted) seen.push(body.text);
    },
    { concurrency: 1 },
  );
  await untilReady(worker);
  expect(await publisher.publishWork(pages, [{ text: 'in progress' }, { text: 'waiting' }])).toEqual([
    undefined,
    undefined,
  ]);
  await eventually(() => expect(fixture.count('consumed', 'pages')).toBe(1));

  await server.close();
  await eventually(() => expect([publisher.isReady, worker.isReady]).toEqual([false, false]));
  isOpen.resolve();
  const restarted = await startAmqpServer({ dataDir, port });

  await eventually(() => expect(seen).toHaveLength(2));
  expect(seen.toSorted()).toEqual(['in progress', 'waiting']);
  await untilReady(publisher);
  expect(await publisher.request(echo, { text: 'back' }, { timeoutMs: 240_000 })).toEqual({ text: 'back' });
  await fixture.close();
  await restarted.close();
  await rm(dataDir, { recursive: true });
});
