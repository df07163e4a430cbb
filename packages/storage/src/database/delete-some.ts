import type { mongo } from 'mongoose';

/** Deletes up to this many of the documents; returns their number. Documents of any number are deleted by repeating it. */
export async function deleteSome<Document extends { readonly _id: string }>(
  collection: mongo.Collection<Document>,
  filter: mongo.Filter<Document>,
  most: number,
): Promise<number> {
  const found = await collection
    .find(filter, { projection: { _id: 1 } })
    .limit(most)
    .toArray();
  if (found.length === 0) return 0;
  const ids = found.map(({ _id }) => _id);
  await collection.deleteMany({ _id: { $in: ids } } as unknown as mongo.Filter<Document>);
  return ids.length;
}
