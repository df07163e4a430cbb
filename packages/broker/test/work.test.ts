import { AppError } from '@gleaner/contracts';
import { expect, it } from '@jest/globals';
import { WORK_DELIVERY_LIMIT } from '../src/declare-topology.ts';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { eventually, type Fixture, faultOf, untilAborted } from './fixture.ts';

await describeOverBrokers('work', (world) => {
  it('that is confirmed together is done once each', async () => {
    const fixture = world();
    const pages = fixture.work('pages');
    const broker = await fixture.transport();
    const done: string[] = [];
    broker.consumeWork(pages, async ({ body }) => void done.push(body.text), { concurrency: 50 });
    await broker.whenReady(30_000);
    const bodies = Array.from({ length: 500 }, (_, index) => ({ text: `${index}` }));
    const faults = await broker.publishWork(pages, bodies);
    expect(faults).toEqual(bodies.map(() => undefined));
    await eventually(() => done.length >= 500, 'all is done');
    expect(done.toSorted()).toEqual(bodies.map(({ text }) => text).toSorted());
  });

  it.each([
    ['comes again after an error that may pass, with its count raised', 'UPSTREAM_ERROR', [1, 2, 3]],
    [
      'stays in hand while what it needs is away, and does not count as handed out again',
      'SERVICE_UNAVAILABLE',
      [1, 1, 1],
    ],
  ] as const)('%s', async (_what, code, counts) => {
    const fixture = world();
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
    await broker.whenReady(30_000);
    await broker.publishWork(pages, [{ text: '' }]);
    await eventually(() => seen.length === 3, 'it came three times');
    expect(seen).toEqual(counts.map((count) => [count > 1, count]));
  });

  it('goes to the dead letters after an error that will not pass, and when it is malformed', async () => {
    const fixture = world();
    const pages = fixture.work('pages');
    const broker = await fixture.transport();
    broker.consumeWork(pages, () => Promise.reject(new AppError('INVALID_URL')), { concurrency: 1 });
    await broker.whenReady(30_000);
    await broker.publishWork(pages, [{ text: 'hopeless' }]);
    const channel = await fixture.admin();
    channel.sendToQueue(fixture.nameOnBroker('pages'), Buffer.from('{"txt":1}'));
    expect([await deadLetter(fixture), await deadLetter(fixture)].toSorted()).toEqual([
      '{"text":"hopeless"} rejected in pages',
      '{"txt":1} rejected in pages',
    ]);
  });

  it('goes to the dead letters when it was handed out too often, and is not dropped', async () => {
    const fixture = world();
    const pages = fixture.work('pages');
    const broker = await fixture.transport();
    const subscription = broker.consumeWork(pages, async () => {}, { concurrency: 1 });
    await broker.whenReady(30_000);
    await subscription.stop(0);
    await broker.publishWork(pages, [{ text: 'deadly' }]);
    const channel = await fixture.admin();
    let deliveries = 0;
    await eventually(async () => {
      const message = await channel.get(fixture.nameOnBroker('pages'));
      if (message) channel.nack(message, false, true);
      if (message) deliveries++;
      return deliveries > WORK_DELIVERY_LIMIT;
    }, 'it was handed out to the limit');
    expect(await deadLetter(fixture)).toBe('{"text":"deadly"} delivery_limit in pages');
  });

  it('of a worker that vanished goes to another, and the old one cannot settle it', async () => {
    const fixture = world();
    const pages = fixture.work('pages');
    const { proxy, port } = await fixture.proxy();
    const doomed = await fixture.transport(port);
    const aborted = Promise.withResolvers<unknown>();
    const taken = Promise.withResolvers<void>();
    doomed.consumeWork(
      pages,
      async ({ signal }) => {
        taken.resolve();
        await untilAborted(signal).catch(aborted.resolve);
      },
      { concurrency: 1 },
    );
    await doomed.whenReady(30_000);
    const heir = await fixture.transport();
    await heir.publishWork(pages, [{ text: '' }]);
    await taken.promise;
    const counts: number[] = [];
    heir.consumeWork(pages, async ({ deliveryCount }) => void counts.push(deliveryCount), {
      concurrency: 1,
    });
    await heir.whenReady(30_000);
    await proxy.close();
    expect(await aborted.promise).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await eventually(() => counts.length > 0, 'the other one has it');
    expect(counts).toEqual([2]);
  });

  it('is reported as not queued when there is no queue, no room, no connection, or too much of it', async () => {
    const fixture = world();
    const tiny = fixture.work('tiny', 5);
    const { proxy, port } = await fixture.proxy();
    const broker = await fixture.transport(port);
    expect(await broker.publishWork(tiny, [{ text: '' }])).toMatchObject([
      { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('does not exist') },
    ]);
    const worker = await fixture.transport();
    const subscription = worker.consumeWork(tiny, async () => {}, { concurrency: 1 });
    await worker.whenReady(30_000);
    await subscription.stop(0);
    const large = { text: 'x'.repeat(16 * 1024 * 1024) };
    expect(await broker.publishWork(tiny, [large, { text: '' }])).toMatchObject([
      { code: 'PAYLOAD_TOO_LARGE' },
      undefined,
    ]);
    await eventually(async () => {
      const [fault] = await broker.publishWork(tiny, [{ text: '' }]);
      return fault?.message === 'The queue tiny is full.';
    }, 'the queue is full');
    await proxy.close();
    await eventually(() => !broker.isReady, 'it has noticed');
    expect(await broker.publishWork(tiny, [{ text: '' }, { text: '' }])).toMatchObject([
      { code: 'SERVICE_UNAVAILABLE', message: 'There is no connection to the broker.' },
      { code: 'SERVICE_UNAVAILABLE', message: 'There is no connection to the broker.' },
    ]);
  });

  it('is not sent for a caller that has gone', async () => {
    const fixture = world();
    const pages = fixture.work('pages');
    const { proxy, port } = await fixture.proxy();
    const broker = await fixture.transport(port);
    await proxy.close();
    await eventually(() => !broker.isReady, 'it has noticed');
    const signal = AbortSignal.abort(new Error('Gone.'));
    expect(await faultOf(broker.publishWork(pages, [{ text: '' }], signal))).toBe(signal.reason);
  });
});

/** Takes the next dead letter: what it says, why it died and where. */
async function deadLetter(fixture: Fixture): Promise<string> {
  const channel = await fixture.admin();
  const found: string[] = [];
  await eventually(async () => {
    const message = await channel.get(fixture.nameOnBroker('dead-letters'), { noAck: true });
    if (!message) return false;
    const [death] = message.properties.headers?.['x-death'] ?? [];
    found.push(`${message.content} ${death?.reason} in ${death?.queue.replace(fixture.prefix, '')}`);
    return true;
  }, 'a dead letter');
  return found.join();
}
