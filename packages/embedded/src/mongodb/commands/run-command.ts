import { encodeDocument } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { joinDocument, plainElements } from '../bson/raw-document.ts';
import { CommandError, commandError } from '../errors/command-error.ts';
import { errorReply } from '../errors/error-reply.ts';
import { Pacer } from '../query/pacer.ts';
import type { Request } from '../wire/parse-request.ts';
import { COMMANDS } from './command-table.ts';
import { readArguments, refuseUnknownFields } from './context/arguments.ts';
import type { Command, CommandContext, ServerState } from './context/command.ts';
import { checkDatabase } from './context/namespace.ts';
import { awaitWriteConcern, parseWriteConcern } from './context/write-concern.ts';

/** Fields that every command takes; those that would change its meaning are checked below, the others are ignored. */
const GENERIC_FIELDS = [
  ...[
    '$db',
    'lsid',
    '$clusterTime',
    '$readPreference',
    'comment',
    'maxTimeMS',
    'readConcern',
    'writeConcern',
  ],
  ...[
    'apiVersion',
    'apiStrict',
    'apiDeprecationErrors',
    'txnNumber',
    'autocommit',
    'startTransaction',
    'stmtId',
    '$audit',
  ],
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
    const command = COMMANDS.get(name);
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
  const writeConcern = parseWriteConcern(body);
  const context: CommandContext = {
    state,
    name,
    database: checkDatabase(body.$db),
    connectionId: deps.connectionId,
    sequences: request.sequences,
    pacer: new Pacer(readArguments(body, name).natural('maxTimeMS') ?? 0, state.signal),
    scope: { now: state.clock(), variables: {} },
  };
  const reply = await command.run(body, context);
  // The reply is encoded while the disk is busy.
  const [, bytes] = await Promise.all([
    command.isWrite && awaitWriteConcern(writeConcern, state.store),
    encodeReplyDocument(reply),
  ]);
  return bytes;
}

async function encodeReplyDocument(reply: Doc | Buffer): Promise<Buffer> {
  return Buffer.isBuffer(reply) ? reply : joinDocument([plainElements(reply), OK]);
}

const OK = plainElements({ ok: 1 });

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

function refuseReadConcern(body: Doc): void {
  const { readConcern } = body;
  if (readConcern === undefined) return;
  if (!isDocument(readConcern)) throw commandError('TypeMismatch', 'readConcern must be an object');
  if (readConcern.afterClusterTime !== undefined || readConcern.atClusterTime !== undefined) {
    throw commandError(
      'IllegalOperation',
      'Cannot specify afterClusterTime or atClusterTime readConcern without replication enabled',
    );
  }
  const { level } = readConcern;
  if (level === undefined || READ_LEVELS.has(String(level))) return;
  if (level === 'linearizable') {
    throw commandError('NotAReplicaSet', 'node needs to be a replica set member to use read concern');
  }
  if (level === 'snapshot')
    throw commandError(
      'InvalidOptions',
      'readConcern level snapshot is only valid in a transaction or on a replica set',
    );
  throw commandError(
    'FailedToParse',
    `readConcern level must be one of local, available, majority; found '${String(level)}'`,
  );
}
