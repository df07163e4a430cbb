import type { Doc } from '../../bson/bson-types.ts';
import { commandError } from '../../errors/command-error.ts';
import type { CommandContext } from './command.ts';

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
