import { eventually, untilReady } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { errorOf, rejectWhenAborted } from './fixture.ts';

await describeOverBrokers('a request that is forwarded', (newFixture) => {
  it('is answered by the worker of the next queue, with another body, and leaves both queues empty', async () => {
    const fixture = newFixture();
    const [first, second] = [fixture.request('first'), fixture.request('second')];
    const [gateway, one, other] = [
      await fixture.transport(),
      await fixture.transport(),
      await fixture.transport(),
    ];
    one.respond(first, ({ body, forward }) => forward(second, { text: `${body.text}, and on` }), {
      concurrency: 1,
    });
    other.respond(second, async ({ body }) => ({ text: `re: ${body.text}` }), { concurrency: 1 });
    await Promise.all([untilReady(one), untilReady(other)]);
    const texts = ['a', 'b', 'c'];
    const replies = texts.map((text) => gateway.request(first, { text }, { timeoutMs: 240_000 }));
    expect(await Promise.all(replies)).toEqual(texts.map((text) => ({ text: `re: ${text}, and on` })));
    const admin = await fixture.admin();
    await eventually(async () => {
      const counts = await Promise.all(
        ['first', 'second'].map((name) => admin.checkQueue(fixture.nameOnBroker(name))),
      );
      expect(counts.map(({ messageCount }) => messageCount)).toEqual([0, 0]);
    });
  });

  it('is answered once when its worker is lost before it could acknowledge the forwarded request', async () => {
    const fixture = newFixture();
    const [first, second] = [fixture.request('first'), fixture.request('second')];
    const { proxy, port } = await fixture.proxy();
    const [gateway, doomed, other] = [
      await fixture.transport(),
      await fixture.transport(port),
      await fixture.transport(),
    ];
    let forwards = 0;
    doomed.respond(
      first,
      async ({ body, forward }) => {
        return await forward(second, body).finally(() => {
          if (++forwards === 1) proxy.cut();
        });
      },
      { concurrency: 1 },
    );
    const received: string[] = [];
    other.respond(
      second,
      async ({ body }) => {
        received.push(body.text);
        await eventually(() => expect(received.length).toBeGreaterThanOrEqual(2));
        return { text: `re: ${body.text}` };
      },
      { concurrency: 2 },
    );
    await Promise.all([untilReady(doomed), untilReady(other)]);
    expect(await gateway.request(first, { text: 'a' }, { timeoutMs: 60_000 })).toEqual({ text: 're: a' });
    await eventually(() =>
      expect(fixture.events.filter(({ event }) => event === 'late-reply')).toHaveLength(1),
    );
    expect(received).toEqual(['a', 'a']);
    const admin = await fixture.admin();
    for (const name of ['first', 'second']) {
      expect(await admin.checkQueue(fixture.nameOnBroker(name))).toMatchObject({ messageCount: 0 });
    }
  });

  it('keeps its deadline', async () => {
    const fixture = newFixture();
    const [first, second] = [fixture.request('first'), fixture.request('second')];
    const transport = await fixture.transport();
    transport.respond(first, ({ body, forward }) => forward(second, body), { concurrency: 1 });
    transport.respond(second, ({ signal }) => rejectWhenAborted(signal), { concurrency: 1 });
    await untilReady(transport);
    const limits = { timeoutMs: 5000, graceMs: 240_000 };
    expect(await errorOf(transport.request(first, { text: '' }, limits))).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('while a worker of second had the request'),
    });
  });

  it('is rejected at once when the next queue does not exist', async () => {
    const fixture = newFixture();
    const [first, nowhere] = [fixture.request('first'), fixture.request('nowhere')];
    const transport = await fixture.transport();
    transport.respond(first, ({ body, forward }) => forward(nowhere, body), { concurrency: 1 });
    await untilReady(transport);
    expect(await errorOf(transport.request(first, { text: '' }, { timeoutMs: 240_000 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('nowhere'),
    });
  });
});
