import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import type { Message } from 'amqplib';
import { EMPTY_TABLE } from '../../../src/amqp/wire/field-table.ts';
import { channelErrorOf, consume, drain, type Fixture, send, take, textOf, untilReady } from '../fixture.ts';
import { RawClient } from '../raw-client.ts';

const DECLARE = {
  ticket: 0,
  passive: false,
  durable: false,
  autoDelete: false,
  noWait: false,
  arguments: EMPTY_TABLE,
};
const CONSUME = {
  ticket: 0,
  consumerTag: '',
  noLocal: false,
  noAck: false,
  exclusive: false,
  noWait: false,
  arguments: EMPTY_TABLE,
};

/** Getting messages: prefetch, order, acknowledgements, consumers coming and going. */
export function consumingTests(fixture: Fixture): void {
  it('sends a consumer no more than its prefetch, and the next with each acknowledgement', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['1', '2', '3', '4', '5']);
    await channel.prefetch(2);
    const inbox = await consume(channel, queue);
    const [first, second] = await inbox.until(2);
    await channel.checkQueue(queue);
    expect(inbox.texts).toEqual(['1', '2']);
    channel.ack(first as Message);
    const [, , third] = await inbox.until(3);
    expect((await channel.checkQueue(queue)).messageCount).toBe(2);
    for (const message of [second, third]) channel.ack(message as Message);
    await inbox.until(5);
    expect(inbox.texts).toEqual(['1', '2', '3', '4', '5']);
  });

  it('counts the prefetch of each consumer apart', async () => {
    const channel = await fixture.channel();
    const [left, right] = [await fixture.queue(channel), await fixture.queue(channel)];
    for (const queue of [left, right]) await send(channel, queue, ['a', 'b', 'c']);
    await channel.prefetch(2);
    const inboxes = [await consume(channel, left), await consume(channel, right)];
    for (const inbox of inboxes) await inbox.until(2);
    await channel.checkQueue(left);
    expect(inboxes.map(({ messages }) => messages.length)).toEqual([2, 2]);
  });

  it('serves the consumers of a queue in turn', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await channel.prefetch(2);
    const [one, two] = [await consume(channel, queue), await consume(channel, queue)];
    await send(channel, queue, ['1', '2', '3', '4', '5']);
    await one.until(2);
    await two.until(2);
    expect([one.texts, two.texts]).toEqual([
      ['1', '3'],
      ['2', '4'],
    ]);
  });

  it('puts what is refused back in its place, marked as redelivered', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['1', '2', '3', '4']);
    const taken: Message[] = [];
    for (let count = 0; count < 3; count += 1) taken.push(await take(channel, queue));
    expect(taken.map(({ fields }) => fields.redelivered)).toEqual([false, false, false]);
    channel.ack(taken[0] as Message);
    channel.nack(taken[2] as Message);
    channel.reject(taken[1] as Message, true);
    const inbox = await consume(channel, queue, { noAck: true });
    await inbox.until(3);
    expect(inbox.messages.map((message) => [textOf(message), message.fields.redelivered])).toEqual([
      ['2', true],
      ['3', true],
      ['4', false],
    ]);
  });

  it('throws away what is rejected without requeue', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['1', '2']);
    channel.reject(await take(channel, queue), false);
    expect(await drain(channel, queue)).toEqual(['2']);
  });

  it('returns what was not acknowledged when the channel closes', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['1', '2', '3']);
    const other = await fixture.channel();
    const inbox = await consume(other, queue);
    const [first] = await inbox.until(3);
    other.ack(first as Message);
    await other.close();
    await untilReady(channel, queue, 2);
    expect(await drain(channel, queue)).toEqual(['2', '3']);
  });

  it('returns what a client held that vanishes, and takes its exclusive queues away', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['1', '2', '3']);
    const vanishing = await RawClient.open(fixture.url());
    vanishing.send(1, 'channel.open', { reserved1: '' });
    vanishing.send(1, 'queue.declare', { ...DECLARE, queue: '', exclusive: true });
    const { queue: own } = await vanishing.expect('queue.declare-ok');
    vanishing.send(1, 'basic.consume', { ...CONSUME, queue });
    for (let count = 0; count < 3; count += 1) await vanishing.expect('basic.deliver');
    vanishing.destroy();
    await untilReady(channel, queue, 3);
    const again = await consume(channel, queue, { noAck: true });
    await again.until(3);
    expect(again.messages.map((message) => [textOf(message), message.fields.redelivered])).toEqual([
      ['1', true],
      ['2', true],
      ['3', true],
    ]);
    const asking = await fixture.channel();
    expect((await channelErrorOf(asking, () => asking.checkQueue(own))).code).toBe(404);
  });

  it('refuses a delivery tag that it does not know', async () => {
    const channel = await fixture.channel();
    const message = { fields: { deliveryTag: 99 } } as Message;
    const error = await channelErrorOf(channel, () => channel.ack(message));
    expect(error.code).toBe(406);
    expect(error.message).toContain('unknown delivery tag 99');
  });

  it('tells a consumer that its queue was deleted', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    const inbox = await consume(channel, queue);
    const other = await fixture.channel();
    await other.deleteQueue(queue);
    await eventually(() => expect(inbox.isCancelled).toBe(true));
    await channel.assertQueue('', { exclusive: true });
  });

  it('sends nothing more to a consumer that was cancelled, which keeps what it has', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['1']);
    const inbox = await consume(channel, queue);
    const [first] = await inbox.until(1);
    await channel.cancel(inbox.consumerTag);
    await send(channel, queue, ['2']);
    channel.ack(first as Message);
    expect(inbox.texts).toEqual(['1']);
    expect(await drain(channel, queue)).toEqual(['2']);
  });

  it('says that a queue is empty, and how much is left after a get', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    expect(await channel.get(queue)).toBe(false);
    await send(channel, queue, ['1', '2', '3']);
    const got = await channel.get(queue, { noAck: true });
    expect(got ? got.fields : undefined).toMatchObject({ exchange: '', routingKey: queue, messageCount: 2 });
  });
}
