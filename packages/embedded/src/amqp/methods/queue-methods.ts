import { randomBytes } from 'node:crypto';
import { assertSameArguments, assertSameProperties } from '../broker/assert-equivalence.ts';
import type { Channel, MethodHandlers } from '../channels/channel.ts';
import type { Queue } from '../queues/queue.ts';
import { COMPARED_QUEUE_ARGUMENTS } from '../queues/queue-settings.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import type { MethodArguments } from '../wire/methods.ts';
import { refuseDefaultExchange, reservedName } from './exchange-methods.ts';

/** Queues: declare, bind, purge, delete. */
export const queueMethods: MethodHandlers = {
  'queue.declare'(channel, args) {
    const queue = args.passive ? accessibleQueue(channel, args.queue) : declare(channel, args);
    const { name, messageCount, consumerCount } = queue;
    channel.send('queue.declare-ok', { queue: name, messageCount, consumerCount });
  },

  'queue.bind'(channel, args) {
    channel.context.broker.topology.bind(bindingOf(channel, args));
    channel.send('queue.bind-ok', {});
  },

  'queue.purge'(channel, { queue }) {
    const messageCount = accessibleQueue(channel, queue).purge();
    channel.send('queue.purge-ok', { messageCount });
  },

  'queue.delete'(channel, { queue: name, ifUnused, ifEmpty }) {
    if (ifUnused || ifEmpty) throw new AmqpError('NOT_IMPLEMENTED', 'if-unused and if-empty');
    const { broker } = channel.context;
    const isThere = broker.topology.queues.has(name);
    const messageCount = isThere ? broker.deleteQueue(accessibleQueue(channel, name)) : 0;
    channel.send('queue.delete-ok', { messageCount });
  },
};

/**
 * Returns the named queue, which must not be exclusive to another connection. An empty name would mean the
 * last declared queue.
 */
export function accessibleQueue(channel: Channel, name: string): Queue {
  if (name === '') throw new AmqpError('NOT_IMPLEMENTED', 'a queue without a name');
  const queue = channel.context.broker.topology.queue(name);
  if (queue.owner && queue.owner !== channel.host) throw locked(queue);
  return queue;
}

function declare(channel: Channel, args: MethodArguments<'queue.declare'>): Queue {
  const { broker } = channel.context;
  const known = broker.topology.queues.get(args.queue);
  if (known) {
    assertEquivalent(channel, known, args);
    return known;
  }
  if (args.queue.startsWith('amq.')) throw reservedName('queue', args.queue);
  const definition = {
    name: args.queue === '' ? `amq.gen-${randomBytes(16).toString('base64url')}` : args.queue,
    isDurable: args.durable,
    isExclusive: args.exclusive,
    isAutoDelete: args.autoDelete,
    args: args.arguments,
  };
  return broker.createQueue(definition, args.exclusive ? channel.host : undefined);
}

function assertEquivalent(channel: Channel, queue: Queue, args: MethodArguments<'queue.declare'>): void {
  const { definition, name, owner } = queue;
  const subject = `queue '${name}' in vhost '/'`;
  assertSameProperties({
    subject,
    current: { durable: definition.isDurable, auto_delete: definition.isAutoDelete },
    received: { durable: args.durable, auto_delete: args.autoDelete },
  });
  if (owner !== (args.exclusive ? channel.host : undefined)) throw locked(queue);
  assertSameArguments(subject, COMPARED_QUEUE_ARGUMENTS, definition.args, args.arguments);
}

function bindingOf(channel: Channel, args: MethodArguments<'queue.bind'>) {
  refuseDefaultExchange(args.exchange);
  return {
    source: args.exchange,
    destinationKind: 'queue' as const,
    destination: accessibleQueue(channel, args.queue).name,
    routingKey: args.routingKey,
    args: args.arguments,
  };
}

function locked({ name }: Queue): AmqpError {
  return new AmqpError(
    'RESOURCE_LOCKED',
    `cannot obtain exclusive access to locked queue '${name}' in vhost '/'. It could be originally declared on ` +
      'another connection or the exclusive property value does not match that of the original declaration.',
  );
}
