import { createHash } from 'node:crypto';
import mongoose, { type mongo } from 'mongoose';
import type { AccountDocument } from '../accounts/account-model.ts';
import type { Database } from '../connect-database.ts';
import type { ChargeDocument } from '../credits/charge-model.ts';
import { readSchemaVersion } from '../migrations/schema-version.ts';
import { type ArchiveHeader, type CollectionSummary, FORMAT, orderCollections } from './archive.ts';

/** Keeps the types of BSON that JavaScript does not have. */
const EXACT = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;
const BATCH = 50;
const { EJSON } = mongoose.mongo.BSON;

/** Reads the database as the lines of an archive; services may run at the same time. */
export async function* createArchive({
  models,
  clock,
}: Pick<Database, 'models' | 'clock'>): AsyncGenerator<string> {
  const db = models.jobs.db.getClient().db(models.jobs.db.name);
  const header: ArchiveHeader = {
    archive: 'gleaner',
    format: FORMAT,
    schemaVersion: await readSchemaVersion(db),
    createdAt: clock.now().toISOString(),
  };
  yield JSON.stringify(header);
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const collections: Record<string, CollectionSummary> = {};
  const holds: AccountHolds = new Map();
  for (const name of orderCollections(names)) {
    yield JSON.stringify({ collection: name });
    const hash = createHash('sha256');
    let documents = 0;
    for await (const document of readCollection(db, name, { holds, clock })) {
      const line = EJSON.stringify(document, { relaxed: false });
      hash.update(line).update('\n');
      documents += 1;
      yield line;
    }
    collections[name] = { documents, sha256: hash.digest('hex') };
  }
  yield JSON.stringify({ manifest: { collections } });
}

async function* readCollection(
  db: mongo.Db,
  name: string,
  { holds, clock }: HoldsAt,
): AsyncGenerator<mongo.Document> {
  if (name === 'accounts') return yield* readAccounts(db, { holds, clock });
  for await (const document of db
    .collection(name)
    .find({}, { ...EXACT, batchSize: BATCH })
    .sort({ _id: 1 })) {
    if (name !== 'charges' || isKnown(document, holds)) yield document;
  }
}

/** Operations that each account with a balance holds credits for, and the time when they were read. */
type AccountHolds = Map<string, { readonly readAtMs: number; readonly operationIds: ReadonlySet<string> }>;

interface HoldsAt extends Pick<Database, 'clock'> {
  readonly holds: AccountHolds;
}

/** Reads accounts one by one, since the charges have to match the moment at which each was read. */
async function* readAccounts(db: mongo.Db, { holds, clock }: HoldsAt): AsyncGenerator<mongo.Document> {
  const accounts = db.collection<AccountDocument>('accounts');
  for await (const { _id } of accounts.find({}, { projection: { _id: 1 } }).sort({ _id: 1 })) {
    const document = await accounts.findOne({ _id }, EXACT);
    if (!document) continue;
    if (document.balance !== null) {
      const operationIds = new Set(document.pending.map(({ operationId }) => operationId));
      holds.set(_id, { readAtMs: clock.nowMs(), operationIds });
    }
    yield document;
  }
}

/**
 * Returns whether the account of a charge was read with what the charge cost: the credits were held then, or had been
 * paid. The operation of another charge runs again after a restore, and is charged then.
 */
function isKnown(document: mongo.Document, holds: AccountHolds): boolean {
  const { _id, accountId, at } = document as Pick<ChargeDocument, '_id' | 'accountId' | 'at'>;
  const account = holds.get(accountId);
  return !account || at.getTime() <= account.readAtMs || account.operationIds.has(_id);
}
