import { decodeProperties, encodeProperties, type Properties } from '../wire/properties.ts';

/** A published message, which is immutable; a changed one is another message. */
export interface Message {
  readonly exchange: string;
  readonly routingKey: string;
  readonly properties: Readonly<Properties>;
  /** The properties as they are sent. */
  readonly propertyBytes: Buffer;
  readonly body: Buffer;
}

/** The message with other properties, their bytes in step. */
export function withProperties(message: Message, properties: Properties): Message {
  return { ...message, properties, propertyBytes: encodeProperties(properties) };
}

/** A message from the bytes of its properties. */
export function messageFromBytes(
  exchange: string,
  routingKey: string,
  propertyBytes: Buffer,
  body: Buffer,
): Message {
  return { exchange, routingKey, properties: decodeProperties(propertyBytes), propertyBytes, body };
}

/** A message in one queue: its place there and what has happened to it. */
export interface QueueEntry {
  /** Its place in the queue: messages are delivered in ascending order. */
  readonly position: number;
  readonly message: Message;
  /** When it may no longer be delivered, in epoch milliseconds. */
  readonly expiresAtMs: number | undefined;
  /** True when the store holds it, so that a restart restores it. */
  readonly isStored: boolean;
  isRedelivered: boolean;
  /** Number of returns without acknowledgement; counted in quorum queues only. */
  returnCount: number;
}
