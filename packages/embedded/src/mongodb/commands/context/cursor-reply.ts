import { Long } from 'bson';
import { encodeDocument } from '../../bson/bson-codec.ts';
import type { Doc } from '../../bson/bson-types.ts';
import { joinDocument, plainElements, rawArrayElement, rawElement } from '../../bson/raw-document.ts';
import { createBatchedCursor } from '../../cursors/batched-cursor.ts';
import type { CommandContext } from './command.ts';

/** A reply with a batch of documents and the id of the cursor over the remaining ones (0 when none remain). */
export function cursorReply(
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
  readonly isSingleBatch: boolean;
  readonly isPatient: boolean;
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
  state.cursors.add(cursor, options.isPatient);
  return cursorReply('firstBatch', documents, cursor.id, namespace);
}

/** Makes a cursor's source from a complete list of documents. */
export async function* oneBatch(documents: readonly Doc[]): AsyncGenerator<Buffer[], void, void> {
  yield documents.map(encodeDocument);
}
