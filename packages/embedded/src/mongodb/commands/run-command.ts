import { encodeDocument } from '../bson/bson-codec.ts';
import { type Doc, isDocument, isNumeric, isTrue } from '../bson/bson-types.ts';
import { toDouble } from '../bson/numbers.ts';
import { joinDocument, plainElements } from '../bson/raw-document.ts';
import { CommandError, commandError, errorReply } from '../command-error.ts';
import { Pacer } from '../query/pacer.ts';
import type { Request } from '../wire/parse-request.ts';
import { checkDatabase, readArguments, refuseUnknownFields } from './arguments.ts';
import { drop, dropDatabase, listCollections } from './collections.ts';
import type { Command, CommandContext, ServerState } from './command.ts';
import { getMore, killCursors } from './cursor-reply.ts';
import { findAndModify } from './find-and-modify.ts';
import { endSessions, hello, isMaster, ping } from './hello.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import { aggregate, explain, find } from './reads.ts';
import { deleteCommand, insert, update } from './writes.ts';

/** The supported commands, by the name that opens their document; any other is CommandNotFound. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  hello,
  ismaster: isMaster,
  ping,
  endSessions,
  drop,
  dropDatabase,
  listCollections,
  createIndexes,
  listIndexes,
  dropIndexes,
  insert,
  update,
  delete: deleteCommand,
  findAndModify,
  find,
  aggregate,
  explain,
  getMore,
  killCursors,
};

/** Fields of every command. The ones that would change its meaning are checked below, the others are ignored. */
const GENERIC_FIELDS = [
  ...['$db', 'lsid', '$readPreference', 'maxTimeMS', 'readConcern', 'writeConcern'],
  ...['txnNumber', 'autocommit', 'startTransaction'],
];

interface RunDeps {
  readonly state: ServerState;
  readonly connectionId: number;
  /** Called with errors of the server itself, which the client sees as InternalError. */
  readonly onInternalError: (error: unknown, command: string) => void;
}

/** Runs one request and returns the bytes of its reply document; errors become replies, so that it never rejects. */
export async function runCommand(request: Request, deps: RunDeps): Promise<Buffer> {
  const name = Object.keys(request.command)[0] ?? '';
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw commandError('CommandNotFound', `no such command: '${name}'`);
    return await execute(request, name, command, deps);
  } catch (error) {
    if (!(error instanceof CommandError)) deps.onInternalError(error, name);
    return encodeDocument(errorReply(error));
  }
}

async function execute(request: Request, name: string, command: Command, deps: RunDeps): Promise<Buffer> {
  const body = request.command;
  const { state } = deps;
  if (command.fields !== 'any') refuseUnknownFields(body, [name, ...command.fields, ...GENERIC_FIELDS], name);
  refuseTransactions(body);
  refuseReadConcern(body);
  const isDurable = isJournaled(body);
  const context: CommandContext = {
    state,
    name,
    database: checkDatabase(body.$db),
    connectionId: deps.connectionId,
    sequences: request.sequences,
    pacer: new Pacer(readArguments(body, name).natural('maxTimeMS') ?? 0, state.signal),
  };
  const reply = await command.run(body, context);
  // The reply is encoded while the disk is busy.
  const [, bytes] = await Promise.all([
    command.isWrite && isDurable && state.store.flush(),
    encodeReplyDocument(reply),
  ]);
  return bytes;
}

async function encodeReplyDocument(reply: Doc | Buffer): Promise<Buffer> {
  return Buffer.isBuffer(reply) ? reply : joinDocument([plainElements(reply), OK]);
}

const OK = plainElements({ ok: 1 });

const CONCERN_FIELDS = new Set(['w', 'j', 'wtimeout', 'wtimeoutMS']);

/**
 * Returns whether the reply waits until the write is on disk: for `j: true` and `w: "majority"`
 * (`writeConcernMajorityJournalDefault`). More than one node is refused.
 */
function isJournaled({ writeConcern }: Doc): boolean {
  if (writeConcern === undefined) return false;
  if (!isDocument(writeConcern)) throw commandError('TypeMismatch', 'writeConcern must be an object');
  const unknown = Object.keys(writeConcern).find((field) => !CONCERN_FIELDS.has(field));
  if (unknown !== undefined)
    throw commandError('FailedToParse', `unrecognized write concern field: ${unknown}`);
  const { w = 1, j } = writeConcern;
  if (w !== 'majority' && !(isNumeric(w) && toDouble(w) === 1))
    throw commandError('BadValue', `cannot use 'w' mode ${String(w)} when a host is not replicated`);
  return (w === 'majority' && j !== false) || isTrue(j);
}

/** Throws for transactions and retryable writes, which a standalone server does not have. */
function refuseTransactions(body: Doc): void {
  if (body.txnNumber === undefined && body.startTransaction === undefined && body.autocommit === undefined)
    return;
  throw commandError(
    'IllegalOperation',
    'Transaction numbers are only allowed on a replica set member or mongos',
  );
}

const READ_LEVELS = new Set(['local', 'available', 'majority']);

/** Throws for reads at a point in time, which a standalone server does not have either. */
function refuseReadConcern({ readConcern }: Doc): void {
  if (readConcern === undefined) return;
  const [[field, level] = [], ...others] = isDocument(readConcern) ? Object.entries(readConcern) : [];
  if (field !== 'level' || !READ_LEVELS.has(String(level)) || others.length > 0)
    throw commandError('InvalidOptions', `readConcern is not supported: ${JSON.stringify(readConcern)}`);
}
