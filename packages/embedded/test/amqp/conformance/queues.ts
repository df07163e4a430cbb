import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { channelErrorOf, consume, type Fixture, openChannel, send, untilReady } from '../fixture.ts';

/** Queues: declaration, exclusivity, end of life. */
export function queueTests(fixture: Fixture): void {
  it('names a queue that is declared without a name', async () => {
    const channel = await fixture.channel();
    const { queue } = await channel.assertQueue('', { exclusive: true });
    expect(queue).toMatch(/^amq\.gen-[\w-]{20,}$/);
    const exchange = fixture.name('exchange');
    await channel.assertExchange(exchange, 'direct');
    await channel.bindQueue(queue, exchange, queue);
    channel.publish(exchange, queue, Buffer.from('x'));
    await channel.waitForConfirms();
    expect((await channel.purgeQueue(queue)).messageCount).toBe(1);
  });

  it('counts messages and consumers in a passive declare', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['a', 'b']);
    expect(await channel.checkQueue(queue)).toEqual({ queue, messageCount: 2, consumerCount: 0 });
    await consume(channel, queue);
    expect(await channel.checkQueue(queue)).toEqual({ queue, messageCount: 0, consumerCount: 1 });
  });

  it('refuses a passive declare of a queue that is not there', async () => {
    const channel = await fixture.channel();
    const name = fixture.name('missing');
    const error = await channelErrorOf(channel, () => channel.checkQueue(name));
    expect(error.code).toBe(404);
    expect(error.message).toContain(`no queue '${name}' in vhost '/'`);
  });

  it.each([
    [{ durable: false, messageTtl: 1000 }, 'durable', "received 'false' but current is 'true'"],
    [{ autoDelete: true, messageTtl: 1000 }, 'auto_delete', "received 'true' but current is 'false'"],
    [{ messageTtl: 2000 }, 'x-message-ttl', "received '2000' but current is '1000'"],
    [{}, 'x-message-ttl', 'received none but current is'],
    [{ messageTtl: 1000, maxLength: 5 }, 'x-max-length', "'5'"],
  ])('refuses to declare a queue again with %j', async (options, name, difference) => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { messageTtl: 1000 });
    await channel.assertQueue(queue, { messageTtl: 1000, arguments: { 'x-queue-type': 'classic' } });
    const error = await channelErrorOf(channel, () => channel.assertQueue(queue, options));
    expect(error.code).toBe(406);
    expect(error.message).toContain(`inequivalent arg '${name}' for queue '${queue}' in vhost '/'`);
    expect(error.message).toContain(difference);
  });

  it.each([
    [{ 'x-message-ttl': -1 }],
    [{ 'x-message-ttl': 'soon' }],
    [{ 'x-max-length': -1 }],
    [{ 'x-overflow': 'explode' }],
    [{ 'x-dead-letter-routing-key': 'key' }],
    [{ 'x-queue-type': 'unheard-of' }],
  ])('refuses a queue with the arguments %j', async (args) => {
    const channel = await fixture.channel();
    const name = fixture.name('queue');
    const error = await channelErrorOf(channel, () => channel.assertQueue(name, { arguments: args }));
    expect(error.code).toBe(406);
  });

  it('keeps an exclusive queue for its connection and takes it away with it', async () => {
    const [owner, other] = [await fixture.connect(), await fixture.channel()];
    const owned = await openChannel(owner);
    const queue = await fixture.queue(owned, { exclusive: true, durable: false });
    for (const act of [
      (channel: typeof other) => channel.checkQueue(queue),
      (channel: typeof other) => channel.assertQueue(queue, { exclusive: true, durable: false }),
      (channel: typeof other) => channel.get(queue),
      (channel: typeof other) => channel.deleteQueue(queue),
    ]) {
      const channel = await fixture.channel();
      const error = await channelErrorOf(channel, () => act(channel));
      expect(error.code).toBe(405);
      expect(error.message).toContain(
        `cannot obtain exclusive access to locked queue '${queue}' in vhost '/'`,
      );
    }
    await owner.close();
    await eventually(async () => {
      const channel = await fixture.channel();
      const error = await channelErrorOf(channel, () => channel.checkQueue(queue));
      expect(error.code).toBe(404);
    });
  });

  it('goes with its last consumer when it is auto-delete, not before it had one', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel, { autoDelete: true });
    const [first, second] = [await consume(channel, queue), await consume(channel, queue)];
    await channel.cancel(first.consumerTag);
    await channel.checkQueue(queue);
    await channel.cancel(second.consumerTag);
    expect((await channelErrorOf(channel, () => channel.checkQueue(queue))).code).toBe(404);
  });

  it('tells how many messages a purge and a deletion have thrown away', async () => {
    const channel = await fixture.channel();
    const queue = await fixture.queue(channel);
    await send(channel, queue, ['a', 'b', 'c']);
    expect(await channel.purgeQueue(queue)).toEqual({ messageCount: 3 });
    await send(channel, queue, ['d']);
    expect(await channel.deleteQueue(queue)).toEqual({ messageCount: 1 });
    expect(await channel.deleteQueue(queue)).toEqual({ messageCount: 0 });
  });

  it('refuses new names that begin with amq.', async () => {
    const channel = await fixture.channel();
    const error = await channelErrorOf(channel, () => channel.assertQueue('amq.mine'));
    expect(error.code).toBe(403);
    expect(error.message).toContain("queue name 'amq.mine' contains reserved prefix 'amq.*'");
  });

  it('leaves the connection and its other channels usable after a channel error', async () => {
    const connection = await fixture.connect();
    const [failing, healthy] = [await openChannel(connection), await openChannel(connection)];
    const queue = await fixture.queue(healthy);
    await channelErrorOf(failing, () => failing.checkQueue(fixture.name('missing')));
    await send(healthy, queue, ['still here']);
    await untilReady(await openChannel(connection), queue, 1);
  });
}
