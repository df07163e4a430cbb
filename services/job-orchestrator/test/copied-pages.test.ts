import { AppError, createId, toFailure } from '@gleaner/contracts';
import { type NewPage, pageIdOf, readEntries } from '@gleaner/storage';
import { expect, it } from '@jest/globals';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const COUNT = 150;
const LATER = new Date(Date.now() + 3_600_000);

/** Stores a job whose second page failed; the last two entries are copies of the first and of the failed page. */
async function storeSource({ stores, accountId }: TestBed): Promise<string> {
  const id = createId('job');
  const urls: NewPage[] = urlsOf(COUNT).map((url, index) => ({
    index,
    url,
    host: 'a.test',
    ...(index < 2 && { copies: 1 }),
  }));
  const copies = [0, 1].map((copyOf) => ({
    index: COUNT + copyOf,
    url: `http://a.test/copy${copyOf}`,
    host: 'a.test',
    copyOf,
  }));
  const draft = { id, accountId, keyId: null, name: 'Source', optionsJson: '{}', createdAt: new Date() };
  await stores.jobs.insertDraft({ ...draft, totalUrls: COUNT + 2, distinctUrls: COUNT, hosts: ['a.test'] });
  await stores.pages.insertPages(id, [...urls, ...copies], LATER);
  await stores.jobs.publishDrafts([id]);
  const pages = urls.map(({ index }) => ({ id: pageIdOf(id, index), attempt: 1 }));
  await stores.pages.claim(
    pages.map((page) => page.id),
    LATER,
  );
  const failure = toFailure(new AppError('TIMEOUT'));
  await stores.pages.end(
    pages.map((page, index) =>
      index === 1
        ? { ...page, state: 'failed', failure }
        : { ...page, state: 'succeeded', price: { base: 1 } },
    ),
    new Date(),
  );
  return id;
}

it('a job has the pages of another job, read in steps, with their copies and without those that failed', async () => {
  await using bed = await startTestBed();
  const source = await storeSource(bed);
  await bed.startOrchestrator();
  const pagesOf = { jobId: source, only: 'succeeded' as const };
  const command = { extractOf: source, pagesOf, idempotencyKey: 'once' };
  const job = await bed.create({ urls: [] }, command);
  expect(job).toMatchObject({ totalUrls: COUNT, extractOf: source, hosts: ['a.test'] });
  expect(await bed.create({ urls: [] }, command)).toEqual(job);
  const stored = await bed.stores.jobs.findJob(bed.accountId, job.id);
  expect(stored).toMatchObject({ distinctUrls: COUNT - 1 });
  const found: [number, string, number][] = [];
  const part = { states: ['waiting', 'running'] as const, limit: 1000, offset: 0 };
  for await (const entries of readEntries({ id: job.id, distinctUrls: COUNT - 1 }, part, bed.stores.pages))
    found.push(
      ...entries.map(({ index, url, page }) => [index, url, page.index] as [number, string, number]),
    );
  const urls = urlsOf(COUNT).filter((_url, index) => index !== 1);
  expect(found).toEqual([
    ...urls.map((url, index) => [index, url, index]),
    [COUNT - 1, 'http://a.test/copy0', 0],
  ]);
  const failed = { ...command, idempotencyKey: 'failed', pagesOf: { ...pagesOf, only: 'failed' as const } };
  expect(await bed.create({ urls: [] }, failed)).toMatchObject({ totalUrls: 2 });
  await expect(bed.create({ urls: [] }, { ...failed, idempotencyKey: 'once' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  });
  const missing = bed.create({ urls: [] }, { pagesOf: { ...pagesOf, jobId: 'job_none' } });
  await expect(missing).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
});
