import { Long } from 'bson';
import { commandError } from '../../errors/command-error.ts';
import { readArguments } from '../context/arguments.ts';
import type { Command } from '../context/command.ts';
import { cursorReply } from '../context/cursor-reply.ts';
import { makeNamespace, namespaceOf } from '../context/namespace.ts';

/** https://www.mongodb.com/docs/manual/reference/command/getMore/ */
export const getMore: Command = {
  fields: ['collection', 'batchSize', 'term', 'lastKnownCommittedOpTime'],
  run: async (command, { state, database }) => {
    const args = readArguments(command, 'getMore');
    const id = command.getMore;
    if (!(id instanceof Long))
      throw commandError(
        'TypeMismatch',
        "BSON field 'getMore.getMore' is the wrong type, expected type 'long'",
      );
    const collection = args.text('collection');
    const namespace = collection.startsWith('$cmd.')
      ? `${database}.${collection}`
      : makeNamespace(database, collection);
    const batchSize = args.natural('batchSize') ?? 0;
    const { documents, isDone } = await state.cursors.use(id, namespace, async (cursor) => {
      try {
        return await cursor.next(batchSize);
      } catch (error) {
        state.cursors.kill(id);
        throw error;
      }
    });
    if (isDone) state.cursors.kill(id);
    return cursorReply('nextBatch', documents, isDone ? Long.ZERO : id, namespace);
  },
};

/** https://www.mongodb.com/docs/manual/reference/command/killCursors/ */
export const killCursors: Command = {
  fields: ['cursors'],
  run: (command, context) => {
    const namespace = namespaceOf(command, context);
    const ids = readArguments(command, 'killCursors')
      .list('cursors')
      .filter((id) => id instanceof Long);
    const cursorsKilled = ids.filter((id) => context.state.cursors.kill(id, namespace));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  },
};
