import { pageIdOf } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const SOON = { JOB_RETENTION_MS: '1000', RECONCILE_INTERVAL_MS: '50' };
const KINDS = ['jobs', 'pages', 'results', 'fingerprints', 'snapshots', 'files', 'file_parts'];

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Returns the number of documents of each kind. */
async function counts(): Promise<number[]> {
  return await Promise.all(KINDS.map((kind) => bed.count(kind)));
}

/** Stores a page and a file of a job. */
async function storeKept(jobId: string): Promise<void> {
  const page = {
    kind: 'html',
    baseUrl: 'http://a.test/',
    source: '',
    statusCode: 200,
    engine: 'http',
  } as const;
  const snapshot = { id: `snp_${jobId}`, accountId: bed.accountId, jobId, url: 'http://a.test/', page };
  const keeping = { now: new Date(), retentionMs: 3_600_000 };
  await bed.stores.snapshots.insertPageSnapshots([snapshot], keeping);
  const file = { id: `fil_${jobId}`, accountId: bed.accountId, jobId };
  await bed.stores.files.insertPart(file, { index: 0, content: Buffer.from('a') }, keeping);
  const traits = { name: 'a.txt', contentType: 'text/plain', size: 1, sha256: '' };
  await bed.stores.files.finishFile(file, traits, keeping);
}

describe('a job whose retention is over', () => {
  it('is deleted with its pages, results, fingerprints, snapshots and files, and other jobs are not', async () => {
    const gate = Promise.withResolvers<void>();
    const crawl = crawling({ pages: { '/': { links: ['/a'] }, '/a': { links: [] } } });
    scraper.follow(async (work) => {
      if (work.body.request.url.includes('endless.test')) return undefined;
      await gate.promise;
      return work.body.crawl ? await crawl(work) : found(work.body);
    });
    await bed.startOrchestrator(SOON);
    const kept = await bed.create({ urls: urlsOf(4, 'endless.test') });
    await storeKept(kept.id);
    const plain = await bed.create({ urls: urlsOf(3) });
    await storeKept(plain.id);
    await bed.create({ urls: ['http://b.test/'], crawl: { sitemap: 'skip' } });
    gate.resolve();
    await eventually(async () => expect(await counts()).toEqual([1, 4, 0, 0, 1, 1, 1]));
    expect(await bed.stores.jobs.findJob(bed.accountId, kept.id)).not.toBeNull();
  });

  it('is not shown any more, and deleted by another process if one dies over it', async () => {
    const jobId = await bed.storeJob(3);
    const results = [0, 1, 2].map((index) => ({ id: pageIdOf(jobId, index), attempt: 1, json: '{}' }));
    await bed.stores.results.insertResults(results, new Date(Date.now() + 3_600_000));
    const event = { id: 'evt_1', type: 'job.failed', at: new Date() } as const;
    const set = { completedAt: new Date(), retainedUntil: new Date() };
    await bed.stores.jobs.transition(jobId, { from: ['running'], to: 'failed', set, event });
    await bed.stores.jobs.expire(jobId);
    await bed.stores.results.deleteSome(jobId, 2);
    expect(await bed.stores.jobs.findJob(bed.accountId, jobId)).toBeNull();
    expect((await bed.stores.jobs.listJobs(bed.accountId, { limit: 10, offset: 0 })).total).toBe(0);
    expect(await counts()).toEqual([1, 3, 1, 0, 0, 0, 0]);
    await bed.startOrchestrator(SOON);
    await eventually(async () => expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0]));
  });
});
