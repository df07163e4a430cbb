import { AmqpError } from './amqp-error.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { type FieldTable, readTable, writeTable } from './field-table.ts';

/** The properties of a message (class basic), those absent left out. */
export interface Properties {
  contentType?: string;
  contentEncoding?: string;
  headers?: FieldTable;
  deliveryMode?: number;
  priority?: number;
  correlationId?: string;
  replyTo?: string;
  expiration?: string;
  messageId?: string;
  timestamp?: bigint;
  type?: string;
  userId?: string;
  appId?: string;
  clusterId?: string;
}

type PropertyCodec = readonly [
  flag: number,
  read: (reader: ByteReader, properties: Properties) => void,
  write: (writer: ByteWriter, properties: Properties) => boolean,
];

/** In the order of the wire; the flag of the first is bit 15. */
const CODECS: readonly PropertyCodec[] = [
  shortString(15, 'contentType'),
  shortString(14, 'contentEncoding'),
  property(13, 'headers', (reader) => readTable(reader), writeTable),
  property(
    12,
    'deliveryMode',
    (reader) => reader.uint8(),
    (writer, value) => writer.uint8(value),
  ),
  property(
    11,
    'priority',
    (reader) => reader.uint8(),
    (writer, value) => writer.uint8(value),
  ),
  shortString(10, 'correlationId'),
  shortString(9, 'replyTo'),
  shortString(8, 'expiration'),
  shortString(7, 'messageId'),
  property(
    6,
    'timestamp',
    (reader) => reader.uint64(),
    (writer, value) => writer.uint64(value),
  ),
  shortString(5, 'type'),
  shortString(4, 'userId'),
  shortString(3, 'appId'),
  shortString(2, 'clusterId'),
];

/** Reads the flags and the property list of a content header; anything left over is a SYNTAX_ERROR. */
export function decodeProperties(bytes: Buffer): Properties {
  const reader = new ByteReader(bytes);
  const flags = reader.uint16();
  if ((flags & 3) !== 0) throw new AmqpError('SYNTAX_ERROR', 'unknown property flags');
  const properties: Properties = {};
  for (const [flag, read] of CODECS) if ((flags & flag) !== 0) read(reader, properties);
  if (!reader.isAtEnd) throw new AmqpError('SYNTAX_ERROR', 'bytes after the last property');
  return properties;
}

/** Writes properties in the form that `decodeProperties` reads. */
export function encodeProperties(properties: Properties): Buffer {
  const list = new ByteWriter(256);
  let flags = 0;
  for (const [flag, , write] of CODECS) if (write(list, properties)) flags |= flag;
  const whole = new ByteWriter(2 + list.length);
  whole.uint16(flags);
  whole.bytes(list.take());
  return whole.take();
}

function property<Name extends keyof Properties>(
  bit: number,
  name: Name,
  read: (reader: ByteReader) => NonNullable<Properties[Name]>,
  write: (writer: ByteWriter, value: NonNullable<Properties[Name]>) => void,
): PropertyCodec {
  return [
    1 << bit,
    (reader, properties) => {
      properties[name] = read(reader);
    },
    (writer, properties) => {
      const value = properties[name];
      if (value === undefined) return false;
      write(writer, value);
      return true;
    },
  ];
}

type TextProperty = {
  [Name in keyof Properties]-?: NonNullable<Properties[Name]> extends string ? Name : never;
}[keyof Properties];

function shortString(bit: number, name: TextProperty): PropertyCodec {
  return property(
    bit,
    name,
    (reader) => reader.shortString(),
    (writer, value) => writer.shortString(value),
  );
}
