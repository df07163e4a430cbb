import { encodeDocument } from '../../bson/bson-codec.ts';
import type { Doc } from '../../bson/bson-types.ts';
import { joinDocument, plainElements } from '../../bson/raw-document.ts';
import { commandError } from '../../errors/command-error.ts';
import { writeError } from '../../errors/error-reply.ts';
import { refuseCollation } from '../../indexes/parse-index-spec.ts';
import { deleteMany, deleteOne } from '../../writes/delete-documents.ts';
import { insertRaw } from '../../writes/insert-document.ts';
import { updateDocuments } from '../../writes/update-documents.ts';
import {
  checkBatchSize,
  countReply,
  readArguments,
  refuseUnknownFields,
  statementsOf,
  withLet,
} from '../context/arguments.ts';
import type { Command, CommandContext } from '../context/command.ts';
import { oneBatch, openCursor } from '../context/cursor-reply.ts';
import { makeNamespace } from '../context/namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/bulkWrite/: writes to several collections in one command. */
export const bulkWrite: Command = {
  fields: ['ops', 'nsInfo', 'ordered', 'errorsOnly', 'cursor', 'bypassDocumentValidation', 'let'],
  isWrite: true,
  run: async (command, context) => {
    if (context.database !== 'admin') {
      throw commandError('Unauthorized', 'bulkWrite may only be run against the admin database.');
    }
    const args = readArguments(command, 'bulkWrite');
    const operations = statementsOf(command, 'ops', context);
    checkBatchSize(operations.length);
    const namespaces = statementsOf(command, 'nsInfo', context).map(parseNamespace);
    const isOrdered = command.ordered === undefined || args.flag('ordered');
    const { results, totals } = await runOperations(operations, namespaces, isOrdered, { command, context });
    const shown = args.flag('errorsOnly') ? results.filter(({ ok }) => ok === 0) : results;
    return replyWith(shown, { nErrors: results.filter(({ ok }) => ok === 0).length, ...totals }, context);
  },
};

const NO_CHANGES = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };

type Totals = typeof NO_CHANGES;

async function runOperations(
  operations: readonly Doc[],
  namespaces: readonly string[],
  isOrdered: boolean,
  run: { command: Doc; context: CommandContext },
): Promise<{ results: Doc[]; totals: Totals }> {
  const results: Doc[] = [];
  const totals = { ...NO_CHANGES };
  for (const [idx, operation] of operations.entries()) {
    try {
      const { result, changes } = await runOperation(operation, namespaces, run);
      results.push({ ok: 1, idx, ...result });
      for (const [name, count] of Object.entries(changes)) totals[name as keyof Totals] += count;
    } catch (error) {
      const { index, ...failure } = writeError(idx, error);
      results.push({ ok: 0, idx: index, n: 0, ...failure });
      if (isOrdered) break;
    }
  }
  return { results, totals };
}

interface OperationOutcome {
  readonly result: Doc;
  readonly changes: Partial<Totals>;
}

type RunOperation = (
  operation: Doc,
  namespace: string,
  run: { command: Doc; context: CommandContext },
) => Promise<OperationOutcome> | OperationOutcome;

function runOperation(
  operation: Doc,
  namespaces: readonly string[],
  run: { command: Doc; context: CommandContext },
): Promise<OperationOutcome> | OperationOutcome {
  const kind = Object.keys(operation)[0] ?? '';
  const operate = OPERATIONS[kind];
  if (operate === undefined) throw commandError('BadValue', `unknown bulkWrite operation: ${kind}`);
  const namespace = namespaces[operation[kind] as number];
  if (namespace === undefined) {
    throw commandError(
      'BadValue',
      `BulkWrite ops entry refers to a namespace index that nsInfo lacks: ${kind}`,
    );
  }
  if (operation.collation !== undefined) refuseCollation(operation.collation);
  return operate(operation, namespace, run);
}

const OPERATIONS: Readonly<Record<string, RunOperation>> = {
  insert: (operation, namespace, { context }) => {
    refuseUnknownFields(operation, ['insert', 'document'], 'bulkWrite.ops');
    const document = readArguments(operation, 'bulkWrite.ops').document('document');
    const collection = context.state.catalog.findOrCreate(namespace);
    collection.write(() => insertRaw(collection, encodeDocument(document)));
    return { result: { n: 1 }, changes: { nInserted: 1 } };
  },
  update: async (operation, namespace, { command, context }) => {
    refuseUnknownFields(operation, UPDATE_FIELDS, 'bulkWrite.ops');
    const args = readArguments(operation, 'bulkWrite.ops');
    const isMulti = args.flag('multi');
    const statement = {
      filter: args.document('filter'),
      update: args.required('updateMods'),
      isMulti,
      isUpsert: args.flag('upsert'),
      arrayFilters: args.list('arrayFilters'),
      sort: args.document('sort'),
      hint: operation.hint,
    };
    const { catalog } = context.state;
    const deps = { catalog, namespace, pacer: context.pacer, scope: withLet(command, context) };
    const { matched, modified, upsertedId } = await updateDocuments(statement, deps);
    const isUpserted = upsertedId !== undefined;
    return {
      result: {
        n: countReply(matched + Number(isUpserted)),
        nModified: countReply(modified),
        ...(isUpserted && { upserted: { _id: upsertedId } }),
      },
      changes: { nMatched: matched, nModified: modified, nUpserted: Number(isUpserted) },
    };
  },
  delete: async (operation, namespace, { command, context }) => {
    refuseUnknownFields(operation, ['delete', 'filter', 'multi', 'hint', 'collation'], 'bulkWrite.ops');
    const args = readArguments(operation, 'bulkWrite.ops');
    const collection = context.state.catalog.find(namespace);
    if (collection === undefined) return { result: { n: 0 }, changes: {} };
    const statement = { filter: args.document('filter'), hint: operation.hint };
    const deps = { collection, pacer: context.pacer, scope: withLet(command, context) };
    const n = args.flag('multi')
      ? await deleteMany(statement, deps)
      : Number((await deleteOne(statement, deps)) !== undefined);
    return { result: { n: countReply(n) }, changes: { nDeleted: n } };
  },
};

const UPDATE_FIELDS = [
  ...[
    'update',
    'filter',
    'updateMods',
    'multi',
    'upsert',
    'arrayFilters',
    'hint',
    'sort',
    'collation',
    'constants',
  ],
];

function parseNamespace(info: Doc): string {
  const { ns } = info;
  const dot = typeof ns === 'string' ? ns.indexOf('.') : -1;
  if (typeof ns !== 'string' || dot < 1)
    throw commandError('InvalidNamespace', `Invalid namespace specified '${String(ns)}'`);
  return makeNamespace(ns.slice(0, dot), ns.slice(dot + 1));
}

/** The cursor's reply with the totals beside it. */
async function replyWith(results: readonly Doc[], totals: Doc, context: CommandContext): Promise<Buffer> {
  const batchSize = Number.MAX_SAFE_INTEGER;
  const options = { namespace: 'admin.$cmd.bulkWrite', batchSize, isSingleBatch: false, isPatient: false };
  const reply = await openCursor(oneBatch(results), options, context);
  return joinDocument([reply.subarray(4, -1), plainElements(totals)]);
}
