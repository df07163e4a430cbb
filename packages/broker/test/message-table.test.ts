import { expect, it } from '@jest/globals';
import { connectBroker } from '../src/connect-broker.ts';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { eventually } from './fixture.ts';

await describeOverBrokers('by the message table', (world) => {
  it('a scrape travels to a worker and its result back', async () => {
    const fixture = world();
    const broker = await connectBroker(fixture.options());
    broker.respond('scrape.http', async ({ body }) => ({ ok: true, result: resultOf(body.request.url) }), {
      concurrency: 1,
    });
    await broker.whenReady(30_000);
    const reply = await broker.request('scrape.http', COMMAND, { timeoutMs: 30_000 });
    expect(reply).toEqual({ ok: true, result: resultOf('https://example.com/') });
    await broker.close();
  });

  it('a broadcast is heard by every process that listens, and by those that come back', async () => {
    const fixture = world();
    const { proxy, port } = await fixture.proxy();
    const heard: object[][] = [[], []];
    const listeners = await Promise.all([
      connectBroker(fixture.options(port)),
      connectBroker(fixture.options()),
    ]);
    for (const [index, listener] of listeners.entries()) {
      listener.onBroadcast('cancellations', (cancellation) => {
        heard[index]?.push(cancellation);
      });
      await listener.whenReady(30_000);
    }
    await listeners[1].broadcast('cancellations', { requestId: 'first' });
    await eventually(() => heard.flat().length === 2, 'both hear it');
    proxy.cut();
    await eventually(
      () => fixture.count('reconnected', 'consume') === 1 && listeners[0].isReady,
      'it is back',
    );
    await listeners[1].broadcast('cancellations', { requestId: 'second' });
    await eventually(() => heard.flat().length === 4, 'both hear it again');
    const all = [{ requestId: 'first' }, { requestId: 'second' }];
    expect(heard).toEqual([all, all]);
    await Promise.all(listeners.map((listener) => listener.close()));
  });

  it('a broadcast that is malformed, or whose handler fails, is logged and the next one heard', async () => {
    const fixture = world();
    const broker = await connectBroker(fixture.options());
    const heard: object[] = [];
    broker.onBroadcast('cancellations', (cancellation) => {
      if ('requestId' in cancellation && cancellation.requestId === 'bad') throw new Error('It is broken.');
      heard.push(cancellation);
    });
    await broker.whenReady(30_000);
    const exchange = fixture.nameOnBroker('gleaner.cancellations');
    (await fixture.admin()).publish(exchange, '', Buffer.from('{'));
    await eventually(() => fixture.logsSaying('was not handled').length === 1, 'it is logged');
    await broker.broadcast('cancellations', { requestId: 'bad' });
    await broker.broadcast('cancellations', { requestId: 'good' });
    await eventually(() => heard.length === 1, 'the good one is heard');
    expect(heard).toEqual([{ requestId: 'good' }]);
    expect(fixture.logsSaying('was not handled')).toHaveLength(2);
    await broker.close();
  });

  it('a broadcast that nobody listens to is no error', async () => {
    const fixture = world();
    const broker = await connectBroker(fixture.options());
    await expect(broker.broadcast('cancellations', { requestId: 'lonely' })).resolves.toBeUndefined();
    await broker.close();
  });

  it('the count of workers is 0 without a queue, follows who comes and goes, and is asked once a second', async () => {
    const fixture = world();
    const gateway = await connectBroker(fixture.options());
    expect(await gateway.consumerCount('scrape.http')).toBe(0);
    const workers = await Promise.all([1, 2].map(() => connectBroker(fixture.options())));
    for (const worker of workers) {
      worker.respond('scrape.http', async () => ({ ok: true, result: resultOf('') }), { concurrency: 1 });
      await worker.whenReady(30_000);
    }
    await eventually(async () => (await gateway.consumerCount('scrape.http')) === 2, 'two listen');
    await Promise.all(workers.map((worker) => worker.close()));
    expect(await gateway.consumerCount('scrape.http')).toBe(2);
    await eventually(async () => (await gateway.consumerCount('scrape.http')) === 0, 'none listens');
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
