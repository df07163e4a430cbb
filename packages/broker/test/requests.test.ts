import { AppError } from '@gleaner/contracts';
import { eventually, untilReady } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import type { RequestHandler } from '../src/consuming/incoming.ts';
import { describeOverBrokers } from './describe-over-brokers.ts';
import { errorOf, type Fixture, rejectWhenAborted, type Text } from './fixture.ts';

await describeOverBrokers('a request', (newFixture) => {
  it('gets its own reply among hundreds that arrive in another order', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    const worker = await fixture.transport();
    const held: (() => void)[] = [];
    const releaseAll = () => {
      for (const release of held.splice(0).reverse()) release();
    };
    worker.respond(
      echo,
      async ({ body }) => {
        await new Promise<void>((resolve) => held.push(resolve));
        return { text: `re: ${body.text}` };
      },
      { concurrency: 100 },
    );
    await untilReady(worker);
    const texts = Array.from({ length: 400 }, (_, index) => `n${index}`);
    const replies = Promise.all(texts.map((text) => gateway.request(echo, { text }, { timeoutMs: 240_000 })));
    const release = setInterval(releaseAll, 20);
    expect(await replies.finally(() => clearInterval(release))).toEqual(
      texts.map((text) => ({ text: `re: ${text}` })),
    );
  });

  it('rejects with the AppError of the worker, and hides any other error', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    const failures: Record<string, Error> = {
      ours: new AppError('RATE_LIMITED', { source: 'target', retryAfterSeconds: 7, message: 'Too fast.' }),
      foreign: new Error('password=hunter2'),
    };
    gateway.respond(echo, async ({ body }) => Promise.reject(failures[body.text]), { concurrency: 1 });
    await untilReady(gateway);
    expect(await errorOf(gateway.request(echo, { text: 'ours' }, { timeoutMs: 240_000 }))).toMatchObject({
      code: 'RATE_LIMITED',
      source: 'target',
      retryAfterSeconds: 7,
      message: 'Too fast.',
    });
    const foreign = await errorOf(gateway.request(echo, { text: 'foreign' }, { timeoutMs: 240_000 }));
    expect(foreign).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(String(foreign)).not.toContain('hunter2');
    expect(fixture.logsWith('A request to echo failed')).toMatchObject([
      { fields: { err: failures.foreign } },
    ]);
  });

  it('times out with the message of the worker that had it', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    gateway.respond(echo, ({ signal }) => rejectWhenAborted(signal), { concurrency: 1 });
    await untilReady(gateway);
    const limits = { timeoutMs: 5000, graceMs: 240_000 };
    expect(await errorOf(gateway.request(echo, { text: '' }, limits))).toMatchObject({
      code: 'TIMEOUT',
      source: 'api',
      message: expect.stringContaining('while a worker of echo had the request'),
    });
  });

  it('is never worked on after it expired in the queue', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    await declare(fixture, echo);
    expect(await errorOf(gateway.request(echo, { text: 'late' }, { timeoutMs: 100 }))).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('none has taken it from the queue yet'),
    });
    const seen: string[] = [];
    gateway.respond(echo, recordingHandler(seen), { concurrency: 1 });
    await untilReady(gateway);
    await gateway.request(echo, { text: 'in time' }, { deadlineMs: Date.now() + 240_000 });
    expect(seen).toEqual(['in time']);
  });

  it('is answered with TIMEOUT, without a call of the handler, when it reaches a worker after its deadline', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    const seen: string[] = [];
    gateway.respond(echo, recordingHandler(seen), { concurrency: 1 });
    await untilReady(gateway);
    const headers = { 'x-gleaner-deadline-ms': Date.now() - 1 };
    const reply = await requestAsForeignClient(fixture, 'echo', '{"text":"late"}', headers);
    expect(reply).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('waiting in the queue'),
    });
    expect(seen).toEqual([]);
  });

  it('rejects with the reason of its signal, and its late reply is ignored', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    const gates: (() => void)[] = [];
    gateway.respond(
      echo,
      async ({ body }) => {
        if (body.text === 'slow') await new Promise<void>((resolve) => gates.push(resolve));
        return body;
      },
      { concurrency: 2 },
    );
    await untilReady(gateway);
    const caller = new AbortController();
    const reply = gateway.request(echo, { text: 'slow' }, { timeoutMs: 240_000, signal: caller.signal });
    await eventually(() => expect(gates).toHaveLength(1));
    caller.abort(new Error('The caller has gone.'));
    expect(await errorOf(reply)).toMatchObject({ message: 'The caller has gone.' });
    gates[0]?.();
    await eventually(() =>
      expect(fixture.events).toContainEqual(expect.objectContaining({ event: 'late-reply' })),
    );
    expect(await gateway.request(echo, { text: 'next' }, { timeoutMs: 240_000 })).toEqual({ text: 'next' });
  });

  it('is not sent when its signal is already aborted', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    const signal = AbortSignal.abort(new Error('The caller has gone.'));
    expect(await errorOf(gateway.request(echo, { text: '' }, { timeoutMs: 1000, signal }))).toBe(
      signal.reason,
    );
    expect(fixture.count('published', 'echo')).toBe(0);
  });

  it('fails at once when its queue does not exist', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    expect(await errorOf(gateway.request(echo, { text: '' }, { timeoutMs: 60_000 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
      message: expect.stringContaining('its queue does not exist'),
    });
    expect(fixture.count('returned', 'echo')).toBe(1);
  });

  it('fails at once when its queue is full', async () => {
    const fixture = newFixture();
    const tiny = fixture.request('tiny', { maxLength: 1 });
    const gateway = await fixture.transport();
    await declare(fixture, tiny);
    const caller = new AbortController();
    const waiting = gateway.request(tiny, { text: '1' }, { timeoutMs: 60_000, signal: caller.signal });
    expect(await errorOf(gateway.request(tiny, { text: '2' }, { timeoutMs: 60_000 }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
      message: 'The queue tiny is full.',
    });
    expect(fixture.count('nacked', 'tiny')).toBe(1);
    caller.abort();
    await errorOf(waiting);
  });

  it('and its reply may have 14 MiB; a larger one fails with a clear error', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    gateway.respond(echo, async ({ body }) => ({ text: 'x'.repeat(Number(body.text) * 1024 * 1024) }), {
      concurrency: 1,
    });
    await untilReady(gateway);
    const reply = await gateway.request(echo, { text: '14' }, { timeoutMs: 240_000 });
    expect(reply.text.length).toBe(14 * 1024 * 1024);
    expect(await errorOf(gateway.request(echo, { text: '16' }, { timeoutMs: 240_000 }))).toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: expect.stringContaining('at most 15728640 fit'),
    });
    const large = { text: 'x'.repeat(16 * 1024 * 1024) };
    expect(await errorOf(gateway.request(echo, large, { timeoutMs: 240_000 }))).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    expect(await gateway.request(echo, { text: '0' }, { timeoutMs: 240_000 })).toEqual({ text: '' });
  });

  it.each([
    ['is not JSON', '{"text"', {}, 'is not JSON'],
    ['does not fit the schema', '{"txt":""}', {}, 'does not fit its schema'],
    ['has no deadline', '{"text":""}', { 'x-gleaner-deadline-ms': 'soon' }, 'has no deadline'],
  ])(
    'that %s is answered with a failure, and the next one is served',
    async (_, content, headers, message) => {
      const fixture = newFixture();
      const echo = fixture.request('echo');
      const gateway = await fixture.transport();
      gateway.respond(echo, async ({ body }) => body, { concurrency: 1 });
      await untilReady(gateway);
      const allHeaders = { 'x-gleaner-deadline-ms': Date.now() + 60_000, ...headers };
      expect(await requestAsForeignClient(fixture, 'echo', content, allHeaders)).toMatchObject({
        code: 'INTERNAL_ERROR',
        message: expect.stringContaining(message),
      });
      expect(await gateway.request(echo, { text: 'good' }, { timeoutMs: 240_000 })).toEqual({ text: 'good' });
    },
  );

  it('without reply-to is dropped and logged', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    gateway.respond(echo, async ({ body }) => body, { concurrency: 1 });
    await untilReady(gateway);
    (await fixture.admin()).sendToQueue(fixture.nameOnBroker('echo'), Buffer.from('{"text":""}'));
    await eventually(() => expect(fixture.logsWith('without reply-to')).toHaveLength(1));
    expect(await gateway.request(echo, { text: 'good' }, { timeoutMs: 240_000 })).toEqual({ text: 'good' });
  });

  it('rejects when the reply does not fit its schema', async () => {
    const fixture = newFixture();
    const echo = fixture.request('echo');
    const gateway = await fixture.transport();
    const broken = { ...echo, checkReply: () => ({ ok: false as const, details: [] }) };
    gateway.respond(echo, async ({ body }) => body, { concurrency: 1 });
    await untilReady(gateway);
    expect(await errorOf(gateway.request(broken, { text: '' }, { timeoutMs: 240_000 }))).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'A reply from echo does not fit its schema.',
    });
  });
});

function recordingHandler(seen: string[]): RequestHandler<Text, Text> {
  return async ({ body }) => {
    seen.push(body.text);
    return body;
  };
}

/** Declares a queue by a worker that closes again. */
async function declare(fixture: Fixture, definition: ReturnType<Fixture['request']>): Promise<void> {
  const worker = await fixture.transport();
  worker.respond(definition, async ({ body }) => body, { concurrency: 1 });
  await untilReady(worker);
  await worker.close(0);
}

/** Sends a request as a client with headers of its own; returns the body of the reply. */
async function requestAsForeignClient(
  fixture: Fixture,
  queue: string,
  content: string,
  headers: object,
): Promise<unknown> {
  const channel = await fixture.admin();
  const reply = Promise.withResolvers<Buffer>();
  await channel.consume('amq.rabbitmq.reply-to', (message) => message && reply.resolve(message.content), {
    noAck: true,
  });
  const properties = { replyTo: 'amq.rabbitmq.reply-to', headers };
  channel.sendToQueue(fixture.nameOnBroker(queue), Buffer.from(content), properties);
  return JSON.parse((await reply.promise).toString());
}
