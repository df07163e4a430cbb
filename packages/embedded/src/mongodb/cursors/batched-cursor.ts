import type { Long } from 'bson';
import type { Pacer } from '../query/pacer.ts';
import type { OpenCursor } from './cursor-registry.ts';

/** "The initial batch is 101 documents", later ones are bounded by size alone. */
const FIRST_BATCH_SIZE = 101;

/** A reply's documents stay within the 16 MiB of a BSON document; a larger one is sent alone. */
const MOST_BATCH_BYTES = 16 * 1024 * 1024 - 16 * 1024;

/** Turns batches of encoded documents into batches of the sizes that a client asks for. */
export function createBatchedCursor(
  id: Long,
  namespace: string,
  source: AsyncGenerator<Buffer[], void, void>,
  pacer: Pacer,
): OpenCursor & { first(batchSize: number | undefined): Promise<{ documents: Buffer[]; isDone: boolean }> } {
  let ahead: Buffer[] = [];
  let at = 0;
  let isExhausted = false;

  const fill = async () => {
    while (at === ahead.length && !isExhausted) {
      const { value, done } = await source.next();
      ahead = value ?? [];
      at = 0;
      isExhausted = done === true;
    }
    return at < ahead.length;
  };

  const take = async (count: number) => {
    const documents: Buffer[] = [];
    let bytes = 0;
    while (documents.length < count && (await fill())) {
      const next = ahead[at] as Buffer;
      if (documents.length > 0 && bytes + next.length > MOST_BATCH_BYTES) return { documents, isDone: false };
      documents.push(next);
      bytes += next.length;
      at++;
    }
    return { documents, isDone: count > 0 && !(await fill()) };
  };

  const takeInTime = async (count: number) => {
    pacer.resume();
    try {
      return await take(count);
    } finally {
      pacer.suspend();
    }
  };

  return {
    id,
    namespace,
    first: (batchSize) => takeInTime(batchSize ?? FIRST_BATCH_SIZE),
    next: (batchSize) => takeInTime(batchSize === 0 ? Number.POSITIVE_INFINITY : batchSize),
    close: async () => {
      await source.return();
    },
  };
}
