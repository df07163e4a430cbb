import { createId } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createDatasetSteps, type DatasetSteps } from '../src/datasets/dataset-steps.ts';
import { DatasetStore, type DatasetTarget } from '../src/datasets/dataset-store.ts';
import { createStores, type Database, type FoundRecord, recordIdOf, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { recordOf } from './simulate-datasets.ts';
import { startStepped } from './stepped-process.ts';
import { useBackend } from './use-backend.ts';

const NAME = 'books';
const AT = new Date('2099-06-01T12:00:00.000Z');
const KEEPING = { at: AT, quotaBytes: 1024 ** 3, retentionMs: 60_000 };
const later = (ms: number) => ({ ...KEEPING, at: new Date(AT.getTime() + ms) });
/** More steps than writing a block takes. */
const STEPS = Array.from({ length: 14 }, (_, step) => step);

describe.each(BACKENDS)('datasets on $name', ({ start }) => {
  let stores: Stores;
  let steps: DatasetSteps;

  useBackend(start, (database: Database) => {
    stores = createStores(database);
    steps = createDatasetSteps(database.models);
  });

  async function create(): Promise<DatasetTarget> {
    const accountId = createId('acc');
    const datasetId = await stores.datasets.ensureDataset(accountId, { name: NAME, key: ['isbn'] }, AT);
    return { accountId, name: NAME, datasetId };
  }

  async function read({ accountId }: DatasetTarget, since = 0) {
    const dataset = await stores.datasets.findDataset(accountId, NAME);
    const records = [];
    for await (const record of dataset ? stores.datasets.readFeed(dataset, { since }) : [])
      records.push(record);
    return { dataset, records };
  }

  const page = (jobId: string, prices: Readonly<Record<string, number>>, index = 0): FoundRecord[] =>
    Object.entries(prices).map(([key, price]) => recordOf(jobId, index, key, price));

  it.each(STEPS)('have each change once, whether their writer dies before or after step %i', async (step) => {
    for (const death of ['before', 'after'] as const) {
      const target = await create();
      await stores.datasets.writeRecords(target, page('job_1', { a: 1, b: 1 }), KEEPING);
      const change = page('job_2', { a: 2, c: 2 });
      const process = startStepped(steps, (stepped) =>
        new DatasetStore(stepped).writeRecords(target, change, KEEPING),
      );
      for (let done = 0; done < step && (await process.advance('never')); done += 1);
      await process.advance(death);
      const seen = await read(target);
      await stores.datasets.writeRecords(target, change, KEEPING);
      const { dataset, records } = await read(target);
      expect(dataset).toMatchObject({ revision: 4, records: 3, gone: 0 });
      expect(records.map(({ key, revision, jobId }) => [key, revision, jobId])).toEqual([
        ['b', 2, 'job_1'],
        ['a', 3, 'job_2'],
        ['c', 4, 'job_2'],
      ]);
      // A reader of before misses nothing.
      const missed = await read(target, seen.dataset?.revision);
      const known = new Set([...seen.records, ...missed.records].map(({ revision }) => revision));
      for (const { revision } of records) expect(known).toContain(revision);
    }
  });

  it('are not changed by a writer that goes on after others have written', async () => {
    const target = await create();
    await stores.datasets.writeRecords(target, page('job_1', { a: 1 }), KEEPING);
    const stopped = startStepped(steps, (stepped) =>
      new DatasetStore(stepped).writeRecords(target, page('job_2', { a: 2, b: 2 }), KEEPING),
    );
    // Reads the dataset, the runs, the records and the other datasets, and stores its block.
    for (let step = 0; step < 5; step += 1) await stopped.advance('never');
    await stores.datasets.writeRecords(target, page('job_3', { a: 3, b: 3 }), KEEPING);
    await stores.datasets.removeDataset(target.accountId, NAME, AT);
    const next = await stores.datasets.ensureDataset(target.accountId, { name: NAME, key: ['isbn'] }, AT);
    await stores.datasets.writeRecords({ ...target, datasetId: next }, page('job_4', { a: 4 }), KEEPING);
    while (await stopped.advance('never'));
    const { dataset, records } = await read(target);
    expect(records.map(({ key, json, revision }) => [key, json, revision])).toEqual([
      ['a', '{"isbn":"a","price":4}', 7],
    ]);
    expect(dataset).toMatchObject({ revision: 7, before: 5, records: 1 });
  });

  it('take nothing for gone once a later run has begun', async () => {
    const target = await create();
    await stores.datasets.writeRecords(target, page('job_1', { a: 1, b: 1 }), KEEPING);
    await stores.datasets.writeRecords(target, page('job_2', { a: 1 }), KEEPING);
    // It finds what is there already, of which nothing is written.
    await stores.datasets.writeRecords(target, page('job_3', { b: 1 }), KEEPING);
    const isFound = (id: string) => id === recordIdOf(target.datasetId, 'a');
    await stores.datasets.writeGone(target, { jobId: 'job_2', isFound }, KEEPING);
    expect((await read(target)).records.map(({ isGone }) => isGone)).toEqual([false, false]);
    const isB = (id: string) => id === recordIdOf(target.datasetId, 'b');
    await stores.datasets.writeGone(target, { jobId: 'job_3', isFound: isB }, KEEPING);
    expect((await read(target)).records.map(({ key, isGone }) => [key, isGone])).toEqual([
      ['b', false],
      ['a', true],
    ]);
  });

  it('move the time at which a record was seen at most once a day, and never back', async () => {
    const target = await create();
    const seenAt = async () => (await read(target)).records[0]?.lastSeen.toISOString();
    await stores.datasets.writeRecords(target, page('job_1', { a: 1 }), KEEPING);
    for (const [ms, seen] of [
      [3_600_000, '2099-06-01T12:00:00.000Z'],
      [90_000_000, '2099-06-02T13:00:00.000Z'],
      [-90_000_000, '2099-06-02T13:00:00.000Z'],
    ] as const) {
      await stores.datasets.writeRecords(target, page('job_1', { a: 1 }), later(ms));
      expect(await seenAt()).toBe(seen);
    }
    expect((await read(target)).dataset?.revision).toBe(1);
  });

  it('are swept after their deletion, and keep late writes out', async () => {
    const target = await create();
    await stores.datasets.writeRecords(target, page('job_1', { a: 1, b: 2 }), KEEPING);
    await stores.datasets.writeRecords(target, page('job_1', { a: 3 }, 1), KEEPING);
    expect(await stores.datasets.removeDataset(target.accountId, NAME, AT)).toBe(true);
    expect(await stores.datasets.removeDataset(target.accountId, NAME, AT)).toBe(false);
    await stores.datasets.writeRecords(target, page('job_2', { a: 4 }), KEEPING);
    while ((await stores.datasets.deleteRetired(AT, 1)) > 0);
    const left = await steps.findStates(['a', 'b'].map((key) => recordIdOf(target.datasetId, key)));
    expect(left.size).toBe(0);
    expect((await steps.findRetired()).some(({ _id }) => _id.startsWith(target.accountId))).toBe(true);
    await stores.datasets.deleteRetired(new Date(AT.getTime() + 2 * 3_600_000), 10);
    expect((await steps.findRetired()).some(({ _id }) => _id.startsWith(target.accountId))).toBe(false);
  });
});
