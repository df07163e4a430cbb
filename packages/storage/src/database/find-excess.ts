import type { mongo } from 'mongoose';

/** A document whose bytes count against the quota of its account. */
interface Quoted {
  readonly _id: string;
  readonly accountId: string;
  readonly bytes: number;
  readonly createdAt: Date;
}

/** Returns the oldest documents of an account that are over its quota, and never its newest one. */
export async function findExcess<Document extends Quoted>(
  collection: mongo.Collection<Document>,
  accountId: string,
  quotaBytes: number,
): Promise<readonly Pick<Quoted, '_id' | 'bytes'>[]> {
  const newestFirst = await collection
    .find({ accountId } as mongo.Filter<Document>)
    .sort({ createdAt: -1 })
    .project<Pick<Quoted, '_id' | 'bytes'>>({ bytes: 1 })
    .toArray();
  let total = 0;
  return newestFirst.filter(({ bytes }, at) => {
    total += bytes;
    return total > quotaBytes && at > 0;
  });
}
