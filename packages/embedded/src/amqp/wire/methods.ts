import type { FieldTable } from './field-table.ts';

/** The type of a method's argument on the wire (AMQP 0-9-1, section 4.2.1), with its type in our code. */
interface ArgumentTypes {
  bit: boolean;
  octet: number;
  short: number;
  long: number;
  longlong: bigint;
  shortstr: string;
  longstr: Buffer;
  table: FieldTable;
}

/** The type of one argument on the wire. */
export type ArgumentType = keyof ArgumentTypes;

type MethodDefinition = readonly [
  classId: number,
  methodId: number,
  args: Readonly<Record<string, ArgumentType>>,
];

const REPLY = { replyCode: 'short', replyText: 'shortstr', classId: 'short', methodId: 'short' } as const;
/** Methods that are read or written here, with their arguments in the order of the wire. */
export const METHODS = {
  'connection.start': [
    10,
    10,
    {
      versionMajor: 'octet',
      versionMinor: 'octet',
      serverProperties: 'table',
      mechanisms: 'longstr',
      locales: 'longstr',
    },
  ],
  'connection.start-ok': [
    10,
    11,
    { clientProperties: 'table', mechanism: 'shortstr', response: 'longstr', locale: 'shortstr' },
  ],
  'connection.tune': [10, 30, { channelMax: 'short', frameMax: 'long', heartbeat: 'short' }],
  'connection.tune-ok': [10, 31, { channelMax: 'short', frameMax: 'long', heartbeat: 'short' }],
  'connection.open': [10, 40, { virtualHost: 'shortstr', reserved1: 'shortstr', reserved2: 'bit' }],
  'connection.open-ok': [10, 41, { reserved1: 'shortstr' }],
  'connection.close': [10, 50, REPLY],
  'connection.close-ok': [10, 51, {}],
  'connection.blocked': [10, 60, { reason: 'shortstr' }],
  'connection.unblocked': [10, 61, {}],
  'channel.open': [20, 10, { reserved1: 'shortstr' }],
  'channel.open-ok': [20, 11, { reserved1: 'longstr' }],
  'channel.close': [20, 40, REPLY],
  'channel.close-ok': [20, 41, {}],
  'exchange.declare': [
    40,
    10,
    {
      ticket: 'short',
      exchange: 'shortstr',
      type: 'shortstr',
      passive: 'bit',
      durable: 'bit',
      autoDelete: 'bit',
      internal: 'bit',
      noWait: 'bit',
      arguments: 'table',
    },
  ],
  'exchange.declare-ok': [40, 11, {}],
  'exchange.delete': [40, 20, { ticket: 'short', exchange: 'shortstr', ifUnused: 'bit', noWait: 'bit' }],
  'exchange.delete-ok': [40, 21, {}],
  'queue.declare': [
    50,
    10,
    {
      ticket: 'short',
      queue: 'shortstr',
      passive: 'bit',
      durable: 'bit',
      exclusive: 'bit',
      autoDelete: 'bit',
      noWait: 'bit',
      arguments: 'table',
    },
  ],
  'queue.declare-ok': [50, 11, { queue: 'shortstr', messageCount: 'long', consumerCount: 'long' }],
  'queue.bind': [
    50,
    20,
    {
      ticket: 'short',
      queue: 'shortstr',
      exchange: 'shortstr',
      routingKey: 'shortstr',
      noWait: 'bit',
      arguments: 'table',
    },
  ],
  'queue.bind-ok': [50, 21, {}],
  'queue.purge': [50, 30, { ticket: 'short', queue: 'shortstr', noWait: 'bit' }],
  'queue.purge-ok': [50, 31, { messageCount: 'long' }],
  'queue.delete': [
    50,
    40,
    { ticket: 'short', queue: 'shortstr', ifUnused: 'bit', ifEmpty: 'bit', noWait: 'bit' },
  ],
  'queue.delete-ok': [50, 41, { messageCount: 'long' }],
  'basic.qos': [60, 10, { prefetchSize: 'long', prefetchCount: 'short', global: 'bit' }],
  'basic.qos-ok': [60, 11, {}],
  'basic.consume': [
    60,
    20,
    {
      ticket: 'short',
      queue: 'shortstr',
      consumerTag: 'shortstr',
      noLocal: 'bit',
      noAck: 'bit',
      exclusive: 'bit',
      noWait: 'bit',
      arguments: 'table',
    },
  ],
  'basic.consume-ok': [60, 21, { consumerTag: 'shortstr' }],
  'basic.cancel': [60, 30, { consumerTag: 'shortstr', noWait: 'bit' }],
  'basic.cancel-ok': [60, 31, { consumerTag: 'shortstr' }],
  'basic.publish': [
    60,
    40,
    { ticket: 'short', exchange: 'shortstr', routingKey: 'shortstr', mandatory: 'bit', immediate: 'bit' },
  ],
  'basic.return': [
    60,
    50,
    { replyCode: 'short', replyText: 'shortstr', exchange: 'shortstr', routingKey: 'shortstr' },
  ],
  'basic.deliver': [
    60,
    60,
    {
      consumerTag: 'shortstr',
      deliveryTag: 'longlong',
      redelivered: 'bit',
      exchange: 'shortstr',
      routingKey: 'shortstr',
    },
  ],
  'basic.get': [60, 70, { ticket: 'short', queue: 'shortstr', noAck: 'bit' }],
  'basic.get-ok': [
    60,
    71,
    {
      deliveryTag: 'longlong',
      redelivered: 'bit',
      exchange: 'shortstr',
      routingKey: 'shortstr',
      messageCount: 'long',
    },
  ],
  'basic.get-empty': [60, 72, { reserved1: 'shortstr' }],
  'basic.ack': [60, 80, { deliveryTag: 'longlong', multiple: 'bit' }],
  'basic.reject': [60, 90, { deliveryTag: 'longlong', requeue: 'bit' }],
  'basic.nack': [60, 120, { deliveryTag: 'longlong', multiple: 'bit', requeue: 'bit' }],
  'confirm.select': [85, 10, { noWait: 'bit' }],
  'confirm.select-ok': [85, 11, {}],
} as const satisfies Record<string, MethodDefinition>;

/** The name of a method, `class.method`. */
export type MethodName = keyof typeof METHODS;

/** The arguments of a method, by name. */
export type MethodArguments<Name extends MethodName> = {
  readonly [Argument in keyof (typeof METHODS)[Name][2]]: (typeof METHODS)[Name][2][Argument] extends ArgumentType
    ? ArgumentTypes[(typeof METHODS)[Name][2][Argument]]
    : never;
};

/** A parsed method; switching on `name` narrows `args`. */
export type Method = {
  [Name in MethodName]: { readonly name: Name; readonly args: MethodArguments<Name> };
}[MethodName];
