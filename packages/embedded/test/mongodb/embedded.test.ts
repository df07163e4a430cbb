import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Db, Decimal128, Long, MongoClient } from 'mongodb';
import { startMongoServer } from '../../src/index.ts';

describe('the embedded MongoDB server', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof startMongoServer>>;
  let client: MongoClient;
  let database: Db;
  let now: Date;

  const start = async (ttlIntervalMs?: number) => {
    const options = { dataDir: folder, clock: () => now, ...(ttlIntervalMs && { ttlIntervalMs }) };
    server = await startMongoServer(options);
    client = await MongoClient.connect(server.uri);
    database = client.db('test');
  };

  const stop = async () => {
    await client.close();
    await server.close();
  };

  beforeEach(async () => {
    now = new Date();
    folder = await mkdtemp(join(tmpdir(), 'gleaner-mongodb-'));
  });

  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  it('keeps documents, indexes and what indexes know about arrays over a restart', async () => {
    await start();
    await database.collection('c').createIndex({ a: 1, b: 1 }, { unique: true });
    await database.collection('c').insertMany([
      { a: [1, 2], b: 1 },
      { a: 3, b: 2 },
    ]);
    await stop();
    await start();
    expect(
      await database
        .collection('c')
        .find({ a: { $gte: 1, $lte: 2 } })
        .toArray(),
    ).toHaveLength(1);
    await expect(database.collection('c').insertOne({ a: 2, b: 1 })).rejects.toMatchObject({ code: 11000 });
    await database.collection('c').insertOne({ a: 9, b: 9 });
    expect((await database.collection('c').find().toArray()).map(({ b }) => b)).toEqual([1, 2, 9]);
  });

  it('ends for a client that is connected, and may be closed twice', async () => {
    await start();
    await database.collection('c').insertOne({});
    await Promise.all([server.close(), server.close()]);
    await expect(client.db('test').command({ ping: 1 }, { timeoutMS: 300 })).rejects.toThrow();
  });

  it('refuses to start on a port that is taken', async () => {
    await start();
    const port = Number(new URL(server.uri).port);
    const other = join(folder, 'other');
    await expect(startMongoServer({ dataDir: other, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('deletes what has expired, by the earliest date of an array, and nothing without a date', async () => {
    await start(5);
    const collection = database.collection<{ _id: string; at?: unknown; on?: boolean }>('c');
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    await collection.insertMany([
      { _id: 'old', at: at(0) },
      { _id: 'array', at: [at(500), at(0)] },
      { _id: 'young', at: at(500) },
      { _id: 'number', at: 5 },
      { _id: 'none' },
    ]);
    const expectLeft = async (...ids: string[]) =>
      expect((await collection.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(ids);
    now = at(61);
    await eventually(() => expectLeft('none', 'number', 'young'));
    now = at(500);
    await eventually(() => expectLeft('none', 'number'));
  });

  it('serves many connections at once', async () => {
    await start();
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const own = await MongoClient.connect(server.uri);
        await own.db('test').collection('c').insertOne({ n });
        await own.close();
      }),
    );
    expect(await database.collection('c').countDocuments()).toBe(60);
  });

  it('counts by its keys, many of them at once, what an index tells', async () => {
    await start();
    const collection = database.collection('c');
    await collection.createIndex({ state: 1, n: 1 });
    const documents = Array.from({ length: 20_001 }, (_, n) => ({ state: n < 20_000 ? 'a' : 'b', n }));
    await collection.insertMany(documents);
    expect(await collection.countDocuments({ state: 'a' })).toBe(20_000);
    expect(await collection.countDocuments({ state: { $in: ['a', 'b'] } })).toBe(20_001);
  });

  it('lists the newest of many without reading the rest, whatever their states may be', async () => {
    await start();
    const collection = database.collection('c');
    await collection.createIndexes([
      { key: { owner: 1, state: 1, _id: -1 } },
      { key: { owner: 1, _id: -1 } },
    ]);
    const documents = Array.from({ length: 300 }, (_, n) => ({ _id: n, owner: 'o', state: `s${n % 3}` }));
    await collection.insertMany(documents as never);
    const newest = collection.find({ owner: 'o', state: { $in: ['s0', 's1', 's2'] } }).sort({ _id: -1 });
    expect(JSON.stringify(await newest.explain())).not.toContain('"SORT"');
    expect((await newest.limit(2).toArray()).map(({ _id }) => Number(_id))).toEqual([299, 298]);
  });

  it('lets short work pass while a long scan runs', async () => {
    await start();
    await database.collection('big').insertMany(Array.from({ length: 20_000 }, (_, n) => ({ n })));
    let isScanning = true;
    const scan = database
      .collection('big')
      .countDocuments({ none: 1 })
      .finally(() => {
        isScanning = false;
      });
    await database.command({ ping: 1 });
    expect(isScanning).toBe(true);
    expect(await scan).toBe(0);
  });

  it.each([
    ['a text index', (db: Db) => db.collection('c').createIndex({ a: 'text' }), 67],
    ['a wildcard index', (db: Db) => db.collection('c').createIndex({ '$**': 1 }), 67],
    [
      'a partial index of a range',
      (db: Db) => db.collection('c').createIndex({ a: 1 }, { partialFilterExpression: { a: { $gt: 1 } } }),
      67,
    ],
    [
      'an index with a collation',
      (db: Db) => db.collection('c').createIndex({ a: 1 }, { collation: { locale: 'en' } }),
      197,
    ],
    ['a hint', (db: Db) => db.collection('c').findOne({}, { hint: 'a_1' }), 40415],
    ['distinct', (db: Db) => db.collection('c').distinct('a'), 59],
    [
      'the type decimal in a filter',
      (db: Db) => db.collection('c').findOne({ a: Decimal128.fromString('1') }),
      238,
    ],
    [
      'a projection of what matched',
      (db: Db) => db.collection('c').findOne({}, { projection: { 'a.$': 1 } }),
      238,
    ],
    [
      'a change of every element',
      (db: Db) => db.collection('c').updateOne({}, { $set: { 'a.$[]': 1 } }),
      238,
    ],
    ['a replacement', (db: Db) => db.collection('c').replaceOne({}, { a: 1 }), 238],
    ['$rename', (db: Db) => db.collection('c').updateOne({}, { $rename: { a: 'b' } }), 9],
    [
      '$position',
      (db: Db) => db.collection('c').updateOne({}, { $push: { a: { $each: [1], $position: 0 } } } as never),
      2,
    ],
    ['$where', (db: Db) => db.collection('c').findOne({ $where: 'true' }), 2],
    ['$near', (db: Db) => db.collection('c').findOne({ a: { $near: [0, 0] } }), 2],
    [
      '$function',
      (db: Db) =>
        db
          .collection('c')
          .aggregate([{ $project: { a: { $function: {} } } }])
          .toArray(),
      168,
    ],
    [
      'a change stream',
      (db: Db) =>
        db
          .collection('c')
          .aggregate([{ $changeStream: {} }])
          .toArray(),
      40324,
    ],
    ['a capped collection', (db: Db) => db.createCollection('d', { capped: true, size: 1000 }), 59],
    ['snapshot reads', (db: Db) => db.command({ find: 'c', readConcern: { level: 'snapshot' } }), 72],
    ['reads after a time', (db: Db) => db.command({ find: 'c', readConcern: { afterClusterTime: 1 } }), 72],
    ['a filter by binary data', (db: Db) => db.collection('c').findOne({ a: Buffer.from('a') }), 238],
    ['a filter by a pattern of its own type', (db: Db) => db.collection('c').findOne({ a: /^a/ }), 238],
    [
      'an integer over 2^53 in an index',
      (db: Db) => db.collection<{ _id: Long }>('c').insertOne({ _id: Long.fromString('9007199254740993') }),
      238,
    ],
    [
      'an array with a gap',
      async (db: Db) => {
        await db.collection('gap').insertOne({ a: [1] });
        await db.collection('gap').updateOne({}, { $set: { 'a.3': 1 } });
      },
      238,
    ],
    [
      'a sort by keys that are cut',
      async (db: Db) => {
        await db.collection('long').createIndex({ a: 1 });
        await db.collection('long').insertOne({ a: 'x'.repeat(3000) });
        await db.collection('long').find().sort({ a: 1 }).toArray();
      },
      238,
    ],
    ['mapReduce', (db: Db) => db.command({ mapReduce: 'c' }), 59],
  ])('refuses %s, by name and code', async (_name, attempt, code) => {
    await start();
    await expect(attempt(database)).rejects.toMatchObject({ code });
  });

  it('refuses transactions as a standalone does, which the driver knows', async () => {
    await start();
    const session = client.startSession();
    session.startTransaction();
    const attempt = database.collection('c').insertOne({}, { session });
    await expect(attempt).rejects.toThrow('does not support retryable writes');
    await session.endSession();
  });
});
