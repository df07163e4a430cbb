import { randomBytes } from 'node:crypto';
import { REPLY_TO } from '../broker/broker.ts';
import type { Channel, MethodHandlers } from '../channels/channel.ts';
import { ChannelConsumer, presentDelivery } from '../channels/channel-consumer.ts';
import type { Delivery } from '../channels/unacked-list.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import type { MethodArguments } from '../wire/methods.ts';
import { accessibleQueue } from './queue-methods.ts';

/** Getting messages and answering for them: qos, consume, cancel, get, ack, nack, reject. */
export const consumeMethods: MethodHandlers = {
  'basic.qos'(channel, { prefetchSize, prefetchCount, global }) {
    if (prefetchSize !== 0) throw new AmqpError('NOT_IMPLEMENTED', `prefetch_size!=0 (${prefetchSize})`);
    if (global) throw new AmqpError('NOT_IMPLEMENTED', 'global=true');
    channel.prefetchLimit = prefetchCount;
    channel.send('basic.qos-ok', {});
  },

  'basic.consume'(channel, args) {
    const tag =
      args.consumerTag === '' ? `amq.ctag-${randomBytes(16).toString('base64url')}` : args.consumerTag;
    if (channel.consumers.has(tag) || channel.replyAddress?.consumerTag === tag) {
      throw new AmqpError('NOT_ALLOWED', `attempt to reuse consumer tag '${tag}'`);
    }
    if (args.queue === REPLY_TO) return consumeReplies(channel, tag, args);
    consume(channel, tag, args);
  },

  'basic.cancel'(channel, { consumerTag }) {
    cancel(channel, consumerTag);
    channel.send('basic.cancel-ok', { consumerTag });
  },

  'basic.cancel-ok'(channel, { consumerTag }) {
    cancel(channel, consumerTag);
  },

  'basic.get'(channel, { queue: name, noAck }) {
    const queue = accessibleQueue(channel, name);
    const entry = queue.get();
    if (!entry) return channel.send('basic.get-empty', { reserved1: '' });
    const { exchange, routingKey } = entry.message;
    const args = {
      deliveryTag: BigInt(channel.track(queue, entry, undefined, noAck)),
      redelivered: entry.isRedelivered,
      exchange,
      routingKey,
      messageCount: queue.messageCount,
    };
    channel.sendContent('basic.get-ok', args, presentDelivery(entry));
  },

  'basic.ack'(channel, { deliveryTag, multiple }) {
    if (multiple) throw new AmqpError('NOT_IMPLEMENTED', 'multiple=true');
    settle(channel.unacked.take(Number(deliveryTag)), ({ queue, entry }) => queue.settle(entry));
  },

  'basic.nack'(channel, { deliveryTag, multiple, requeue }) {
    if (multiple) throw new AmqpError('NOT_IMPLEMENTED', 'multiple=true');
    refuse(channel, channel.unacked.take(Number(deliveryTag)), requeue);
  },

  'basic.reject'(channel, { deliveryTag, requeue }) {
    refuse(channel, channel.unacked.take(Number(deliveryTag)), requeue);
  },
};

function consume(channel: Channel, tag: string, args: MethodArguments<'basic.consume'>): void {
  const queue = accessibleQueue(channel, args.queue);
  if (args.exclusive) throw new AmqpError('NOT_IMPLEMENTED', 'exclusive=true');
  if (args.arguments.has('x-priority')) throw new AmqpError('NOT_IMPLEMENTED', 'x-priority');
  const consumer = new ChannelConsumer(channel, {
    tag,
    queue,
    isNoAck: args.noAck,
    prefetchLimit: channel.prefetchLimit,
  });
  channel.consumers.set(tag, consumer);
  queue.addConsumer(consumer);
  channel.send('basic.consume-ok', { consumerTag: tag });
  queue.dispatch();
}

/** Direct reply-to: no queue at all, the replies go straight to this channel. */
function consumeReplies(channel: Channel, tag: string, { noAck }: MethodArguments<'basic.consume'>): void {
  if (!noAck) throw new AmqpError('PRECONDITION_FAILED', 'reply consumer cannot acknowledge');
  if (channel.replyAddress) throw new AmqpError('PRECONDITION_FAILED', 'reply consumer already set');
  const address = channel.context.broker.openReplyAddress((message) => {
    const { exchange, routingKey } = message;
    const deliveryTag = BigInt(channel.nextDeliveryTag());
    const args = { consumerTag: tag, deliveryTag, redelivered: false, exchange, routingKey };
    channel.sendContent('basic.deliver', args, message);
  });
  channel.replyAddress = { address, consumerTag: tag };
  channel.send('basic.consume-ok', { consumerTag: tag });
}

/** Unknown tags are nothing to complain of: the queue may have gone at the same moment. */
function cancel(channel: Channel, tag: string): void {
  if (channel.replyAddress?.consumerTag === tag) {
    channel.context.broker.closeReplyAddress(channel.replyAddress.address);
    channel.replyAddress = undefined;
  }
  const consumer = channel.consumers.get(tag);
  channel.consumers.delete(tag);
  consumer?.queue.removeConsumer(consumer);
}

function settle(delivery: Delivery, finish: (delivery: Delivery) => void): void {
  delivery.consumer?.onSettled();
  finish(delivery);
  delivery.queue.dispatch();
}

function refuse(channel: Channel, delivery: Delivery, isRequeue: boolean): void {
  if (isRequeue) channel.requeue([delivery]);
  else settle(delivery, ({ queue, entry }) => queue.reject(entry));
}
