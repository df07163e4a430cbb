import { assertSameProperties } from '../broker/assert-equivalence.ts';
import { isExchangeType } from '../broker/exchange.ts';
import type { Channel, MethodHandlers } from '../channels/channel.ts';
import { AmqpError } from '../wire/amqp-error.ts';
import type { MethodArguments } from '../wire/methods.ts';

/** Exchanges: declare, delete. */
export const exchangeMethods: MethodHandlers = {
  'exchange.declare'(channel, args) {
    refuseDefaultExchange(args.exchange);
    if (args.passive) channel.context.broker.topology.exchange(args.exchange);
    else declare(channel, args);
    channel.send('exchange.declare-ok', {});
  },

  'exchange.delete'(channel, { exchange: name, ifUnused }) {
    refuseDefaultExchange(name);
    if (ifUnused) throw new AmqpError('NOT_IMPLEMENTED', 'if-unused');
    const { topology } = channel.context.broker;
    if (topology.exchanges.has(name)) topology.removeExchange(name);
    channel.send('exchange.delete-ok', {});
  },
};

/** Throws for the default exchange, which cannot be declared, deleted, bound or unbound. */
export function refuseDefaultExchange(name: string): void {
  if (name === '') throw new AmqpError('ACCESS_REFUSED', 'operation not permitted on the default exchange');
}

function declare(channel: Channel, args: MethodArguments<'exchange.declare'>): void {
  const { exchange: name, type, durable } = args;
  const { topology } = channel.context.broker;
  if (!isExchangeType(type)) throw new AmqpError('COMMAND_INVALID', `unknown exchange type '${type}'`);
  if (args.autoDelete || args.internal || args.arguments.has('alternate-exchange'))
    throw new AmqpError('NOT_IMPLEMENTED', 'an exchange that is auto-delete, internal or has an alternate');
  const known = topology.exchanges.get(name)?.definition;
  if (!known) {
    if (name.startsWith('amq.')) throw reservedName('exchange', name);
    topology.addExchange({ name, type, isDurable: durable, args: args.arguments });
    return;
  }
  assertSameProperties({
    subject: `exchange '${name}' in vhost '/'`,
    current: { type: known.type, durable: known.isDurable },
    received: { type, durable },
  });
}

/** Returns the error for a new name with the prefix of the server's own names. */
export function reservedName(kind: 'exchange' | 'queue', name: string): AmqpError {
  return new AmqpError('ACCESS_REFUSED', `${kind} name '${name}' contains reserved prefix 'amq.*'`);
}
