import { encodeDocument } from '../bson/bson-codec.ts';
import type { Doc } from '../bson/bson-types.ts';

/** A cursor's source from documents that are all there. */
export async function* oneBatch(documents: readonly Doc[]): AsyncGenerator<Buffer[], void, void> {
  yield documents.map(encodeDocument);
}
