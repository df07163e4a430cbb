import { expect, it } from '@jest/globals';
import { connectBroker } from '../src/connect-broker.ts';
import type { Transport } from '../src/transport.ts';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { eventually, type Fixture, faultOf, type Text, untilAborted } from './fixture.ts';

await describeOverBrokers('when things break', (world) => {
  it('a request in flight fails when its connection is lost, and the next one works', async () => {
    const fixture = world();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport(port);
    const worker = await fixture.transport();
    let calls = 0;
    worker.respond(echo, ({ body, signal }) => (calls++ ? Promise.resolve(body) : untilAborted(signal)), {
      concurrency: 2,
    });
    await worker.whenReady(30_000);
    const lost = gateway.request(echo, { text: '1' }, { timeoutMs: 3000 });
    await eventually(() => calls === 1, 'the worker has the request');
    proxy.cut();
    expect(await faultOf(lost)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The connection to the broker was lost before the reply came.',
    });
    expect(await gateway.request(echo, { text: '2' }, { timeoutMs: 30_000 })).toEqual({ text: '2' });
    expect(fixture.count('reconnected', 'publish')).toBe(1);
  });

  it('a worker that is cut off right after its reply leaves no request behind', async () => {
    const fixture = world();
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
    await worker.whenReady(30_000);
    await gateway.request(echo, { text: '1' }, { timeoutMs: 30_000 });
    proxy.cut();
    await eventually(() => fixture.count('reconnected', 'answer') === 1, 'the worker is back');
    await gateway.request(echo, { text: '2' }, { timeoutMs: 30_000 });
    expect(seen).toEqual(['1', '2']);
  });

  it('requests and replies go on by themselves after the broker was away', async () => {
    const fixture = world();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport(port);
    const worker = await fixture.transport(port);
    worker.respond(echo, async ({ body }) => body, { concurrency: 1 });
    await worker.whenReady(30_000);
    await proxy.close();
    await eventually(() => !gateway.isReady && !worker.isReady, 'both notice');
    expect(await faultOf(gateway.request(echo, { text: '' }, { timeoutMs: 60_000 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
      message: 'There is no connection to the broker.',
    });
    expect(await faultOf(gateway.consumerCount(echo.queue))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await proxy.open();
    await eventually(() => gateway.isReady && worker.isReady, 'both are back');
    expect(await gateway.request(echo, { text: 'back' }, { timeoutMs: 30_000 })).toEqual({ text: 'back' });
  });

  it('a request fails within seconds when the broker has gone silent', async () => {
    const fixture = world();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport(port);
    proxy.stall();
    expect(await faultOf(gateway.request(echo, { text: '' }, { timeoutMs: 60_000 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('does not answer'),
    });
  });

  it('a silent connection is found out by its heartbeats and replaced', async () => {
    const fixture = world();
    const { proxy, port } = await fixture.proxy();
    const broker = await connectBroker({ ...fixture.options(port), heartbeatSeconds: 1 });
    proxy.stall();
    await eventually(() => fixture.count('reconnected', 'publish') === 1, 'it has reconnected');
    expect(fixture.logsSaying('Heartbeat timeout')).toHaveLength(1);
    expect(await broker.whenReady(30_000)).toBe(true);
    await broker.close(0);
  });

  it('connecting returns without the broker, says what to do, and catches up when it comes', async () => {
    const fixture = world();
    const { proxy, port } = await fixture.proxy();
    await proxy.close();
    const broker = await connectBroker({ ...fixture.options(port), connectTimeoutMs: 200 });
    expect(broker.isReady).toBe(false);
    expect(fixture.logsSaying('start the broker, or correct host and port').length).toBeGreaterThan(0);
    await proxy.open();
    expect(await broker.whenReady(30_000)).toBe(true);
    await broker.close(0);
  });

  it('another worker gets the request of one that vanished, whose handler is told to stop', async () => {
    const fixture = world();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const gateway = await fixture.transport();
    const doomed = await fixture.transport(port);
    const told = Promise.withResolvers<unknown>();
    const taken = Promise.withResolvers<void>();
    doomed.respond(
      echo,
      async ({ signal }) => {
        taken.resolve();
        await untilAborted(signal).catch(told.resolve);
        return { text: 'from the old one' };
      },
      { concurrency: 1 },
    );
    await doomed.whenReady(30_000);
    const reply = gateway.request(echo, { text: '' }, { timeoutMs: 20_000 });
    await taken.promise;
    const heir = await fixture.transport();
    heir.respond(
      echo,
      async ({ redelivered, deliveryCount }) => ({ text: `${redelivered} ${deliveryCount}` }),
      { concurrency: 1 },
    );
    await heir.whenReady(30_000);
    await proxy.close();
    expect(await told.promise).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await reply).toEqual({ text: 'true 2' });
  });

  it.each([
    { name: 'a request that may be what kills its workers', isPerilous: true, code: 'INTERNAL_ERROR' },
    { name: 'any other request', isPerilous: false, code: 'SERVICE_UNAVAILABLE' },
  ])('$name, and has cost three of them, is answered with $code', async ({ isPerilous, code }) => {
    const fixture = world();
    const echo = fixture.request('echo', { isPerilous });
    const gateway = await fixture.transport();
    const counts: number[] = [];
    const reply = gateway.whenReady(30_000).then(async () => {
      await serveOnce(echo, gateway);
      return faultOf(gateway.request(echo, { text: 'poison' }, { timeoutMs: 20_000 }));
    });
    let answer: unknown;
    void reply.then((fault) => {
      answer = fault;
    });
    while (!answer) {
      const worker = await fixture.transport();
      const died = Promise.withResolvers<void>();
      worker.respond(
        echo,
        ({ deliveryCount, signal }) => {
          counts.push(deliveryCount);
          died.resolve();
          return untilAborted(signal);
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

  it('closing lets the handlers finish, and what they cannot finish goes to another worker', async () => {
    const fixture = world();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    const leaver = await fixture.transport();
    const gate = Promise.withResolvers<void>();
    const taken: string[] = [];
    leaver.respond(
      echo,
      async ({ body, signal }) => {
        taken.push(body.text);
        await (body.text === 'quick' ? gate.promise : untilAborted(signal));
        return { text: 'done by the leaver' };
      },
      { concurrency: 2 },
    );
    await leaver.whenReady(30_000);
    const quick = gateway.request(echo, { text: 'quick' }, { timeoutMs: 20_000 });
    const stuck = gateway.request(echo, { text: 'stuck' }, { timeoutMs: 20_000 });
    await eventually(() => taken.length === 2, 'both are under way');
    const closed = leaver.close(300);
    gate.resolve();
    expect(await quick).toEqual({ text: 'done by the leaver' });
    const heir = await fixture.transport();
    heir.respond(echo, async () => ({ text: 'done by the heir' }), { concurrency: 1 });
    expect(await stuck).toEqual({ text: 'done by the heir' });
    await closed;
  });

  it('closing ends although the broker has gone silent', async () => {
    const fixture = world();
    const echo = fixture.request('echo');
    const { proxy, port } = await fixture.proxy();
    const worker = await fixture.transport(port);
    await serve(echo, worker);
    proxy.stall();
    await worker.close(100);
    expect(worker.isReady).toBe(false);
  });

  it('a queue that was deleted under its worker is declared again', async () => {
    const fixture = world();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    await serve(echo, gateway);
    await (await fixture.admin()).deleteQueue(fixture.nameOnBroker('echo'));
    await eventually(async () => {
      const reply = gateway.request(echo, { text: 'again' }, { timeoutMs: 2000 });
      return reply.then(({ text }) => text === 'again').catch(() => false);
    }, 'requests are answered again');
  });

  it('a queue with other settings is reported with the remedy, and taken up once it is deleted', async () => {
    const fixture = world();
    const echo = fixture.request('echo');
    const channel = await fixture.admin();
    await channel.assertQueue(fixture.nameOnBroker('echo'), { durable: true, maxLength: 7 });
    const worker = await fixture.transport();
    worker.respond(echo, async ({ body }) => body, { concurrency: 1 });
    await eventually(() => fixture.logsSaying('rabbitmqctl delete_queue').length > 0, 'it is reported');
    expect(fixture.logsSaying('rabbitmqctl delete_queue')[0]?.message).toContain(
      fixture.nameOnBroker('echo'),
    );
    expect(worker.isReady).toBe(false);
    await channel.deleteQueue(fixture.nameOnBroker('echo'));
    expect(await worker.whenReady(30_000)).toBe(true);
    expect(await worker.request(echo, { text: 'fine' }, { timeoutMs: 30_000 })).toEqual({ text: 'fine' });
  });

  it('user name and password stay out of the logs, whatever fails', async () => {
    const fixture = world();
    const options = fixture.options();
    const url = new URL(options.url);
    url.username = 'somebody';
    url.password = 'hunter2';
    const [refused, unresolved] = await Promise.all(
      [url.href, 'amqp://somebody:hunter2@broker.invalid'].map((badUrl) =>
        connectBroker({ ...options, url: badUrl, connectTimeoutMs: 500 }),
      ),
    );
    await Promise.all([refused?.close(0), unresolved?.close(0)]);
    expect(fixture.logs.length).toBeGreaterThan(1);
    expect(JSON.stringify(fixture.logs)).not.toMatch(/hunter2|somebody/);
  });
});

type EchoDefinition = ReturnType<Fixture['request']>;

/** Answers every request with its own body. */
async function serve(definition: EchoDefinition, transport: Transport): Promise<void> {
  transport.respond(definition, async ({ body }: { body: Text }) => body, { concurrency: 1 });
  await transport.whenReady(30_000);
}

/** Has the queue declared by a worker that leaves again. */
async function serveOnce(definition: EchoDefinition, transport: Transport): Promise<void> {
  const subscription = transport.respond(definition, async ({ body }) => body, { concurrency: 1 });
  await transport.whenReady(30_000);
  await subscription.stop(0);
}
