import { assertSameArguments, assertSameProperties } from '../broker/assert-equivalence.ts';
import type { Channel, MethodHandlers } from '../channels/channel.ts';
import { isExchangeType } from '../exchanges/exchange.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import type { MethodArguments } from '../wire/methods.ts';

/** Exchanges: declare, delete, and the bindings between them. */
export const exchangeMethods: MethodHandlers = {
  'exchange.declare'(channel, args) {
    refuseDefaultExchange(args.exchange);
    if (args.passive) channel.context.broker.topology.exchange(args.exchange);
    else declare(channel, args);
    if (!args.noWait) channel.send('exchange.declare-ok', {});
  },

  'exchange.delete'(channel, { exchange: name, ifUnused, noWait }) {
    refuseDefaultExchange(name);
    const { topology } = channel.context.broker;
    if (name.startsWith('amq.')) {
      throw new AmqpError('ACCESS_REFUSED', `deletion of system exchange '${name}' in vhost '/' not allowed`);
    }
    const exchange = topology.exchanges.get(name);
    if (exchange && ifUnused && exchange.bindings.size > 0) {
      throw new AmqpError('PRECONDITION_FAILED', `exchange '${name}' in vhost '/' in use`);
    }
    if (exchange) topology.removeExchange(name);
    if (!noWait) channel.send('exchange.delete-ok', {});
  },

  'exchange.bind'(channel, args) {
    channel.context.broker.topology.bind(bindingOf(args));
    if (!args.noWait) channel.send('exchange.bind-ok', {});
  },

  'exchange.unbind'(channel, args) {
    channel.context.broker.topology.unbind(bindingOf(args));
    if (!args.noWait) channel.send('exchange.unbind-ok', {});
  },
};

/** Throws for the default exchange, which cannot be declared, deleted, bound or unbound. */
export function refuseDefaultExchange(name: string): void {
  if (name === '') throw new AmqpError('ACCESS_REFUSED', 'operation not permitted on the default exchange');
}

function declare(channel: Channel, args: MethodArguments<'exchange.declare'>): void {
  const { exchange: name, type, durable, autoDelete, internal } = args;
  const { topology } = channel.context.broker;
  if (!isExchangeType(type)) throw new AmqpError('COMMAND_INVALID', `unknown exchange type '${type}'`);
  const known = topology.exchanges.get(name)?.definition;
  if (!known) {
    if (name.startsWith('amq.')) throw reservedName('exchange', name);
    const definition = { name, type, isDurable: durable, isAutoDelete: autoDelete, isInternal: internal };
    topology.addExchange({ ...definition, args: args.arguments });
    return;
  }
  const subject = `exchange '${name}' in vhost '/'`;
  assertSameProperties({
    subject,
    current: {
      type: known.type,
      durable: known.isDurable,
      auto_delete: known.isAutoDelete,
      internal: known.isInternal,
    },
    received: { type, durable, auto_delete: autoDelete, internal },
  });
  assertSameArguments(subject, ['alternate-exchange'], known.args, args.arguments);
}

/** Returns the error for a new name with the prefix of the server's own names. */
export function reservedName(kind: 'exchange' | 'queue', name: string): AmqpError {
  return new AmqpError('ACCESS_REFUSED', `${kind} name '${name}' contains reserved prefix 'amq.*'`);
}

function bindingOf({ source, destination, routingKey, arguments: args }: MethodArguments<'exchange.bind'>) {
  refuseDefaultExchange(source);
  refuseDefaultExchange(destination);
  return { source, destinationKind: 'exchange' as const, destination, routingKey, args };
}
