import { isUtf8 } from 'node:buffer';
import { AmqpError } from './amqp-error.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/** The types of a field table by their tags that are served: https://www.rabbitmq.com/docs/amqp-0-9-1-errata (section 3). */
interface FieldTypes {
  t: boolean;
  b: number;
  s: number;
  I: number;
  l: bigint;
  T: bigint;
  d: number;
  S: string;
  A: readonly FieldValue[];
  F: FieldTable;
  V: null;
}

type FieldTag = keyof FieldTypes;

/** A value with its type tag, so that it is written back exactly as it was read. */
export type FieldValue = {
  [Tag in FieldTag]: {
    readonly tag: Tag;
    readonly value: FieldTypes[Tag];
  };
}[FieldTag];

/** Arguments and headers: values by name, in the order of the wire. */
export type FieldTable = ReadonlyMap<string, FieldValue>;

/** Returns the table without an entry. */
export const EMPTY_TABLE: FieldTable = new Map();

const MAX_DEPTH = 64;
/** Types that RabbitMQ has: unsigned, 32-bit floating and decimal numbers, and bytes. */
const UNSERVED_TAGS = 'BuifDx';

/** Reads one field table; an unknown tag, or nesting beyond the limit, is a SYNTAX_ERROR. */
export function readTable(reader: ByteReader, depth = 0): FieldTable {
  const length = reader.uint32();
  if (length === 0) return EMPTY_TABLE;
  if (depth >= MAX_DEPTH) throw tooDeep();
  const inner = reader.sub(length);
  const table = new Map<string, FieldValue>();
  while (!inner.isAtEnd) table.set(inner.shortString(), readValue(inner, depth));
  return table;
}

/** Writes a field table in the form that `readTable` reads. */
export function writeTable(writer: ByteWriter, table: FieldTable): void {
  const place = writer.reserveLength();
  for (const [name, value] of table) {
    writer.shortString(name);
    writeValue(writer, value);
  }
  writer.patchLength(place);
}

/** Returns a text as a field value. */
export function text(value: string): FieldValue {
  return { tag: 'S', value };
}

/** Returns an integer as a field value of 64 bits. */
export function long(value: number): FieldValue {
  return { tag: 'l', value: BigInt(value) };
}

/** Returns the integer of a field, whatever its width; `undefined` for every other type. */
export function integerOf(field: FieldValue | undefined): number | undefined {
  if (!field || !INTEGER_TAGS.has(field.tag)) return undefined;
  return Number(field.value);
}

const INTEGER_TAGS: ReadonlySet<FieldTag> = new Set(['b', 's', 'I', 'l']);

interface FieldCodec<Value> {
  readonly read: (reader: ByteReader, depth: number) => Value;
  readonly write: (writer: ByteWriter, value: Value) => void;
}

const CODECS: { readonly [Tag in FieldTag]: FieldCodec<FieldTypes[Tag]> } = {
  t: { read: (reader) => reader.uint8() !== 0, write: (writer, value) => writer.uint8(value ? 1 : 0) },
  b: { read: (reader) => reader.int8(), write: (writer, value) => writer.int8(value) },
  s: { read: (reader) => reader.int16(), write: (writer, value) => writer.int16(value) },
  I: { read: (reader) => reader.int32(), write: (writer, value) => writer.int32(value) },
  l: { read: (reader) => reader.int64(), write: (writer, value) => writer.int64(value) },
  T: { read: (reader) => reader.uint64(), write: (writer, value) => writer.uint64(value) },
  d: { read: (reader) => reader.double(), write: (writer, value) => writer.double(value) },
  S: { read: readText, write: writeText },
  A: { read: readArray, write: writeArray },
  F: { read: (reader, depth) => readTable(reader, depth + 1), write: writeTable },
  V: { read: () => null, write: () => {} },
};

function readValue(reader: ByteReader, depth: number): FieldValue {
  const tag = String.fromCharCode(reader.uint8());
  if (UNSERVED_TAGS.includes(tag)) throw new AmqpError('NOT_IMPLEMENTED', `field table type ${tag}`);
  if (!isFieldTag(tag))
    throw new AmqpError('SYNTAX_ERROR', `unknown field table type ${JSON.stringify(tag)}`);
  return { tag, value: CODECS[tag].read(reader, depth) } as FieldValue;
}

function isFieldTag(tag: string): tag is FieldTag {
  return Object.hasOwn(CODECS, tag);
}

function readText(reader: ByteReader): string {
  const bytes = reader.slice(reader.uint32());
  if (!isUtf8(bytes)) throw new AmqpError('NOT_IMPLEMENTED', 'a long string that is not UTF-8');
  return bytes.toString('utf8');
}

function writeText(writer: ByteWriter, text: string): void {
  const bytes = Buffer.from(text);
  writer.uint32(bytes.length);
  writer.bytes(bytes);
}

function readArray(reader: ByteReader, depth: number): FieldValue[] {
  const inner = reader.sub(reader.uint32());
  if (depth >= MAX_DEPTH) throw tooDeep();
  const values: FieldValue[] = [];
  while (!inner.isAtEnd) values.push(readValue(inner, depth + 1));
  return values;
}

function writeValue(writer: ByteWriter, field: FieldValue): void {
  writer.uint8(field.tag.charCodeAt(0));
  CODECS[field.tag].write(writer, field.value as never);
}

function writeArray(writer: ByteWriter, values: readonly FieldValue[]): void {
  const place = writer.reserveLength();
  for (const value of values) writeValue(writer, value);
  writer.patchLength(place);
}

function tooDeep(): AmqpError {
  return new AmqpError('SYNTAX_ERROR', `field tables nest deeper than ${MAX_DEPTH} levels`);
}
