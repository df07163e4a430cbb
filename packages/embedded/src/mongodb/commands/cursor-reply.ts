import { Long } from 'bson';
import { encodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';
import { joinDocument, plainElements, rawArrayElement, rawElement } from '../bson/raw-document.ts';
import { commandError } from '../command-error.ts';
import { createBatchedCursor } from '../cursors.ts';
import { makeNamespace, namespaceOf, readArguments } from './arguments.ts';
import type { Command, CommandContext } from './command.ts';

/** A reply with a batch of documents and the id of the cursor over the remaining ones (0 when none remain). */
function cursorReply(
  batchName: 'firstBatch' | 'nextBatch',
  documents: readonly Buffer[],
  id: Long,
  namespace: string,
): Buffer {
  const cursor = joinDocument([rawArrayElement(batchName, documents), plainElements({ id, ns: namespace })]);
  return joinDocument([rawElement('cursor', cursor), OK]);
}

const OK = plainElements({ ok: 1 });

interface CursorOptions {
  readonly namespace: string;
  readonly batchSize: number | undefined;
  readonly isSingleBatch?: boolean;
}

/** Replies with the first batch of a result and keeps the remainder for `getMore`. */
export async function openCursor(
  source: AsyncGenerator<Buffer[], void, void>,
  options: CursorOptions,
  { pacer, state }: CommandContext,
): Promise<Buffer> {
  const { namespace } = options;
  const cursor = createBatchedCursor(state.cursors.newId(), namespace, source, pacer);
  const { documents, isDone } = await cursor.first(options.batchSize);
  if (isDone || options.isSingleBatch) {
    if (!isDone) await cursor.close();
    return cursorReply('firstBatch', documents, Long.ZERO, namespace);
  }
  state.cursors.add(cursor);
  return cursorReply('firstBatch', documents, cursor.id, namespace);
}

/** Makes a cursor's source from a complete list of documents. */
export async function* oneBatch(documents: readonly Doc[]): AsyncGenerator<Buffer[], void, void> {
  yield documents.map(encodeDocument);
}

/** https://www.mongodb.com/docs/manual/reference/command/getMore/ */
export const getMore: Command = {
  fields: ['collection', 'batchSize'],
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
