import { afterEach, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import type { FieldValue } from '../../../src/amqp/wire/field-table.ts';
import { consume, type Fixture, openChannel, send } from '../fixture.ts';
import { RawClient } from '../raw-client.ts';

const NOTICE_PLEASE = new Map<string, FieldValue>([
  [
    'capabilities',
    { tag: 'F', value: new Map([['authentication_failure_close', { tag: 't', value: true }]]) },
  ],
]);

/** Connections: login, tuning, heartbeats, and what ends them. */
export function connectionTests(fixture: Fixture): void {
  const clients: RawClient[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });
  const keep = (client: RawClient) => {
    clients.push(client);
    return client;
  };

  it('refuses a wrong password with 403, and says so to those who listen', async () => {
    const url = new URL(fixture.url());
    url.password = 'wrong';
    await expect(connect(url.href)).rejects.toThrow(/ACCESS.REFUSED/);
    const client = keep(await RawClient.connect(fixture.url()));
    client.bytes(Buffer.from('AMQP\0\0\x09\x01', 'latin1'));
    await client.expect('connection.start');
    client.logIn({ password: 'wrong', clientProperties: NOTICE_PLEASE });
    expect((await client.expect('connection.close')).replyCode).toBe(403);
  });

  it('refuses a virtual host that is not there with 530', async () => {
    const client = keep(await RawClient.connect(fixture.url()));
    await client.tune();
    client.send(0, 'connection.open', { virtualHost: 'no-such-host', reserved1: '', reserved2: false });
    const close = await client.expect('connection.close');
    expect(close.replyCode).toBe(530);
    expect(close.replyText).toContain('vhost no-such-host not found');
  });

  it('answers another protocol with the header of its own and hangs up', async () => {
    const client = keep(await RawClient.connect(fixture.url()));
    client.bytes(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    await client.untilClosed();
    expect(client.received.toString('latin1')).toBe('AMQP\0\0\x09\x01');
  });

  it('refuses a tuning over its own bounds with 530; RabbitMQ before 4 hangs up without a word', async () => {
    const client = keep(await RawClient.connect(fixture.url()));
    await client.tune({ frameMax: 2 ** 24 });
    if (fixture.isRabbitBefore4()) return client.untilClosed();
    const close = await client.expect('connection.close');
    expect(close.replyCode).toBe(530);
    expect(close.replyText).toContain('frame_max');
  });

  it('sends heartbeats, and cuts off a client that sends none', async () => {
    const client = keep(await RawClient.open(fixture.url(), { heartbeatSeconds: 1 }));
    await client.untilClosed();
    expect(client.heartbeats).toBeGreaterThanOrEqual(1);
  });

  it('carries messages in frames of the smallest size that was agreed on', async () => {
    const url = new URL(fixture.url());
    url.searchParams.set('frameMax', '4096');
    const connection = await connect(url.href, { noDelay: true });
    const channel = await openChannel(connection);
    const queue = await fixture.queue(channel);
    const text = 'x'.repeat(100_000);
    await send(channel, queue, [text]);
    const inbox = await consume(channel, queue, { noAck: true });
    await inbox.until(1);
    expect(inbox.texts).toEqual([text]);
    await connection.close();
  });

  it.each([
    [
      'a method on a channel that is not open',
      504,
      (client: RawClient) =>
        client.send(7, 'basic.qos', { prefetchSize: 0, prefetchCount: 1, global: false }),
    ],
    [
      'a channel opened twice',
      504,
      (client: RawClient) => {
        client.send(1, 'channel.open', { reserved1: '' });
        client.send(1, 'channel.open', { reserved1: '' });
      },
    ],
    [
      'an immediate publish',
      540,
      (client: RawClient) => {
        client.send(1, 'channel.open', { reserved1: '' });
        client.writer.method(1, 'basic.publish', {
          ticket: 0,
          exchange: '',
          routingKey: 'x',
          mandatory: false,
          immediate: true,
        });
        client.writer.content(1, { propertyBytes: Buffer.alloc(2), body: Buffer.alloc(0) });
        client.flush();
      },
    ],
    [
      'a prefetch size',
      540,
      (client: RawClient) => {
        client.send(1, 'channel.open', { reserved1: '' });
        client.send(1, 'basic.qos', { prefetchSize: 1, prefetchCount: 1, global: false });
      },
    ],
    [
      'a method where content must follow',
      505,
      (client: RawClient) => {
        client.send(1, 'channel.open', { reserved1: '' });
        client.send(1, 'basic.publish', {
          ticket: 0,
          exchange: '',
          routingKey: 'x',
          mandatory: false,
          immediate: false,
        });
        client.send(1, 'basic.qos', { prefetchSize: 0, prefetchCount: 1, global: false });
      },
    ],
    [
      'a consumer tag that is taken',
      530,
      (client: RawClient) => {
        client.send(1, 'channel.open', { reserved1: '' });
        const declare = {
          ticket: 0,
          passive: false,
          durable: false,
          exclusive: true,
          autoDelete: false,
          noWait: false,
          arguments: new Map(),
        };
        client.send(1, 'queue.declare', { ...declare, queue: 'taken-tag' });
        const subscribe = {
          ticket: 0,
          queue: 'taken-tag',
          consumerTag: 'tag',
          noLocal: false,
          noAck: true,
          exclusive: false,
          noWait: false,
          arguments: new Map(),
        };
        client.send(1, 'basic.consume', subscribe);
        client.send(1, 'basic.consume', subscribe);
      },
    ],
    [
      'an unknown exchange type',
      503,
      (client: RawClient) => {
        client.send(1, 'channel.open', { reserved1: '' });
        client.send(1, 'exchange.declare', {
          ticket: 0,
          exchange: 'conformance.unknown-type',
          type: 'no-such-type',
          passive: false,
          durable: false,
          autoDelete: false,
          internal: false,
          noWait: false,
          arguments: new Map(),
        });
      },
    ],
    [
      'a frame larger than agreed on',
      501,
      (client: RawClient) => {
        const head = Buffer.alloc(7);
        head.writeUInt8(3, 0);
        head.writeUInt16BE(1, 1);
        head.writeUInt32BE(1_000_000, 3);
        client.bytes(Buffer.concat([head, Buffer.alloc(200_000)]));
      },
    ],
    [
      'a frame without its end',
      501,
      (client: RawClient) => client.bytes(Buffer.from([1, 0, 0, 0, 0, 0, 4, 0, 10, 0, 50, 0])),
    ],
  ])('ends the connection on %s with %i', async (_, code, act) => {
    const client = keep(await RawClient.open(fixture.url()));
    act(client);
    expect((await client.expect('connection.close')).replyCode).toBe(code);
  });

  it('agrees when a client says goodbye, and forgets its channels', async () => {
    const client = keep(await RawClient.open(fixture.url()));
    client.send(1, 'channel.open', { reserved1: '' });
    await client.expect('channel.open-ok');
    client.send(1, 'channel.close', { replyCode: 200, replyText: 'bye', classId: 0, methodId: 0 });
    await client.expect('channel.close-ok');
    client.send(1, 'channel.open', { reserved1: '' });
    await client.expect('channel.open-ok');
    client.send(0, 'connection.close', { replyCode: 200, replyText: 'bye', classId: 0, methodId: 0 });
    await client.expect('connection.close-ok');
    client.socket.end();
    await client.untilClosed();
  });
}
