import { eventually, untilReady } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { connectBroker } from '../src/connect-broker.ts';
import type { Transport } from '../src/transport.ts';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { errorOf, type Fixture, rejectWhenAborted, type Text } from './fixture.ts';

await describeOverBrokers('the broker under failures', (newFixture) => {
  it('fails a request in flight when its connection is lost, and serves the next one', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport(port);
    const worker = await fixture.transport();
    let calls = 0;
    worker.respond(
      echo,
      ({ body, signal }) => (calls++ ? Promise.resolve(body) : rejectWhenAborted(signal)),
      {
        concurrency: 2,
      },
    );
    await untilReady(worker);
    const lost = gateway.request(echo, { text: '1' }, { timeoutMs: 240_000 });
    await eventually(() => expect(calls).toBe(1));
    proxy.cut();
    expect(await errorOf(lost)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The connection to the broker was lost before the reply came.',
    });
    await untilReady(gateway);
    expect(await gateway.request(echo, { text: '2' }, { timeoutMs: 240_000 })).toEqual({ text: '2' });
    expect(fixture.count('reconnected', 'publish')).toBe(1);
  });

  it('acknowledges a request whose worker is cut off right after its reply', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport();
    const worker = await fixture.transport(port);
    const seen: string[] = [];
    const answer = async ({ body }: { body: Text }) => {
      seen.push(body.text);
      return body;
    };
    worker.respond(echo, answer, { concurrency: 1 });
    await untilReady(worker);
    await gateway.request(echo, { text: '1' }, { timeoutMs: 240_000 });
    proxy.cut();
    await eventually(() => expect(fixture.count('reconnected', 'answer')).toBe(1));
    await gateway.request(echo, { text: '2' }, { timeoutMs: 240_000 });
    expect(seen).toEqual(['1', '2']);
  });

  it('resumes requests and replies after the broker was away', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport(port);
    const worker = await fixture.transport(port);
    worker.respond(echo, async ({ body }) => body, { concurrency: 1 });
    await untilReady(worker);
    await proxy.close();
    await eventually(() => expect([gateway.isReady, worker.isReady]).toEqual([false, false]));
    expect(await errorOf(gateway.request(echo, { text: '' }, { timeoutMs: 60_000 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
      message: 'There is no connection to the broker.',
    });
    expect(await errorOf(gateway.consumerCount(echo.queue))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await proxy.open();
    await eventually(() => expect([gateway.isReady, worker.isReady]).toEqual([true, true]));
    expect(await gateway.request(echo, { text: 'back' }, { timeoutMs: 240_000 })).toEqual({ text: 'back' });
  });

  it('fails a request within seconds when the broker stops responding', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport(port);
    proxy.stall();
    expect(await errorOf(gateway.request(echo, { text: '' }, { timeoutMs: 60_000 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('does not answer'),
    });
  });

  it('detects a silent connection by its heartbeats and replaces it', async () => {
    const fixture = newFixture();
    const { proxy, port } = await fixture.proxy();
    const broker = await connectBroker({ ...fixture.options(port), heartbeatSeconds: 1 });
    proxy.stall();
    await eventually(() => expect(fixture.count('reconnected', 'publish')).toBe(1));
    expect(fixture.logsWith('Heartbeat timeout')).toHaveLength(1);
    await untilReady(broker);
    await broker.close(0);
  });

  it('returns from connecting without a broker, logs what to do, and connects when it comes up', async () => {
    const fixture = newFixture();
    const { proxy, port } = await fixture.proxy();
    await proxy.close();
    const broker = await connectBroker({ ...fixture.options(port), connectTimeoutMs: 200 });
    expect(broker.isReady).toBe(false);
    await eventually(() =>
      expect(fixture.logsWith('start the broker, or correct host and port').length).toBeGreaterThan(0),
    );
    await proxy.open();
    await untilReady(broker);
    await broker.close(0);
  });

  it('hands the request of a lost worker to another one, and aborts the first handler', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport();
    const doomed = await fixture.transport(port);
    const aborted = Promise.withResolvers<unknown>();
    const taken = Promise.withResolvers<void>();
    doomed.respond(
      echo,
      async ({ signal }) => {
        taken.resolve();
        await rejectWhenAborted(signal).catch(aborted.resolve);
        return { text: 'from the old one' };
      },
      { concurrency: 1 },
    );
    await untilReady(doomed);
    const reply = gateway.request(echo, { text: '' }, { timeoutMs: 240_000 });
    await taken.promise;
    const successor = await fixture.transport();
    successor.respond(
      echo,
      async ({ redelivered, deliveryCount }) => ({ text: `${redelivered} ${deliveryCount}` }),
      { concurrency: 1 },
    );
    await untilReady(successor);
    await proxy.close();
    expect(await aborted.promise).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await reply).toEqual({ text: 'true 2' });
  });

  it.each([
    { name: 'a request that may crash its workers', isPerilous: true, code: 'INTERNAL_ERROR' },
    { name: 'any other request', isPerilous: false, code: 'SERVICE_UNAVAILABLE' },
  ])('answers $name with $code after three lost workers', async ({ isPerilous, code }) => {
    const fixture = newFixture();
    const echo = fixture.request('echo', { isPerilous });
    const gateway = await fixture.transport();
    const counts: number[] = [];
    const reply = untilReady(gateway).then(async () => {
      await serveOnce(echo, gateway);
      return errorOf(gateway.request(echo, { text: 'poison' }, { timeoutMs: 240_000 }));
    });
    let answer: unknown;
    void reply.then((error) => {
      answer = error;
    });
    while (!answer) {
      const worker = await fixture.transport();
      const died = Promise.withResolvers<void>();
      worker.respond(
        echo,
        ({ deliveryCount, signal }) => {
          counts.push(deliveryCount);
          died.resolve();
          return rejectWhenAborted(signal);
        },
        { concurrency: 1 },
      );
      await Promise.race([died.promise, reply]);
      await worker.close(0);
    }
    expect(counts).toEqual([1, 2, 3]);
    expect(answer).toMatchObject({
      code,
      message: expect.stringContaining('3 workers of echo were lost'),
    });
  });

  it('lets handlers finish when it closes, and hands unfinished messages to another worker', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    const leaver = await fixture.transport();
    const gate = Promise.withResolvers<void>();
    const taken: string[] = [];
    leaver.respond(
      echo,
      async ({ body, signal }) => {
        taken.push(body.text);
        await (body.text === 'quick' ? gate.promise : rejectWhenAborted(signal));
        return { text: 'done by the leaver' };
      },
      { concurrency: 2 },
    );
    await untilReady(leaver);
    const quick = gateway.request(echo, { text: 'quick' }, { timeoutMs: 240_000 });
    const stuck = gateway.request(echo, { text: 'stuck' }, { timeoutMs: 240_000 });
    await eventually(() => expect(taken).toHaveLength(2));
    const closed = leaver.close(300);
    gate.resolve();
    expect(await quick).toEqual({ text: 'done by the leaver' });
    const successor = await fixture.transport();
    successor.respond(echo, async () => ({ text: 'done by the successor' }), { concurrency: 1 });
    expect(await stuck).toEqual({ text: 'done by the successor' });
    await closed;
  });

  it('closes although the broker has stopped responding', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const worker = await fixture.transport(port);
    await serve(echo, worker);
    proxy.stall();
    await worker.close(100);
    expect(worker.isReady).toBe(false);
  });

  it('declares a queue again that was deleted under its worker', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    await serve(echo, gateway);
    await (await fixture.admin()).deleteQueue(fixture.nameOnBroker('echo'));
    await eventually(async () => {
      const reply = gateway.request(echo, { text: 'again' }, { timeoutMs: 2000 });
      expect(await reply).toEqual({ text: 'again' });
    });
  });

  it('reports a queue with other settings with the remedy, and consumes it once it was deleted', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const channel = await fixture.admin();
    await channel.assertQueue(fixture.nameOnBroker('echo'), { durable: true, maxLength: 7 });
    const worker = await fixture.transport();
    worker.respond(echo, async ({ body }) => body, { concurrency: 1 });
    await eventually(() => expect(fixture.logsWith('rabbitmqctl delete_queue')).not.toEqual([]));
    expect(fixture.logsWith('rabbitmqctl delete_queue')[0]?.message).toContain(fixture.nameOnBroker('echo'));
    expect(worker.isReady).toBe(false);
    await channel.deleteQueue(fixture.nameOnBroker('echo'));
    await untilReady(worker);
    expect(await worker.request(echo, { text: 'fine' }, { timeoutMs: 240_000 })).toEqual({ text: 'fine' });
  });

  it('keeps user name and password out of the logs', async () => {
    const fixture = newFixture();
    const options = fixture.options();
    const url = new URL(options.url);
    url.username = 'someone';
    url.password = 'hunter2';
    const [refused, unresolved] = await Promise.all(
      [url.href, 'amqp://someone:hunter2@broker.invalid'].map((badUrl) =>
        connectBroker({ ...options, url: badUrl, connectTimeoutMs: 500 }),
      ),
    );
    // A connection that is being closed reports nothing any more.
    await eventually(() => expect(fixture.logs.length).toBeGreaterThan(1));
    await Promise.all([refused?.close(0), unresolved?.close(0)]);
    expect(JSON.stringify(fixture.logs)).not.toMatch(/hunter2|someone/);
  });
});

type EchoDefinition = ReturnType<Fixture['request']>;

/** Replies to every request with its own body. */
async function serve(definition: EchoDefinition, transport: Transport): Promise<void> {
  transport.respond(definition, async ({ body }: { body: Text }) => body, { concurrency: 1 });
  await untilReady(transport);
}

/** Declares the queue by a worker that stops again. */
async function serveOnce(definition: EchoDefinition, transport: Transport): Promise<void> {
  const subscription = transport.respond(definition, async ({ body }) => body, { concurrency: 1 });
  await untilReady(transport);
  await subscription.stop(0);
}
