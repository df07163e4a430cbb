import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { checkArchive, createArchive, createStores, type Database, restoreArchive } from '../src/index.ts';
import { BACKENDS, type RunningBackend } from './backends.ts';

const { Long, Int32, Double, Decimal128, ObjectId, Binary, BSONRegExp } = mongoose.mongo;

describe.each(BACKENDS)('an archive on $name', ({ start }) => {
  it('brings every document and every type of BSON into an empty database, files included', async () => {
    await withTwo(start, async (from, to) => {
      const db = dbOf(from);
      const odd = {
        _id: new ObjectId(),
        int: new Int32(1),
        double: new Double(1),
        long: Long.fromString('9007199254740993'),
        decimal: Decimal128.fromString('1.10'),
        bytes: new Binary(Buffer.from([0, 255])),
        pattern: new BSONRegExp('a+', 'i'),
        date: new Date('1969-01-01T00:00:00.001Z'),
        'a.b': [null, '\u2028', { $x: 'é' }],
      };
      await db.collection<object>('odd').insertOne(odd, { serializeFunctions: false });
      const bucket = new mongoose.mongo.GridFSBucket(db, { bucketName: 'files' });
      const content = Buffer.alloc(700_000, 'x');
      await new Promise<void>((done, fail) => {
        bucket.openUploadStream('a.png').on('finish', done).on('error', fail).end(content);
      });
      const lines = await linesOf(createArchive(from));
      await restore(lines, to);
      expect((await linesOf(createArchive(to))).slice(1)).toEqual(lines.slice(1));
      const read = { promoteValues: false, bsonRegExp: true };
      expect(await dbOf(to).collection('odd').findOne({}, read)).toEqual(
        await db.collection('odd').findOne({}, read),
      );
      expect(await dbOf(to).collection('files.chunks').countDocuments()).toBe(3);
      const chunks = await dbOf(to).collection('screenshots.chunks').indexes();
      expect(chunks).toContainEqual(expect.objectContaining({ key: { files_id: 1, n: 1 }, unique: true }));
    });
  });

  it('lets pages in flight wait again, and leaves out the roles of processes', async () => {
    await withTwo(start, async (from, to) => {
      const stores = createStores(from);
      const jobId = createId('job');
      const pages = [0, 1].map((index) => ({ index, url: `http://a.test/${index}`, host: 'a.test' }));
      await stores.pages.insertPages(jobId, pages, new Date(Date.now() + 3_600_000));
      const [first] = await stores.pages.findWaiting([jobId], {
        limit: 1,
        dueBy: new Date(),
        exceptHosts: [],
      });
      await stores.pages.claim([first?.id ?? ''], new Date(Date.now() + 60_000));
      await stores.leases.acquire({ role: 'dispatch', owner: 'a', leaseMs: 60_000 });
      await restore(await linesOf(createArchive(from)), to);
      const restored = createStores(to);
      const counts = await restored.pages.countPages(jobId);
      expect([counts.waiting, counts.running]).toEqual([2, 0]);
      expect(await to.models.leases.countDocuments()).toBe(0);
    });
  });

  it('leaves out the charge of a hold that its account was read before', async () => {
    await withTwo(start, async (from, to) => {
      const stores = createStores(from);
      await stores.accounts.ensureAccount({ id: 'acc_1', name: 'Limited', balance: 100 });
      const charge = async (operationId: string) => {
        const account = { id: 'acc_1', balance: 100 };
        const [now, expiresAt] = [new Date(), new Date(Date.now() + 60_000)];
        const reservation = await stores.credits.reserve({
          account,
          operationId,
          credits: 5,
          now,
          expiresAt,
        });
        const settlement = {
          keyId: 'key_1',
          operation: 'page',
          breakdown: { base: 1 },
          at: new Date(),
        } as const;
        await stores.credits.settle(reservation, settlement);
      };
      await charge('before');
      const lines: string[] = [];
      for await (const line of createArchive(from)) {
        lines.push(line);
        // The account has been read, and the charges have not.
        if (line === '{"collection":"charges"}') {
          await new Promise((done) => setTimeout(done, 5));
          await charge('after');
        }
      }
      await restore(lines, to);
      const charges = await to.models.charges.find().lean();
      expect(charges.map(({ _id }) => _id)).toEqual(['before']);
      const account = await createStores(to).accounts.findAccount('acc_1');
      expect(account?.balance).toBe(99);
    });
  });

  it('announces again what may have been in the broker', async () => {
    await withTwo(start, async (from, to) => {
      const jobs = dbOf(from).collection<object>('jobs');
      const quiet = {
        accountId: 'acc_1',
        status: 'completed',
        completedAt: new Date(),
        events: [],
      };
      const finished = { ...quiet, webhookJson: '{}' };
      await jobs.insertMany([
        { ...finished, _id: 'job_sent' },
        { ...finished, _id: 'job_unsent' },
        { ...finished, _id: 'job_old', completedAt: new Date('2020-01-01') },
        { _id: 'job_quiet', ...quiet },
      ] as object[]);
      await dbOf(from)
        .collection<object>('deliveries')
        .insertOne({
          _id: 'del_1',
          accountId: 'acc_1',
          jobId: 'job_sent',
          type: 'job.completed',
          eventId: 'evt_1',
          endpoint: 'e',
        } as object);
      await restore(await linesOf(createArchive(from)), to);
      const announced = await to.models.jobs.find({ 'events.0': { $exists: true } }).lean();
      expect(announced.map(({ _id, events }) => [_id, events[0]?.type])).toEqual([
        ['job_unsent', 'job.completed'],
      ]);
    });
  });

  it('repeats the events of batches that have no delivery, and batches the pages of later ones again', async () => {
    await withTwo(start, async (from, to) => {
      const stores = createStores(from);
      const jobId = createId('job');
      const at = new Date();
      const job = { id: jobId, accountId: 'acc_1', keyId: null, name: 'A job', totalUrls: 3, createdAt: at };
      await stores.jobs.insertDraft({ ...job, optionsJson: '{}', resultBatches: { count: 0, last: [] } });
      const expiresAt = new Date(at.getTime() + 3_600_000);
      const pages = [0, 1, 2].map((index) => ({ index, url: `http://a.test/${index}`, host: 'a.test' }));
      await stores.pages.insertPagesOfJobs([{ jobId, pages, isBatched: true }], expiresAt);
      await stores.jobs.publishDrafts([jobId]);
      for (const index of [0, 1]) {
        const event = { id: `evt_${index}`, type: 'job.pages' as const, at, batch: index + 1 };
        await stores.jobs.addBatch(jobId, { number: index + 1, indexes: [index], event });
        await stores.pages.markBatch(jobId, [index], index + 1);
      }
      await stores.jobs.confirmEvents(jobId, ['evt_0', 'evt_1']);
      await stores.deliveries.insertDelivery({
        id: 'del_1',
        accountId: 'acc_1',
        eventId: 'evt_0',
        type: 'job.pages',
        jobId,
        batch: 1,
        url: 'https://hooks.test/',
        body: '{}',
        createdAt: at,
        expiresAt,
      });
      // As if another batch had been made while the archive was read.
      await stores.pages.markBatch(jobId, [2], 3);
      await restore(await linesOf(createArchive(from)), to);
      const restored = createStores(to);
      const [stored] = await restored.jobs.findJobs([jobId]);
      expect(stored?.events).toMatchObject([{ type: 'job.pages', batch: 2 }]);
      const batches = await Promise.all([0, 1, 2].map((batch) => restored.pages.findBatch(jobId, batch)));
      expect(batches.map((batch) => batch.map(({ index }) => index))).toEqual([[2], [0], [1]]);
    });
  });

  it('looks for the deliveries of each job in an index, which leads to no others', async () => {
    await withTwo(start, async (from, _to, target) => {
      const jobs = Array.from({ length: 5 }, (_, index) => ({
        _id: `job_${index}`,
        accountId: 'acc_1',
        status: 'completed',
        completedAt: new Date(),
        events: [],
        webhookJson: '{}',
        resultBatches: { count: 1, last: [] },
      }));
      const deliveries = jobs.flatMap(({ _id: jobId, accountId }) =>
        ['job.completed', 'job.pages'].map((type) => {
          const id = `${jobId} ${type}`;
          return { _id: id, accountId, jobId, type, batch: 1, eventId: id, endpoint: 'e' };
        }),
      );
      await dbOf(from).collection<{ _id: string }>('jobs').insertMany(jobs);
      await dbOf(from).collection<{ _id: string }>('deliveries').insertMany(deliveries);
      const { database, commands } = await target.connectWatched();
      await restore(await linesOf(createArchive(from)), database);
      const reads = commands.flatMap(({ command: { find, filter } }) =>
        find === 'deliveries' && 'type' in filter ? [filter] : [],
      );
      expect(reads).toHaveLength(deliveries.length);
      for (const filter of reads) {
        const plan = await dbOf(database).collection('deliveries').find(filter).explain('executionStats');
        expect(plan.executionStats.totalDocsExamined).toBeLessThanOrEqual(2);
      }
    });
  });

  it('is refused when it is not whole, and by a database that is not empty', async () => {
    await withTwo(start, async (from) => {
      await createStores(from).accounts.ensureAccount({ id: 'acc_1', name: 'One', balance: 7 });
      const lines = await linesOf(createArchive(from));
      await expect(restore(lines, from)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: 'The database is not empty: it has documents in accounts.',
      });
      const place = lines.findIndex((line) => line.includes('"acc_1"'));
      const changed = lines.with(place, lines[place]?.replace('"7"', '"8"') ?? '');
      for (const [damaged, why] of [
        [changed, 'The documents of accounts have changed.'],
        [lines.toSpliced(place, 1), 'accounts has 0 documents, not 1.'],
        [lines.slice(0, -1), 'Its end is missing.'],
        [['{"archive":"other"}'], 'It does not begin as one.'],
        [lines.toSpliced(1, 0, '{"collection":"leases"}'), 'No archive has the collection leases.'],
        [['nonsense'], 'A line is not JSON: nonsense'],
        [lines.with(0, lines[0]?.replace(/"schemaVersion":\d+/, '"schemaVersion":999') ?? ''), 'knows'],
      ] as const) {
        await expect(checkArchive(asLines(damaged))).rejects.toThrow(why);
      }
      for (const damaged of [lines.toSpliced(1, 0, ''), [...lines, '']])
        await expect(checkArchive(asLines(damaged))).rejects.toThrow('It has an empty line.');
      const { collections } = await checkArchive(asLines(lines));
      expect(collections.accounts?.documents).toBe(1);
    });
  });
});

describe.each(BACKENDS)('a restore that fails on $name', ({ start }) => {
  it('removes what it has written, and nothing that was there', async () => {
    await withTwo(start, async (from, to) => {
      await createStores(from).accounts.ensureAccount({ id: 'acc_1', name: 'One', balance: 7 });
      await dbOf(from).collection('odd').insertOne({ a: 1 });
      const lines = await linesOf(createArchive(from));
      const db = dbOf(to);
      // Another program's: an empty collection with an index, and one that archives leave out.
      await db.collection('foreign').createIndex({ a: 1 });
      await createStores(to).leases.acquire({ role: 'r', owner: 'o', leaseMs: 60_000 });
      await db.collection('accounts').drop();
      const before = await namesOf(to);
      await expect(restore(lines, to, () => asLines(lines.slice(0, -1)))).rejects.toThrow(
        'Its end is missing.',
      );
      expect(await namesOf(to)).toEqual(before);
      expect(await db.collection('foreign').indexes()).toHaveLength(2);
      expect(await to.models.leases.countDocuments()).toBe(1);
      await restore(lines, to);
      expect(await createStores(to).accounts.findAccount('acc_1')).toMatchObject({ balance: 7 });
    });
  });

  it('names a collection of another program that the archive has as well, and writes nothing', async () => {
    await withTwo(start, async (from, to) => {
      await createStores(from).accounts.ensureAccount({ id: 'acc_1', name: 'One', balance: 7 });
      await dbOf(from).collection('odd').insertOne({ a: 1 });
      const lines = await linesOf(createArchive(from));
      const odd = dbOf(to).collection('odd');
      await odd.createIndex({ a: 1 });
      await expect(restore(lines, to)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: 'The database has a collection odd already, and the archive has one of that name.',
        suggestion: expect.stringContaining('If nothing else uses odd, drop it and restore again.'),
      });
      expect(await odd.indexes()).toHaveLength(2);
      await odd.insertOne({ a: 2 });
      await expect(restore(lines, to)).rejects.toThrow('it has documents in odd');
      expect(await odd.countDocuments({ a: 2 })).toBe(1);
      expect(await to.models.accounts.countDocuments()).toBe(0);
    });
  });

  it('leaves what others wrote into its collections while it ran', async () => {
    await withTwo(start, async (from, to) => {
      const odd = dbOf(from).collection<{ _id: number }>('odd');
      await createStores(from).accounts.ensureAccount({ id: 'acc_1', name: 'One', balance: 7 });
      await odd.insertMany(Array.from({ length: 700 }, (_, index) => ({ _id: index })));
      const lines = await linesOf(createArchive(from));
      const others = dbOf(to).collection<{ _id: number }>('odd');
      async function* linesAndAnotherWriter() {
        yield lines[0] ?? '';
        await createStores(to).accounts.ensureAccount({ id: 'acc_2', name: 'Two', balance: 1 });
        // The restore stops at this one, in the second batch of its collection.
        await others.insertOne({ _id: 600 });
        yield* lines.slice(1);
      }
      let reads = 0;
      const readLines = () => (reads++ === 0 ? linesAndAnotherWriter() : asLines(lines));
      await expect(restore(lines, to, readLines)).rejects.toMatchObject({ code: 11_000 });
      expect(await others.find().toArray()).toEqual([{ _id: 600 }]);
      expect((await to.models.accounts.find().lean()).map(({ _id }) => _id)).toEqual(['acc_2']);
    });
  });

  it('says why it failed and why what it has written is still there, when that cannot be removed', async () => {
    await withTwo(start, async (from, to) => {
      await createStores(from).accounts.ensureAccount({ id: 'acc_1', name: 'One', balance: 7 });
      const lines = await linesOf(createArchive(from));
      async function* thenClosed() {
        yield* lines.slice(0, -1);
        await to.close();
      }
      await expect(restore(lines, to, thenClosed)).rejects.toMatchObject({
        code: 'INTERNAL_ERROR',
        message: expect.stringMatching(/Its end is missing.*, and what had been written of it could not/),
        suggestion: expect.stringContaining('drop this one'),
      });
    });
  });
});

/** Restores an archive that was whole when it was checked. */
async function restore(
  lines: readonly string[],
  to: Database,
  readLines = () => asLines(lines) as AsyncIterable<string>,
): Promise<void> {
  await restoreArchive(await checkArchive(asLines(lines)), readLines, to);
}

async function namesOf(database: Database): Promise<string[]> {
  return (await dbOf(database).listCollections().toArray()).map(({ name }) => name).sort();
}

async function withTwo(
  start: () => Promise<RunningBackend>,
  work: (from: Database, to: Database, target: RunningBackend) => Promise<void>,
): Promise<void> {
  const [source, target] = [await start(), await start()];
  try {
    await work(await source.connect(), await target.connect(), target);
  } finally {
    await Promise.all([source.stop(), target.stop()]);
  }
}

function dbOf({ models }: Database) {
  return models.jobs.db.getClient().db(models.jobs.db.name) as unknown as mongoose.mongo.Db;
}

async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function* asLines(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
