import { Long } from 'bson';
import { decodeDocument } from '../bson/bson-codec.ts';
import { type Doc, isDocument, isNumeric, isTrue, typeName, typeOf } from '../bson/bson-types.ts';
import { toDouble } from '../bson/numbers.ts';
import { commandError, locationError } from '../command-error.ts';
import type { CommandContext } from './command.ts';

/** Reads a command's fields; errors are those of MongoDB's IDL parser, naming `command.field`. */
export function readArguments(command: Doc, name: string) {
  const wrongType = (field: string, value: unknown, expected: string) =>
    commandError(
      'TypeMismatch',
      `BSON field '${name}.${field}' is the wrong type '${typeName(typeOf(value))}', expected type '${expected}'`,
    );
  const present = (field: string) => command[field] !== undefined && command[field] !== null;
  const number = (field: string): number | undefined => {
    if (!present(field)) return undefined;
    const value = command[field];
    if (!isNumeric(value)) throw wrongType(field, value, 'number');
    return Math.trunc(toDouble(value));
  };
  return {
    text: (field: string): string => {
      const value = command[field];
      if (value === undefined) throw missing(name, field);
      if (typeof value !== 'string') throw wrongType(field, value, 'string');
      return value;
    },
    document: (field: string): Doc => {
      const value = command[field];
      if (!present(field)) return {};
      if (!isDocument(value)) throw wrongType(field, value, 'object');
      return value;
    },
    required: (field: string): unknown => {
      if (command[field] === undefined) throw missing(name, field);
      return command[field];
    },
    list: (field: string): readonly unknown[] => {
      const value = command[field];
      if (!present(field)) return [];
      if (!Array.isArray(value)) throw wrongType(field, value, 'array');
      return value;
    },
    flag: (field: string): boolean => {
      const value = command[field];
      if (!present(field)) return false;
      if (typeof value !== 'boolean' && !isNumeric(value)) throw wrongType(field, value, 'bool');
      return isTrue(value);
    },
    number,
    natural: (field: string): number | undefined => {
      const value = number(field);
      if (value !== undefined && value < 0) {
        throw locationError(51024, `BSON field '${field}' value must be >= 0, actual value '${value}'`);
      }
      return value;
    },
  };
}

/** Reads the statements of a write command from its document sequence, or else from the body. */
export function statementsOf(command: Doc, field: string, context: CommandContext): Doc[] {
  const sequence = context.sequences.get(field);
  if (sequence !== undefined) return sequence.map((raw) => decodeDocument(raw));
  const statements = readArguments(command, context.name).list(field);
  if (command[field] === undefined) throw missing(context.name, field);
  return statements.map((statement) => {
    if (isDocument(statement)) return statement;
    throw commandError(
      'TypeMismatch',
      `BSON field '${context.name}.${field}.0' is the wrong type '${typeName(typeOf(statement))}', expected type 'object'`,
    );
  });
}

/** Limit of statements in a write command (`maxWriteBatchSize`). */
export function checkBatchSize(count: number): void {
  if (count >= 1 && count <= 100_000) return;
  throw commandError(
    'InvalidLength',
    `Write batch sizes must be between 1 and 100000. Got ${count} operations.`,
  );
}

/** Throws for fields that a part of a command does not know. */
export function refuseUnknownFields(part: Doc, known: readonly string[], name: string): void {
  const unknown = Object.keys(part).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  throw commandError('IDLUnknownField', `BSON field '${name}.${unknown}' is an unknown field.`);
}

/** Returns a count as MongoDB encodes it: in 32 bits when it fits. */
export function countReply(count: number): number | Long {
  return count > 0x7fffffff ? Long.fromNumber(count) : count;
}

function missing(name: string, field: string) {
  return commandError('IDLFailedToParse', `BSON field '${name}.${field}' is missing but a required field`);
}

const MOST_NAMESPACE_BYTES = 255;

/** The namespace `database.collection` that a command is about. Throws InvalidNamespace. */
export function namespaceOf(command: Doc, context: CommandContext): string {
  const collection = command[context.name];
  if (typeof collection !== 'string') {
    throw commandError('InvalidNamespace', `collection name has invalid type ${typeof collection}`);
  }
  return makeNamespace(context.database, collection);
}

/** Joins and checks the two names. */
export function makeNamespace(database: string, collection: string): string {
  const namespace = `${database}.${collection}`;
  const isValid = collection !== '' && !collection.startsWith('.') && !/[\0$]/.test(collection);
  if (!isValid) throw commandError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
  if (Buffer.byteLength(namespace) > MOST_NAMESPACE_BYTES) {
    throw commandError(
      'InvalidNamespace',
      `Fully qualified namespace is too long. Namespace: ${namespace} Max: 255`,
    );
  }
  return namespace;
}

/** Throws InvalidNamespace for a name that no database can have. */
export function checkDatabase(database: unknown): string {
  if (
    typeof database === 'string' &&
    database !== '' &&
    database.length < 64 &&
    !/[\0/\\. "$]/.test(database)
  ) {
    return database;
  }
  throw commandError('InvalidNamespace', `Invalid database name: '${String(database)}'`);
}
