import { Long } from 'bson';
import { commandError } from '../errors/command-error.ts';
import { readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { cursorReply } from './cursor-reply.ts';
import { makeNamespace } from './namespace.ts';

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
