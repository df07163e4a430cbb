import { EMPTY_TABLE, type FieldTable, type FieldValue, integerOf, long, text } from '../wire/field-table.ts';
import type { Properties } from '../wire/properties.ts';
import { type Message, withProperties } from './message.ts';

/** Reason why a message left a queue without an acknowledgement. */
export type DeathReason = 'expired' | 'rejected' | 'maxlen' | 'delivery_limit';

/** One dead-lettering of a message. */
export interface Death {
  readonly queue: string;
  readonly reason: DeathReason;
  readonly atMs: number;
  /** Exchange that it is published to, and the routing key if it differs from its own. */
  readonly deadLetterExchange: string;
  readonly deadLetterRoutingKey: string | undefined;
}

/**
 * The message as it is published to the dead letter exchange, its death entered in the x-death headers
 * (https://www.rabbitmq.com/docs/dlx#effects) and its own expiration taken off.
 */
export function deadLetter(message: Message, death: Death): Message {
  const { expiration, ...properties } = message.properties;
  const headers = new Map(properties.headers ?? EMPTY_TABLE);
  const earlier = tablesOf(headers.get('x-death'));
  const isThis = (entry: FieldTable) =>
    textOf(entry, 'queue') === death.queue && textOf(entry, 'reason') === death.reason;
  const known = earlier.find(isThis);
  const entry = known ? counted(known) : newEntry(message, death, expiration);
  const entries = [entry, ...earlier.filter((other) => other !== known)];
  headers.set('x-death', { tag: 'A', value: entries.map((value): FieldValue => ({ tag: 'F', value })) });
  return withProperties(
    {
      ...message,
      exchange: death.deadLetterExchange,
      routingKey: death.deadLetterRoutingKey ?? message.routingKey,
    },
    { ...properties, headers } satisfies Properties,
  );
}

/** Returns true if the message has returned to this queue without a rejection. */
export function isDeathCycle(message: Message, queue: string): boolean {
  const entries = tablesOf(message.properties.headers?.get('x-death'));
  const index = entries.findIndex((entry) => textOf(entry, 'queue') === queue);
  return index !== -1 && entries.slice(0, index + 1).every((entry) => textOf(entry, 'reason') !== 'rejected');
}

function newEntry(message: Message, death: Death, expiration: string | undefined): FieldTable {
  const entry = new Map<string, FieldValue>([
    ['count', long(1)],
    ['reason', text(death.reason)],
    ['queue', text(death.queue)],
    ['time', { tag: 'T', value: BigInt(Math.floor(death.atMs / 1000)) }],
    ['exchange', text(message.exchange)],
    ['routing-keys', { tag: 'A', value: [text(message.routingKey)] }],
  ]);
  if (expiration !== undefined) entry.set('original-expiration', text(expiration));
  return entry;
}

function counted(entry: FieldTable): FieldTable {
  return new Map(entry).set('count', long((integerOf(entry.get('count')) ?? 0) + 1));
}

function tablesOf(field: FieldValue | undefined): FieldTable[] {
  return field?.tag === 'A' ? field.value.flatMap((item) => (item.tag === 'F' ? [item.value] : [])) : [];
}

function textOf(table: FieldTable, name: string): string | undefined {
  const field = table.get(name);
  return field?.tag === 'S' ? field.value : undefined;
}
