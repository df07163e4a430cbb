import { Long } from 'bson';
import { joinDocument, plainElements, rawArrayElement, rawElement } from '../bson/raw-document.ts';
import { createBatchedCursor } from '../cursors/batched-cursor.ts';
import type { CommandContext } from './command.ts';

/** A reply with a batch of documents and the id of the cursor that has the rest (0 when there is none). */
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

/** Answers with the first batch of a result, and keeps what is left for `getMore`. */
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
