import { AppError } from '@gleaner/contracts';
import { eventually, untilReady } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { WORK_DELIVERY_LIMIT } from '../src/messages/declare-queues.ts';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { errorOf, type Fixture, rejectWhenAborted } from './fixture.ts';

await describeOverBrokers('work', (newFixture) => {
  it('published together is done once each', async () => {
    const fixture = newFixture();
    const pages = fixture.work('pages');
    const broker = await fixture.transport();
    const done: string[] = [];
    broker.consumeWork(pages, async ({ body }) => void done.push(body.text), { concurrency: 50 });
    await untilReady(broker);
    const bodies = Array.from({ length: 500 }, (_, index) => ({ text: `${index}` }));
    const errors = await broker.publishWork(pages, bodies);
    expect(errors).toEqual(bodies.map(() => undefined));
    await eventually(() => expect(done.length).toBeGreaterThanOrEqual(500));
    expect(done.toSorted()).toEqual(bodies.map(({ text }) => text).toSorted());
  });

  it('tells how long each message has waited', async () => {
    const fixture = newFixture();
    const pages = fixture.work('pages');
    const broker = await fixture.transport();
    const subscription = broker.consumeWork(pages, async () => {}, { concurrency: 1 });
    await untilReady(broker);
    const startedAt = Date.now();
    await broker.publishWork(pages, [{ text: 'at once' }]);
    await eventually(() => expect(fixture.waits).toHaveLength(1));
    const tookSeconds = (Date.now() - startedAt) / 1000;
    await subscription.stop(0);
    await broker.publishWork(pages, [{ text: 'later' }]);
    const publishedAt = Date.now();
    await eventually(() => expect(Date.now() - publishedAt).toBeGreaterThan(2500));
    broker.consumeWork(pages, async () => {}, { concurrency: 1 });
    await eventually(() => expect(fixture.waits).toHaveLength(2));
    const [first, second] = fixture.waits;
    expect(first).toMatchObject({ queue: 'pages' });
    // A message tells only the second in which it was sent.
    expect(first?.seconds).toBeLessThan(tookSeconds + 1);
    expect(second?.seconds).toBeGreaterThan(2.5);
  });

  it.each([
    ['is delivered again after a retryable error, with its count raised', 'UPSTREAM_ERROR', [1, 2, 3]],
    [
      'is held while its handler fails with SERVICE_UNAVAILABLE, and does not count as delivered again',
      'SERVICE_UNAVAILABLE',
      [1, 1, 1],
    ],
  ] as const)('%s', async (_what, code, counts) => {
    const fixture = newFixture();
    const pages = fixture.work('pages');
    const broker = await fixture.transport();
    const seen: unknown[] = [];
    broker.consumeWork(
      pages,
      async ({ redelivered, deliveryCount }) => {
        seen.push([redelivered, deliveryCount]);
        if (seen.length < 3) throw new AppError(code);
      },
      { concurrency: 1 },
    );
    await untilReady(broker);
    await broker.publishWork(pages, [{ text: '' }]);
    await eventually(() => expect(seen).toHaveLength(3));
    expect(seen).toEqual(counts.map((count) => [count > 1, count]));
  });

  it('goes to the dead letters after a permanent error, and when it is malformed', async () => {
    const fixture = newFixture();
    const pages = fixture.work('pages');
    const broker = await fixture.transport();
    broker.consumeWork(pages, () => Promise.reject(new AppError('INVALID_URL')), { concurrency: 1 });
    await untilReady(broker);
    await broker.publishWork(pages, [{ text: 'hopeless' }]);
    const channel = await fixture.admin();
    channel.sendToQueue(fixture.nameOnBroker('pages'), Buffer.from('{"txt":1}'));
    expect([await deadLetter(fixture), await deadLetter(fixture)].toSorted()).toEqual([
      '{"text":"hopeless"} rejected in pages',
      '{"txt":1} rejected in pages',
    ]);
  });

  it('goes to the dead letters after too many deliveries, and is not dropped', async () => {
    const fixture = newFixture();
    const pages = fixture.work('pages');
    const broker = await fixture.transport();
    const subscription = broker.consumeWork(pages, async () => {}, { concurrency: 1 });
    await untilReady(broker);
    await subscription.stop(0);
    await broker.publishWork(pages, [{ text: 'deadly' }]);
    const channel = await fixture.admin();
    let deliveries = 0;
    await eventually(async () => {
      const message = await channel.get(fixture.nameOnBroker('pages'));
      if (message) channel.nack(message, false, true);
      if (message) deliveries++;
      expect(deliveries).toBeGreaterThan(WORK_DELIVERY_LIMIT);
    });
    expect(await deadLetter(fixture)).toBe('{"text":"deadly"} delivery_limit in pages');
  });

  it('of a lost worker goes to another one, and the lost one cannot settle it', async () => {
    const fixture = newFixture();
    const pages = fixture.work('pages');
    const { proxy, port } = await fixture.proxy();
    const doomed = await fixture.transport(port);
    const aborted = Promise.withResolvers<unknown>();
    const taken = Promise.withResolvers<void>();
    doomed.consumeWork(
      pages,
      async ({ signal }) => {
        taken.resolve();
        await rejectWhenAborted(signal).catch(aborted.resolve);
      },
      { concurrency: 1 },
    );
    await untilReady(doomed);
    const successor = await fixture.transport();
    await successor.publishWork(pages, [{ text: '' }]);
    await taken.promise;
    const counts: number[] = [];
    successor.consumeWork(pages, async ({ deliveryCount }) => void counts.push(deliveryCount), {
      concurrency: 1,
    });
    await untilReady(successor);
    await proxy.close();
    expect(await aborted.promise).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await eventually(() => expect(counts).not.toEqual([]));
    expect(counts).toEqual([2]);
  });

  it('is reported as not queued without a queue, room in it or a connection, and when it is too large', async () => {
    const fixture = newFixture();
    const tiny = fixture.work('tiny', 5);
    const { proxy, port } = await fixture.proxy();
    const broker = await fixture.transport(port);
    expect(await broker.publishWork(tiny, [{ text: '' }])).toMatchObject([
      { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('does not exist') },
    ]);
    const worker = await fixture.transport();
    const subscription = worker.consumeWork(tiny, async () => {}, { concurrency: 1 });
    await untilReady(worker);
    await subscription.stop(0);
    const large = { text: 'x'.repeat(16 * 1024 * 1024) };
    expect(await broker.publishWork(tiny, [large, { text: '' }])).toMatchObject([
      { code: 'PAYLOAD_TOO_LARGE' },
      undefined,
    ]);
    await eventually(async () => {
      const [error] = await broker.publishWork(tiny, [{ text: '' }]);
      expect(error?.message).toBe('The queue tiny is full.');
    });
    await proxy.close();
    await eventually(() => expect(broker.isReady).toBe(false));
    expect(await broker.publishWork(tiny, [{ text: '' }, { text: '' }])).toMatchObject([
      { code: 'SERVICE_UNAVAILABLE', message: 'There is no connection to the broker.' },
      { code: 'SERVICE_UNAVAILABLE', message: 'There is no connection to the broker.' },
    ]);
  });

  it('is not sent when the signal is aborted', async () => {
    const fixture = newFixture();
    const pages = fixture.work('pages');
    const { proxy, port } = await fixture.proxy();
    const broker = await fixture.transport(port);
    await proxy.close();
    await eventually(() => expect(broker.isReady).toBe(false));
    const signal = AbortSignal.abort(new Error('Gone.'));
    expect(await errorOf(broker.publishWork(pages, [{ text: '' }], signal))).toBe(signal.reason);
  });
});

/** Takes the next dead letter and returns its body, the reason and its queue. */
async function deadLetter(fixture: Fixture): Promise<string> {
  const channel = await fixture.admin();
  return eventually(async () => {
    const message = await channel.get(fixture.nameOnBroker('dead-letters'), { noAck: true });
    if (!message) throw new Error('There is no dead letter yet.');
    const [death] = message.properties.headers?.['x-death'] ?? [];
    return `${message.content} ${death?.reason} in ${death?.queue.replace(fixture.prefix, '')}`;
  });
}
