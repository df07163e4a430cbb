import { AmqpError } from './amqp-error.ts';
import { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { type FieldTable, readTable, writeTable } from './field-table.ts';
import { type ArgumentType, METHODS, type Method, type MethodArguments, type MethodName } from './methods.ts';

type ArgumentValue = boolean | number | bigint | string | Buffer | FieldTable;

interface Layout {
  readonly name: MethodName;
  readonly classId: number;
  readonly methodId: number;
  readonly args: readonly (readonly [name: string, type: ArgumentType])[];
}

const LAYOUTS = Object.entries(METHODS).map(
  ([name, [classId, methodId, args]]): Layout => ({
    name: name as MethodName,
    classId,
    methodId,
    args: Object.entries(args) as [string, ArgumentType][],
  }),
);
const LAYOUT_BY_ID = new Map(LAYOUTS.map((layout) => [idOf(layout.classId, layout.methodId), layout]));
const LAYOUT_BY_NAME = new Map(LAYOUTS.map((layout) => [layout.name, layout]));

/**
 * Reads the payload of a method frame; throws NOT_IMPLEMENTED for one of RabbitMQ's that is not served, COMMAND_INVALID for
 * an unknown one, SYNTAX_ERROR for a malformed one.
 */
export function decodeMethod(payload: Buffer): Method {
  const reader = new ByteReader(payload);
  const classId = reader.uint16();
  const methodId = reader.uint16();
  const layout = LAYOUT_BY_ID.get(idOf(classId, methodId));
  if (!layout) throw notServed(`${classId}.${methodId}`);
  const args: Record<string, ArgumentValue> = {};
  let flags = 0;
  let flagBit = 8;
  for (const [name, type] of layout.args) {
    if (type !== 'bit') {
      flagBit = 8;
      args[name] = READERS[type](reader);
      continue;
    }
    if (flagBit === 8) {
      flags = reader.uint8();
      flagBit = 0;
    }
    args[name] = (flags & (1 << flagBit)) !== 0;
    flagBit += 1;
  }
  return { name: layout.name, args } as unknown as Method;
}

/** Writes the payload of a method frame. */
export function encodeMethod<Name extends MethodName>(
  writer: ByteWriter,
  name: Name,
  args: MethodArguments<Name>,
): void {
  const layout = layoutOf(name);
  writer.uint16(layout.classId);
  writer.uint16(layout.methodId);
  const values = args as Readonly<Record<string, ArgumentValue>>;
  let flags = 0;
  let flagBit = 0;
  for (const [argument, type] of layout.args) {
    const value = values[argument] as ArgumentValue;
    if (type === 'bit') {
      if (value === true) flags |= 1 << flagBit;
      flagBit += 1;
      continue;
    }
    if (flagBit > 0) writer.uint8(flags);
    flags = 0;
    flagBit = 0;
    WRITERS[type](writer, value as never);
  }
  if (flagBit > 0) writer.uint8(flags);
}

/** Returns the numbers of a method, by which close methods name the cause. */
export function methodIds(name: MethodName): { classId: number; methodId: number } {
  const [classId, methodId] = METHODS[name];
  return { classId, methodId };
}

type ByteType = Exclude<ArgumentType, 'bit'>;

const READERS: Readonly<Record<ByteType, (reader: ByteReader) => ArgumentValue>> = {
  octet: (reader) => reader.uint8(),
  short: (reader) => reader.uint16(),
  long: (reader) => reader.uint32(),
  longlong: (reader) => reader.uint64(),
  shortstr: (reader) => reader.shortString(),
  longstr: (reader) => Buffer.from(reader.slice(reader.uint32())),
  table: (reader) => readTable(reader),
};

const WRITERS: { readonly [Type in ByteType]: (writer: ByteWriter, value: never) => void } = {
  octet: (writer, value: number) => writer.uint8(value),
  short: (writer, value: number) => writer.uint16(value),
  long: (writer, value: number) => writer.uint32(value),
  longlong: (writer, value: bigint) => writer.uint64(value),
  shortstr: (writer, value: string) => writer.shortString(value),
  longstr: (writer, value: Buffer) => {
    writer.uint32(value.length);
    writer.bytes(value);
  },
  table: (writer, value: FieldTable) => writeTable(writer, value),
};

function layoutOf(name: MethodName): Layout {
  const layout = LAYOUT_BY_NAME.get(name);
  if (!layout) throw new RangeError(`no such method: ${name}`);
  return layout;
}

function idOf(classId: number, methodId: number): number {
  return classId * 0x10000 + methodId;
}

/** Methods of RabbitMQ that no sender of ours uses. */
const UNSERVED: Readonly<Record<string, string>> = {
  '10.70': 'connection.update-secret',
  '20.20': 'channel.flow',
  '30.10': 'access.request',
  '40.30': 'exchange.bind',
  '40.40': 'exchange.unbind',
  '50.50': 'queue.unbind',
  '60.100': 'basic.recover-async',
  '60.110': 'basic.recover',
  '90.10': 'tx.select',
  '90.20': 'tx.commit',
  '90.30': 'tx.rollback',
};

function notServed(ids: string): AmqpError {
  const name = UNSERVED[ids];
  return name === undefined
    ? new AmqpError('COMMAND_INVALID', `unknown method ${ids}`)
    : new AmqpError('NOT_IMPLEMENTED', name);
}
