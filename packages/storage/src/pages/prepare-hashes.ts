import type { mongo } from 'mongoose';
import type { DriverCollection } from '../document-schema.ts';
import { hostHashOf } from './host-share.ts';
import type { PageDocument } from './page-model.ts';
import { UNFINISHED } from './page-queries.ts';

/**
 * Index of the waiting pages of one job by the hash of their host, so that each of several planners reads its own. An
 * installation with one planner does not have it.
 */
const BY_HASH: mongo.IndexDescription = {
  key: { jobId: 1, hostHash: 1, 'crawled.depth': 1, index: 1 },
  name: 'waiting_by_host_hash',
  partialFilterExpression: { state: 'waiting' },
};
const PAGES_PER_STEP = 1000;

/**
 * Prepares the pages for several planners: builds the index, and stores the hash of the host with unfinished pages of earlier
 * versions. It can be repeated, and several processes may do it at once.
 */
export async function prepareHashes(pages: DriverCollection<PageDocument>): Promise<void> {
  await pages.createIndexes([BY_HASH]);
  const old = pages.find(
    { state: { $in: [...UNFINISHED] }, hostHash: { $exists: false } },
    { projection: { host: 1 }, batchSize: PAGES_PER_STEP },
  );
  let updates: mongo.AnyBulkWriteOperation<PageDocument>[] = [];
  const flush = async () => {
    if (updates.length > 0) await pages.bulkWrite(updates, { ordered: false });
    updates = [];
  };
  for await (const { _id, host } of old) {
    updates.push({ updateOne: { filter: { _id }, update: { $set: { hostHash: hostHashOf(host) } } } });
    if (updates.length >= PAGES_PER_STEP) await flush();
  }
  await flush();
}
