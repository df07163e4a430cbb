import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gleaner, type JobResult } from '@gleaner/client';
import { askDuckDb, eventually, startBucket } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestStack } from './test-stack.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-sinks-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a crawl of the demo shop is in a bucket, and DuckDB queries it', async () => {
  await using bucket = await startBucket();
  await using bed = await startTestStack({
    SINKS: `lake=s3://shop-data/gleaner?endpoint=${bucket.url}`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  const gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
  const { id } = await gleaner.jobs.create({
    urls: [bed.stack.demoUrl],
    crawl: { include: ['/books/*'], limit: 30 },
    selectors: { title: 'h1', price: { selector: '.price', type: 'price' } },
    sink: { name: 'lake', key: 'books/date={date}/{job}' },
  });
  const job = await gleaner.jobs.wait(id);
  expect(job).toMatchObject({ status: 'completed', sink: { name: 'lake', key: 'books/date={date}/{job}' } });
  const day = job.createdAt.slice(0, 'yyyy-MM-dd'.length);
  const place = `shop-data/gleaner/books/date=${day}/${id}`;
  await eventually(() => expect(bucket.objects.has(`${place}/_manifest.json`)).toBe(true));

  const manifest = JSON.parse(`${bucket.objects.get(`${place}/_manifest.json`)}`);
  const path = join(folder, 'part-00000.parquet');
  await writeFile(path, bucket.objects.get(`${place}/part-00000.parquet`) ?? '');
  const query = `SELECT title, "price.amount" AS amount, "price.currency" AS currency, url FROM read_parquet('${path}') ORDER BY url`;
  const { rows } = await askDuckDb(query);
  const results: object[] = [];
  for await (const { url, data } of gleaner.jobs.results<JobResult>(id)) {
    const price = data?.price as { amount: number; currency: string } | null | undefined;
    if (price) results.push({ title: data?.title, amount: price.amount, currency: price.currency, url });
  }
  expect(rows.length).toBeGreaterThan(5);
  expect(manifest).toMatchObject({ job: { id, status: 'completed' }, format: 'parquet', rows: rows.length });
  expect(rows.filter(({ amount }) => amount !== null)).toEqual(expect.arrayContaining(results));
  expect(rows.filter(({ amount }) => amount !== null)).toHaveLength(results.length);

  const downloaded: Uint8Array[] = [];
  for await (const chunk of gleaner.jobs.download(id, { format: 'parquet' })) downloaded.push(chunk);
  expect(Buffer.concat(downloaded)).toEqual(bucket.objects.get(`${place}/part-00000.parquet`));
  // What was written is noted after it is in the bucket.
  await eventually(async () => {
    const deliveries = [];
    for await (const delivery of gleaner.webhooks.deliveries({ jobId: id })) deliveries.push(delivery);
    expect(deliveries).toMatchObject([{ type: 'sink.write', status: 'delivered', attemptCount: 1 }]);
  });
});
