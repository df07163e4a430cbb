import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SinkOptions } from '@gleaner/contracts';
import { askDuckDb, type Bucket, eventually, startBucket } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deliveriesOf, untilStatus } from './read-deliveries.ts';
import { ACCOUNT, startTestBed, type TestBed } from './start-test-bed.ts';

const LOADED_MS = 240_000;
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
const SELECTORS = { title: 'h1', pages: { selector: 'b', type: 'integer' } };

let folder: string;
let bucket: Bucket;
let bed: TestBed;

beforeAll(async () => {
  Object.assign(process.env, CREDENTIALS);
  folder = await mkdtemp(join(tmpdir(), 'gleaner-sinks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  bucket = await startBucket();
  bed = await startTestBed({
    SINKS: `lake=s3://shop-data/a?endpoint=${bucket.url}`,
    OVERDUE_AFTER_MS: '3000',
  });
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
});

/** Stores a job of these pages with a sink, announces its end, and returns its folder in the bucket. */
async function finish(sink: Partial<SinkOptions>, data: readonly object[] = [{ title: 'A', pages: 7 }]) {
  const id = await bed.seedJob({
    sink: { name: 'lake', ...sink },
    selectors: SELECTORS,
    data: data.map((each) => JSON.stringify(each)),
  });
  await bed.announce(id);
  const [job] = await bed.stores.jobs.findJobs([id]);
  return { id, place: `shop-data/a/jobs/${job?.createdAt.toISOString().slice(0, 10)}/${id}` };
}

const books = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `Book ${index}`, pages: index }));

/** Waits until a job has been tried to be written, and returns the first attempt. */
async function untilTried(id: string) {
  return await eventually(
    async () => {
      const [attempt] = (await deliveriesOf(bed, id))[0]?.attempts ?? [];
      expect(attempt).toBeDefined();
      return attempt;
    },
    { timeoutMs: LOADED_MS },
  );
}

function manifestIn(place: string) {
  return JSON.parse(`${bucket.objects.get(`${place}/_manifest.json`)}`);
}

/** Returns the rows of the Parquet files that a manifest names. */
async function rowsIn(place: string) {
  const paths: string[] = [];
  for (const { name, sha256, bytes } of manifestIn(place).files) {
    const file = bucket.objects.get(`${place}/${name}`) ?? Buffer.alloc(0);
    expect([file.byteLength, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
    paths.push(join(folder, name));
    await writeFile(join(folder, name), file);
  }
  const list = paths.map((path) => `'${path}'`).join(', ');
  return (await askDuckDb(`SELECT title, pages FROM read_parquet([${list}]) ORDER BY pages`)).rows;
}

describe('a sink', () => {
  it('gets the results of a finished job in files, and last a manifest that names them', async () => {
    await bed.startNotifier();
    const { id, place } = await finish({});
    const delivery = await untilStatus(bed, id, 'delivered', LOADED_MS);
    expect(delivery).toMatchObject({
      type: 'sink.write',
      url: `sink://lake/jobs/${place.split('/')[3]}/${id}/`,
      attemptCount: 1,
    });
    expect(bucket.written).toEqual([`${place}/part-00000.parquet`, `${place}/_manifest.json`]);
    expect(await rowsIn(place)).toEqual([{ title: 'A', pages: '7' }]);
    expect(manifestIn(place)).toMatchObject({
      version: 1,
      job: { id, name: 'A job', status: 'completed' },
      format: 'parquet',
      rows: 1,
      schema: [
        { name: 'title', type: 'text' },
        { name: 'pages', type: 'integer' },
        { name: 'url', type: 'text' },
        { name: 'exactValues', type: 'any' },
      ],
    });
  });

  it('gets CSV with a first line in each file, and NDJSON of whole results', async () => {
    await bed.startNotifier();
    const csv = await finish({ format: 'csv', partBytes: 1, key: 'csv/{job}' }, books(2));
    const lines = await finish({ format: 'ndjson' }, books(2));
    await untilStatus(bed, csv.id, 'delivered', LOADED_MS);
    await untilStatus(bed, lines.id, 'delivered', LOADED_MS);
    const text = (path: string) => `${bucket.objects.get(path)}`;
    const own = `shop-data/a/csv/${csv.id}`;
    expect(text(`${own}/part-00000.csv`)).toBe('title,pages,url\r\nBook 0,0,https://example.com/0\r\n');
    expect(text(`${own}/part-00001.csv`)).toBe('title,pages,url\r\nBook 1,1,https://example.com/1\r\n');
    expect(manifestIn(own).files).toHaveLength(2);
    expect(
      text(`${lines.place}/part-00000.ndjson`)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject(books(2).map((data, index) => ({ url: `https://example.com/${index}`, data })));
  });

  it('gets a file without rows of a job without records', async () => {
    await bed.startNotifier();
    const { id, place } = await finish({}, [{ title: null, pages: null }]);
    await untilStatus(bed, id, 'delivered', LOADED_MS);
    expect(manifestIn(place)).toMatchObject({ rows: 0, files: [{ name: 'part-00000.parquet', rows: 0 }] });
    expect(await rowsIn(place)).toEqual([]);
  });

  it('gets large files in parts that fit into memory', async () => {
    await bed.startNotifier();
    const text = Array.from({ length: 6 }, (_, index) => ({ title: `${index}${'x'.repeat(4_000_000)}` }));
    const kinds: string[] = [];
    bucket.answerWith(({ kind }) => void kinds.push(kind));
    const { id, place } = await finish({ format: 'ndjson' }, text);
    await untilStatus(bed, id, 'delivered', LOADED_MS);
    expect(kinds).toEqual(['begin', 'part', 'part', 'part', 'complete', 'put']);
    expect(manifestIn(place).files).toMatchObject([
      { rows: 6, bytes: bucket.objects.get(`${place}/part-00000.ndjson`)?.length },
    ]);
    expect(bucket.openUploads).toBe(0);
  });

  it('gets nothing of a job that failed or was cancelled', async () => {
    await bed.startNotifier();
    for (const type of ['job.failed', 'job.cancelled', 'job.started'] as const) {
      const id = await bed.seedJob({ sink: { name: 'lake' }, selectors: SELECTORS });
      await bed.announce(id, type);
    }
    const { id } = await finish({});
    await untilStatus(bed, id, 'delivered', LOADED_MS);
    expect(bucket.written).toHaveLength(2);
  });

  it('is written once for an event that comes twice', async () => {
    await bed.startNotifier();
    const id = await bed.seedJob({ sink: { name: 'lake' }, selectors: SELECTORS });
    const { id: event } = await bed.announce(id);
    await untilStatus(bed, id, 'delivered', LOADED_MS);
    await bed.announce(id, 'job.completed', event);
    const other = await finish({});
    await untilStatus(bed, other.id, 'delivered', LOADED_MS);
    expect(await deliveriesOf(bed, id)).toHaveLength(1);
  });
});

describe('a sink that fails', () => {
  it.each([
    [
      'refuses',
      { status: 403, code: 'AccessDenied' },
      { statusCode: 403, error: 'The sink answered 403 (AccessDenied).' },
    ],
    [
      'has no bucket',
      { status: 404, code: 'NoSuchBucket' },
      { statusCode: 404, error: 'The sink answered 404 (NoSuchBucket).' },
    ],
    ['breaks off', 'reset', { error: 'The sink could not be reached (ECONNRESET).' }],
  ] as const)('because it %s is written again, and the log says why', async (_what, fault, logged) => {
    let isBroken = true;
    bucket.answerWith(() => (isBroken ? fault : undefined));
    await bed.startNotifier({ RETRY_SCALE: '0.01' });
    const { id, place } = await finish({});
    expect(await untilTried(id)).toMatchObject(logged);
    isBroken = false;
    await untilStatus(bed, id, 'delivered', LOADED_MS);
    expect(await rowsIn(place)).toEqual([{ title: 'A', pages: '7' }]);
    const [delivery] = await deliveriesOf(bed, id);
    expect(JSON.stringify(delivery)).not.toContain(new URL(bucket.url).port);
  });

  it('at the manifest is written again as a whole, with the same files', async () => {
    const seen: string[] = [];
    bucket.answerWith(({ kind, key }) => {
      if (kind !== 'put') return undefined;
      seen.push(key.slice(key.lastIndexOf('/') + 1));
      const refused =
        key.endsWith('_manifest.json') && seen.filter((name) => name === '_manifest.json').length === 1;
      return refused ? { status: 403, code: 'AccessDenied' } : undefined;
    });
    await bed.startNotifier();
    const { id, place } = await finish({});
    await untilStatus(bed, id, 'delivered', LOADED_MS);
    expect(seen).toEqual(['part-00000.parquet', '_manifest.json', 'part-00000.parquet', '_manifest.json']);
    expect(await rowsIn(place)).toHaveLength(1);
  });

  it('in the middle of a large file leaves no part of it', async () => {
    bucket.answerWith(({ kind }) => (kind === 'part' ? { status: 403, code: 'AccessDenied' } : undefined));
    await bed.startNotifier({ RETRY_SCALE: '10' });
    const { id } = await finish(
      { format: 'ndjson' },
      Array.from({ length: 4 }, () => ({ title: 'x'.repeat(4_000_000) })),
    );
    expect(await untilTried(id)).toMatchObject({ statusCode: 403 });
    expect([bucket.written, bucket.openUploads]).toEqual([[], 0]);
  });

  it('for good can be written once more by hand', async () => {
    let isBroken = true;
    bucket.answerWith(() => (isBroken ? { status: 403, code: 'AccessDenied' } : undefined));
    await bed.startNotifier({ RETRY_SCALE: '0.0001' });
    const { id } = await finish({});
    const failed = await untilStatus(bed, id, 'failed', LOADED_MS);
    expect(failed).toMatchObject({ attemptCount: 8, reason: 'All 8 attempts failed.' });
    isBroken = false;
    await bed.command({ type: 'redeliver', accountId: ACCOUNT, deliveryId: failed?.id ?? '' });
    await untilStatus(bed, id, 'delivered', LOADED_MS);
  });

  it('and is not configured any more ends the delivery, and says so', async () => {
    await bed.startNotifier({ SINKS: '' });
    const { id } = await finish({});
    const delivery = await untilStatus(bed, id, 'failed', LOADED_MS);
    expect(delivery).toMatchObject({ attemptCount: 1, reason: 'The service has no sink "lake" any more.' });
  });

  it('because it is slow is written by no other attempt while it is', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let puts = 0;
    bucket.answerWith(async () => {
      puts += 1;
      begin();
      await released;
      return undefined;
    });
    // A busy machine may hold up the extension of a shorter lease.
    await bed.startNotifier({ OVERDUE_AFTER_MS: '15000' });
    const { id } = await finish({});
    await begun;
    const leases = new Set<number>();
    await eventually(
      async () => {
        const [delivery] = await deliveriesOf(bed, id);
        leases.add(delivery?.leasedUntil?.getTime() ?? 0);
        expect(leases.size).toBeGreaterThan(3);
      },
      { timeoutMs: LOADED_MS },
    );
    expect(puts).toBe(1);
    release();
    const delivery = await untilStatus(bed, id, 'delivered', LOADED_MS);
    expect(delivery).toMatchObject({ attemptCount: 1 });
  });

  it('to answer in time is told so', async () => {
    bucket.answerWith(() => new Promise(() => {}));
    await bed.startNotifier({ SINK_TIMEOUT_MS: '1000', RETRY_SCALE: '10' });
    const { id } = await finish({});
    expect(await untilTried(id)).toMatchObject({
      error: 'The sink took longer than the operator allows (SINK_TIMEOUT_MS).',
    });
  });
});

it('a notifier that is killed between a part and the manifest leaves the job to another', async () => {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  let isFirst = true;
  bucket.answerWith(({ key }) => {
    if (!isFirst || !key.endsWith('_manifest.json')) return undefined;
    reach();
    return new Promise(() => {});
  });
  const doomed = await bed.forkNotifier(CREDENTIALS);
  const { id, place } = await finish({}, books(3));
  await reached;
  doomed.kill('SIGKILL');
  isFirst = false;
  const first = bucket.objects.get(`${place}/part-00000.parquet`);
  expect(bucket.objects.has(`${place}/_manifest.json`)).toBe(false);
  await bed.startNotifier();
  await untilStatus(bed, id, 'delivered', LOADED_MS);
  expect(await rowsIn(place)).toHaveLength(3);
  expect(bucket.objects.get(`${place}/part-00000.parquet`)).toEqual(first);
});
