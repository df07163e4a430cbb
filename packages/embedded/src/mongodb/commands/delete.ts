import type { Doc } from '../bson/bson-types.ts';
import { commandError, writeError } from '../command-error.ts';
import { deleteMany, deleteOne } from '../writes/delete-documents.ts';
import {
  checkBatchSize,
  countReply,
  namespaceOf,
  readArguments,
  refuseUnknownFields,
  statementsOf,
} from './arguments.ts';
import type { Command } from './command.ts';

/** https://www.mongodb.com/docs/manual/reference/command/delete/ */
export const deleteCommand: Command = {
  fields: ['deletes', 'ordered'],
  isWrite: true,
  run: async (command, context) => {
    const collection = context.state.catalog.find(namespaceOf(command, context));
    const statements = statementsOf(command, 'deletes', context);
    checkBatchSize(statements.length);
    const parsed = statements.map(parseStatement);
    const isOrdered = command.ordered === undefined || readArguments(command, 'delete').flag('ordered');
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

function parseStatement(statement: Doc) {
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
