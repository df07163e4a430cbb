import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAmqpServer } from '@gleaner/embedded';
import { freePort } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { eventually, Fixture } from './fixture.ts';

it('after a restart of the broker queued work is done, and requests go on', async () => {
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
      if (!redelivered && body.text === 'under way') await isOpen.promise;
      if (!signal.aborted) seen.push(body.text);
    },
    { concurrency: 1 },
  );
  await worker.whenReady(30_000);
  expect(await publisher.publishWork(pages, [{ text: 'under way' }, { text: 'waiting' }])).toEqual([
    undefined,
    undefined,
  ]);
  await eventually(() => fixture.count('consumed', 'pages') === 1, 'the first is under way');

  await server.close();
  await eventually(() => !publisher.isReady && !worker.isReady, 'both have noticed');
  isOpen.resolve();
  const restarted = await startAmqpServer({ dataDir, port });

  await eventually(() => seen.length === 2, 'the work is done');
  expect(seen.toSorted()).toEqual(['under way', 'waiting']);
  expect(await publisher.whenReady(30_000)).toBe(true);
  expect(await publisher.request(echo, { text: 'back' }, { timeoutMs: 30_000 })).toEqual({ text: 'back' });
  await fixture.close();
  await restarted.close();
  await rm(dataDir, { recursive: true });
});
