import { encodeDocument } from '../bson/bson-codec.ts';
import { type Doc, isDocument, typeName, typeOf } from '../bson/bson-types.ts';
import { commandError, writeError } from '../command-error.ts';
import { deleteMany, deleteOne } from '../writes/delete-documents.ts';
import { insertRaw } from '../writes/insert-document.ts';
import { type UpdateStatement, updateDocuments } from '../writes/update-documents.ts';
import { writeInTurns } from '../writes/write-in-turns.ts';
import {
  checkBatchSize,
  countReply,
  namespaceOf,
  readArguments,
  refuseUnknownFields,
  statementsOf,
} from './arguments.ts';
import type { Command, CommandContext } from './command.ts';

/** https://www.mongodb.com/docs/manual/reference/command/insert/ */
export const insert: Command = {
  fields: ['documents', 'ordered'],
  isWrite: true,
  run: async (command, context) => {
    const namespace = namespaceOf(command, context);
    const documents = documentsOf(command, context);
    checkBatchSize(documents.length);
    const isOrdered = readIsOrdered(command, context);
    const collection = context.state.catalog.findOrCreate(namespace);
    const writeErrors: Doc[] = [];
    let inserted = 0;
    await writeInTurns(documents, { collection, pacer: context.pacer }, (document, index) => {
      try {
        insertRaw(collection, document);
        inserted++;
        return true;
      } catch (error) {
        writeErrors.push(writeError(index, error));
        return !isOrdered;
      }
    });
    return { n: countReply(inserted), ...(writeErrors.length > 0 && { writeErrors }) };
  },
};

function documentsOf(command: Doc, context: CommandContext): readonly Buffer[] {
  const sequence = context.sequences.get('documents');
  if (sequence !== undefined) return sequence;
  readArguments(command, 'insert').required('documents');
  return readArguments(command, 'insert')
    .list('documents')
    .map((document, i) => {
      if (isDocument(document)) return encodeDocument(document);
      throw commandError(
        'TypeMismatch',
        `BSON field 'insert.documents.${i}' is the wrong type '${typeName(typeOf(document))}', expected type 'object'`,
      );
    });
}

/** https://www.mongodb.com/docs/manual/reference/command/update/ */
export const update: Command = {
  fields: ['updates', 'ordered'],
  isWrite: true,
  run: async (command, context) => {
    const namespace = namespaceOf(command, context);
    const statements = statementsOf(command, 'updates', context);
    checkBatchSize(statements.length);
    const parsed = statements.map(parseUpdate);
    const isOrdered = readIsOrdered(command, context);
    const { catalog } = context.state;
    const deps = { catalog, namespace, pacer: context.pacer };
    const upserted: Doc[] = [];
    const writeErrors: Doc[] = [];
    let n = 0;
    let nModified = 0;
    for (const [index, statement] of parsed.entries()) {
      if (context.pacer.isTurnOver) await context.pacer.nextTurn();
      try {
        const { matched, modified, upsertedId } = await updateDocuments(statement, deps);
        n += matched;
        nModified += modified;
        if (upsertedId !== undefined) {
          n++;
          upserted.push({ index, _id: upsertedId });
        }
      } catch (error) {
        writeErrors.push(writeError(index, error));
        if (isOrdered) break;
      }
    }
    return {
      n: countReply(n),
      nModified: countReply(nModified),
      ...(upserted.length > 0 && { upserted }),
      ...(writeErrors.length > 0 && { writeErrors }),
    };
  },
};

function parseUpdate(statement: Doc): UpdateStatement {
  refuseUnknownFields(statement, ['q', 'u', 'multi', 'upsert'], 'update.updates');
  const args = readArguments(statement, 'update.updates');
  args.required('q');
  return {
    filter: args.document('q'),
    update: args.required('u'),
    isMulti: args.flag('multi'),
    isUpsert: args.flag('upsert'),
    sort: {},
  };
}

/** https://www.mongodb.com/docs/manual/reference/command/delete/ */
export const deleteCommand: Command = {
  fields: ['deletes', 'ordered'],
  isWrite: true,
  run: async (command, context) => {
    const collection = context.state.catalog.find(namespaceOf(command, context));
    const statements = statementsOf(command, 'deletes', context);
    checkBatchSize(statements.length);
    const parsed = statements.map(parseDelete);
    const isOrdered = readIsOrdered(command, context);
    const writeErrors: Doc[] = [];
    let n = 0;
    for (const [index, statement] of parsed.entries()) {
      try {
        const { filter, isSingle } = statement;
        if (collection === undefined) continue;
        const deps = { collection, pacer: context.pacer };
        n += isSingle
          ? Number((await deleteOne({ filter }, deps)) !== undefined)
          : await deleteMany({ filter }, deps);
      } catch (error) {
        writeErrors.push(writeError(index, error));
        if (isOrdered) break;
      }
    }
    return { n: countReply(n), ...(writeErrors.length > 0 && { writeErrors }) };
  },
};

function parseDelete(statement: Doc) {
  refuseUnknownFields(statement, ['q', 'limit'], 'delete.deletes');
  const args = readArguments(statement, 'delete.deletes');
  args.required('q');
  args.required('limit');
  const limit = args.number('limit');
  if (limit !== 0 && limit !== 1) {
    throw commandError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${limit}`);
  }
  return { filter: args.document('q'), isSingle: limit === 1 };
}

/** Returns whether the command ends at its first error, which is the default. */
function readIsOrdered(command: Doc, { name }: CommandContext): boolean {
  return command.ordered === undefined || readArguments(command, name).flag('ordered');
}
