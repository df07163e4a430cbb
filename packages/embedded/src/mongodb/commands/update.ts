import type { Doc } from '../bson/bson-types.ts';
import { commandError, writeError } from '../command-error.ts';
import { type UpdateStatement, updateDocuments } from '../writes/update-documents.ts';
import {
  checkBatchSize,
  countReply,
  namespaceOf,
  readArguments,
  refuseUnknownFields,
  statementsOf,
} from './arguments.ts';
import type { Command } from './command.ts';

/** https://www.mongodb.com/docs/manual/reference/command/update/ */
export const update: Command = {
  fields: ['updates', 'ordered'],
  isWrite: true,
  run: async (command, context) => {
    const namespace = namespaceOf(command, context);
    const statements = statementsOf(command, 'updates', context);
    checkBatchSize(statements.length);
    const parsed = statements.map(parseStatement);
    const isOrdered = command.ordered === undefined || readArguments(command, 'update').flag('ordered');
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

const STATEMENT_FIELDS = ['q', 'u', 'multi', 'upsert', 'arrayFilters'];

function parseStatement(statement: Doc): UpdateStatement {
  refuseUnknownFields(statement, STATEMENT_FIELDS, 'update.updates');
  const args = readArguments(statement, 'update.updates');
  const isMulti = args.flag('multi');
  args.required('q');
  const changes = args.required('u');
  const isReplacement = !Array.isArray(changes) && !Object.keys(changes as Doc)[0]?.startsWith('$');
  if (isMulti && isReplacement) {
    throw commandError('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  return {
    filter: args.document('q'),
    update: changes,
    isMulti,
    isUpsert: args.flag('upsert'),
    arrayFilters: args.list('arrayFilters'),
    sort: {},
  };
}
