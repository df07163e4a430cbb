import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe } from '@jest/globals';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { describeAggregation } from './conformance/aggregation.ts';
import { describeBsonTypes } from './conformance/bson-types.ts';
import { describeBulkWrites } from './conformance/bulk-writes.ts';
import { describeCollections } from './conformance/collections.ts';
import { describeCursors } from './conformance/cursors.ts';
import { describeErrors } from './conformance/errors.ts';
import { describeFindAndModify } from './conformance/find-and-modify.ts';
import { describeGridFs } from './conformance/grid-fs.ts';
import { describeIndexes } from './conformance/indexes.ts';
import { describeInserts } from './conformance/inserts.ts';
import { describeMongoose } from './conformance/mongoose.ts';
import { describeProjections } from './conformance/projections.ts';
import { describeQueries } from './conformance/queries.ts';
import { describeQueryPlans } from './conformance/query-plans.ts';
import { describeSorts } from './conformance/sorts.ts';
import { describeUpdates } from './conformance/updates.ts';

/** A document of a test; its shape is the test's own affair. */
// biome-ignore lint/suspicious/noExplicitAny: the driver's own default for documents
export type TestDoc = Record<string, any>;

/** Fixture of each test: the database of its suite and an empty collection. */
export interface TestBed {
  readonly client: MongoClient;
  readonly database: Db;
  readonly collection: Collection<TestDoc>;
  readonly uri: string;
}

/** Every promise that MongoDB's manual makes and our stores rely on, checked through the official driver alone. */
export function describeMongoConformance(uri: () => string): void {
  describe('as the manual has it', () => {
    let client: MongoClient;
    let database: Db;
    let collection: Collection<TestDoc>;

    beforeAll(async () => {
      client = await MongoClient.connect(uri());
      database = client.db(`conformance-${randomUUID().slice(0, 8)}`);
    });

    beforeEach(() => {
      collection = database.collection<TestDoc>(`c${randomUUID().slice(0, 8)}`);
    });

    afterAll(async () => {
      await database.dropDatabase();
      await client.close();
    });

    const bed = (): TestBed => ({ client, database, collection, uri: uri() });
    describeInserts(bed);
    describeQueries(bed);
    describeProjections(bed);
    describeSorts(bed);
    describeUpdates(bed);
    describeFindAndModify(bed);
    describeBulkWrites(bed);
    describeIndexes(bed);
    describeQueryPlans(bed);
    describeCursors(bed);
    describeAggregation(bed);
    describeBsonTypes(bed);
    describeCollections(bed);
    describeErrors(bed);
    describeGridFs(bed);
    describeMongoose(bed);
  });
}
