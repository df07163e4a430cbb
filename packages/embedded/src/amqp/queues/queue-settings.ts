import { AmqpError } from '../wire/amqp-error.ts';
import { type FieldTable, type FieldValue, integerOf } from '../wire/field-table.ts';

/** Declaration of a queue. */
export interface QueueDefinition {
  readonly name: string;
  readonly isDurable: boolean;
  readonly isExclusive: boolean;
  readonly isAutoDelete: boolean;
  readonly args: FieldTable;
}

/** Settings of a queue, read from its arguments. */
export interface QueueSettings {
  readonly type: 'classic' | 'quorum';
  readonly messageTtlMs: number | undefined;
  readonly maxLength: number | undefined;
  readonly overflow: 'drop-head' | 'reject-publish';
  readonly deadLetterExchange: string | undefined;
  readonly deadLetterRoutingKey: string | undefined;
  /** Number of returns after which a message is dropped or dead-lettered. */
  readonly returnLimit: number | undefined;
}

const MAX_TIMER_MS = 4_294_967_295;
/** RabbitMQ's default for quorum queues since 4.0. */
const DEFAULT_RETURN_LIMIT = 20;

type Check = (value: FieldValue) => string | undefined;

/** Arguments that RabbitMQ checks at the first declaration and compares at each later one. */
const ARGUMENT_CHECKS: Readonly<Record<string, Check>> = {
  'x-message-ttl': integerBetween(0, MAX_TIMER_MS),
  'x-dead-letter-exchange': isText,
  'x-dead-letter-routing-key': isText,
  'x-dead-letter-strategy': oneOf('at-most-once', 'at-least-once'),
  'x-max-length': integerBetween(0, Number.MAX_SAFE_INTEGER),
  'x-overflow': oneOf('drop-head', 'reject-publish'),
  'x-queue-type': oneOf('classic', 'quorum'),
  'x-delivery-limit': integerBetween(-1, Number.MAX_SAFE_INTEGER),
};

/** Arguments with a meaning to RabbitMQ that none of our queues uses. */
const UNSERVED = ['x-expires', 'x-max-length-bytes', 'x-max-priority', 'x-single-active-consumer'];

/** Names of the arguments that must be equal in two declarations of a queue. */
export const COMPARED_QUEUE_ARGUMENTS = Object.keys(ARGUMENT_CHECKS);

/** Reads the settings of a declaration; PRECONDITION_FAILED names the invalid argument. */
export function readQueueSettings(definition: QueueDefinition): QueueSettings {
  const { name, args } = definition;
  const unserved = UNSERVED.find((argument) => args.has(argument));
  if (unserved !== undefined) throw new AmqpError('NOT_IMPLEMENTED', unserved);
  for (const [argument, check] of Object.entries(ARGUMENT_CHECKS)) {
    const value = args.get(argument);
    const fault = value && check(value);
    if (fault) throw invalidArgument(argument, name, fault);
  }
  if (args.has('x-dead-letter-routing-key') && !args.has('x-dead-letter-exchange')) {
    throw invalidArgument('x-dead-letter-routing-key', name, 'routing_key_but_no_dlx_defined');
  }
  const type = textOf(args, 'x-queue-type') === 'quorum' ? 'quorum' : 'classic';
  if (type === 'quorum') checkQuorum(definition);
  return {
    type,
    messageTtlMs: integerOf(args.get('x-message-ttl')),
    maxLength: integerOf(args.get('x-max-length')),
    overflow: (textOf(args, 'x-overflow') ?? 'drop-head') as QueueSettings['overflow'],
    deadLetterExchange: textOf(args, 'x-dead-letter-exchange'),
    deadLetterRoutingKey: textOf(args, 'x-dead-letter-routing-key'),
    returnLimit: type === 'quorum' ? returnLimit(args) : undefined,
  };
}

function checkQuorum({ name, isDurable, isExclusive, isAutoDelete }: QueueDefinition): void {
  const fault = !isDurable
    ? 'non-durable'
    : isExclusive
      ? 'exclusive'
      : isAutoDelete
        ? 'auto-delete'
        : undefined;
  if (fault) {
    throw new AmqpError(
      'PRECONDITION_FAILED',
      `invalid property '${fault}' for queue '${name}' in vhost '/'`,
    );
  }
}

function returnLimit(args: FieldTable): number | undefined {
  const limit = integerOf(args.get('x-delivery-limit')) ?? DEFAULT_RETURN_LIMIT;
  return limit < 0 ? undefined : limit;
}

function invalidArgument(argument: string, queue: string, fault: string): AmqpError {
  return new AmqpError(
    'PRECONDITION_FAILED',
    `invalid arg '${argument}' for queue '${queue}' in vhost '/': ${fault}`,
  );
}

function textOf(args: FieldTable, name: string): string | undefined {
  const field = args.get(name);
  return field?.tag === 'S' ? field.value : undefined;
}

function isText(value: FieldValue): string | undefined {
  return value.tag === 'S' ? undefined : 'expected a string';
}

function integerBetween(low: number, high: number): Check {
  return (value) => {
    const integer = integerOf(value);
    if (integer === undefined) return 'expected an integer';
    return integer >= low && integer <= high ? undefined : `${integer} is not between ${low} and ${high}`;
  };
}

function oneOf(...choices: string[]): Check {
  return (value) =>
    value.tag === 'S' && choices.includes(value.value) ? undefined : `expected one of ${choices.join(', ')}`;
}
