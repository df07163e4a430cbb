import { createId, type PackedPage } from '@gleaner/contracts';
import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../models.ts';

/** A page to keep, and how long and how much of such pages. */
export interface NewSnapshot {
  readonly accountId: string;
  readonly page: PackedPage;
  readonly now: Date;
  readonly retentionMs: number;
  /** Bytes that all snapshots of the account may take. */
  readonly quotaBytes: number;
}

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

/** Creates the store of kept pages, which the server deletes when they are too old; only the gateway writes it. */
export function createSnapshotStore({ models }: Pick<Database, 'models'>) {
  const snapshots = driverCollection(models.snapshots);

  /** Deletes the oldest snapshots of an account that are over its quota. */
  async function deleteExcess(accountId: string, quotaBytes: number): Promise<void> {
    const newestFirst = await snapshots
      .find({ accountId })
      .sort({ createdAt: -1 })
      .project<{ _id: string; bytes: number }>({ bytes: 1 })
      .toArray();
    let total = 0;
    const excess = newestFirst.filter(({ bytes }, at) => {
      total += bytes;
      return total > quotaBytes && at > 0;
    });
    if (excess.length === 0) return;
    await snapshots.deleteMany({ _id: { $in: excess.map(({ _id }) => _id) } });
  }

  return guarded({
    /** Keeps a page and returns its id. The oldest snapshots of the account give way when it is over its quota. */
    async insertSnapshot({ accountId, page, now, retentionMs, quotaBytes }: NewSnapshot): Promise<string> {
      const source = Buffer.from(page.source, 'base64');
      const _id = createId('snp');
      await snapshots.insertOne({
        ...{ _id, accountId, source },
        ...{ kind: page.kind, baseUrl: page.baseUrl, bytes: source.length },
        createdAt: now,
        expiresAt: new Date(now.getTime() + retentionMs),
      });
      await deleteExcess(accountId, quotaBytes);
      return _id;
    },

    /** Returns a page of the account that is still kept, or null. */
    async findSnapshot(id: string, accountId: string, now: Date): Promise<PackedPage | null> {
      const found = await snapshots.findOne(
        { _id: id, accountId, expiresAt: { $gt: now } },
        { promoteBuffers: true },
      );
      if (!found) return null;
      const { kind, baseUrl, source } = found;
      return { kind, baseUrl, source: source.toString('base64') };
    },
  });
}
