import type { Doc } from '../bson/bson-types.ts';
import { commandError } from '../command-error.ts';
import { compileProjection } from '../query/project.ts';
import { deleteOne } from '../writes/delete-documents.ts';
import { updateDocuments } from '../writes/update-documents.ts';
import { namespaceOf, readArguments } from './arguments.ts';
import type { Command, CommandContext } from './command.ts';

/** https://www.mongodb.com/docs/manual/reference/command/findAndModify/ */
export const findAndModify: Command = {
  fields: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert'],
  isWrite: true,
  run: (command, context) => {
    const args = readArguments(command, 'findAndModify');
    const isRemove = args.flag('remove');
    refuseContradictions(command, isRemove, args.flag('new'), args.flag('upsert'));
    return isRemove ? remove(command, context) : update(command, context);
  },
};

function refuseContradictions(command: Doc, isRemove: boolean, isNew: boolean, isUpsert: boolean): void {
  const refuse = (message: string) => commandError('FailedToParse', message);
  if (isRemove && command.update !== undefined) throw refuse('Cannot specify both an update and remove=true');
  if (isRemove && isUpsert) throw refuse('Cannot specify both upsert=true and remove=true');
  if (isRemove && isNew) {
    throw refuse(
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  }
  if (!isRemove && command.update === undefined)
    throw refuse('Either an update or remove=true must be specified');
}

async function remove(command: Doc, context: CommandContext): Promise<Doc> {
  const args = readArguments(command, 'findAndModify');
  const collection = context.state.catalog.find(namespaceOf(command, context));
  const project = projector(command);
  const statement = { filter: args.document('query'), sort: args.document('sort') };
  const removed = collection && (await deleteOne(statement, { collection, pacer: context.pacer }));
  return { lastErrorObject: { n: removed ? 1 : 0 }, value: removed ? project(removed.document) : null };
}

async function update(command: Doc, context: CommandContext): Promise<Doc> {
  const args = readArguments(command, 'findAndModify');
  const project = projector(command);
  const statement = {
    filter: args.document('query'),
    update: command.update,
    isMulti: false,
    isUpsert: args.flag('upsert'),
    sort: args.document('sort'),
  };
  const { catalog } = context.state;
  const deps = { catalog, namespace: namespaceOf(command, context), pacer: context.pacer };
  const outcome = await updateDocuments(statement, deps);
  const isInserted = outcome.upsertedId !== undefined;
  const shown = args.flag('new') ? outcome.after : outcome.before;
  return {
    lastErrorObject: {
      n: isInserted ? 1 : outcome.matched,
      updatedExisting: outcome.matched > 0,
      ...(isInserted && { upserted: outcome.upsertedId }),
    },
    value: shown === undefined ? null : project(shown),
  };
}

function projector(command: Doc): (document: Doc) => Doc {
  const fields = readArguments(command, 'findAndModify').document('fields');
  return compileProjection(fields) ?? ((document) => document);
}
