import { eventually, untilReady } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { connectBroker } from '../src/connect-broker.ts';
import { describeOverBrokers } from './describe-over-brokers.ts';

await describeOverBrokers('the message table', (newFixture) => {
  it('carries a scrape to a worker and its result back', async () => {
    const fixture = newFixture();
    const broker = await connectBroker(fixture.options());
    broker.respond('scrape.http', async ({ body }) => ({ ok: true, result: resultOf(body.request.url) }), {
      concurrency: 1,
    });
    await untilReady(broker);
    const reply = await broker.request('scrape.http', COMMAND, { timeoutMs: 240_000 });
    expect(reply).toEqual({ ok: true, result: resultOf('https://example.com/') });
    await broker.close();
  });

  it('delivers a broadcast to every process that listens, also after a reconnect', async () => {
    const fixture = newFixture();
    const { proxy, port } = await fixture.proxy();
    const received: object[][] = [[], []];
    const listeners = await Promise.all([
      connectBroker(fixture.options(port)),
      connectBroker(fixture.options()),
    ]);
    for (const [index, listener] of listeners.entries()) {
      listener.onBroadcast('cancellations', (cancellation) => {
        received[index]?.push(cancellation);
      });
      await untilReady(listener);
    }
    await listeners[1].broadcast('cancellations', { requestId: 'first' });
    await eventually(() => expect(received.flat()).toHaveLength(2));
    proxy.cut();
    await eventually(() =>
      expect([fixture.count('reconnected', 'consume'), listeners[0].isReady]).toEqual([1, true]),
    );
    await listeners[1].broadcast('cancellations', { requestId: 'second' });
    await eventually(() => expect(received.flat()).toHaveLength(4));
    const all = [{ requestId: 'first' }, { requestId: 'second' }];
    expect(received).toEqual([all, all]);
    await Promise.all(listeners.map((listener) => listener.close()));
  });

  it('logs a broadcast that is malformed, or whose handler fails, and delivers the next one', async () => {
    const fixture = newFixture();
    const broker = await connectBroker(fixture.options());
    const received: object[] = [];
    broker.onBroadcast('cancellations', (cancellation) => {
      if ('requestId' in cancellation && cancellation.requestId === 'bad') throw new Error('It is broken.');
      received.push(cancellation);
    });
    await untilReady(broker);
    const exchange = fixture.nameOnBroker('gleaner.cancellations');
    (await fixture.admin()).publish(exchange, '', Buffer.from('{'));
    await eventually(() => expect(fixture.logsWith('its handler failed')).toHaveLength(1));
    await broker.broadcast('cancellations', { requestId: 'bad' });
    await broker.broadcast('cancellations', { requestId: 'good' });
    await eventually(() => expect(received).toHaveLength(1));
    expect(received).toEqual([{ requestId: 'good' }]);
    expect(fixture.logsWith('its handler failed')).toHaveLength(2);
    await broker.close();
  });

  it('resolves for a broadcast without listeners', async () => {
    const fixture = newFixture();
    const broker = await connectBroker(fixture.options());
    await untilReady(broker);
    await expect(broker.broadcast('cancellations', { requestId: 'unheard' })).resolves.toBeUndefined();
    await broker.close();
  });

  it('counts no consumers without a queue, and follows workers that start and stop', async () => {
    const fixture = newFixture();
    const gateway = await connectBroker(fixture.options());
    await untilReady(gateway);
    expect(await gateway.consumerCount('scrape.http')).toBe(0);
    const workers = await Promise.all([1, 2].map(() => connectBroker(fixture.options())));
    for (const worker of workers) {
      worker.respond('scrape.http', async () => ({ ok: true, result: resultOf('') }), { concurrency: 1 });
      await untilReady(worker);
    }
    await eventually(async () => expect(await gateway.consumerCount('scrape.http')).toBe(2));
    await Promise.all(workers.map((worker) => worker.close()));
    await eventually(async () => expect(await gateway.consumerCount('scrape.http')).toBe(0));
    await gateway.close();
  });
});

const COMMAND = {
  requestId: 'req_1',
  accountId: 'acc_1',
  deadlineMs: 1,
  timeoutMs: 1000,
  request: { url: 'https://example.com/' },
};

function resultOf(url: string) {
  return {
    dataJson: '{"title":"Example"}',
    warnings: [],
    finalUrl: url,
    statusCode: 200,
    timestamp: '2026-01-31T12:00:00.000Z',
    engine: 'http' as const,
    attempts: [],
    price: { base: 1 },
  };
}
