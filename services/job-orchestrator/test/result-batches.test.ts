import { pageIndexOf } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, type ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
import { pathOf, startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

const WEBHOOK = { url: 'https://hooks.test/', events: ['job.pages' as const, 'job.completed' as const] };
const SOON = { RESULT_BATCH_MS: '100', MAX_PAGES_PER_HOST: '100' };

/** Returns the numbers of the batches that events were sent about, each once. */
function announced(jobId: string): number[] {
  const batches = bed.events.flatMap((event) => (event.jobId === jobId ? (event.batch ?? []) : []));
  return [...new Set(batches)];
}

/** Returns the indexes of the pages in each batch of a finished job. */
async function indexesByBatch(jobId: string): Promise<number[][]> {
  const [job] = await bed.stores.jobs.findJobs([jobId]);
  const numbers = Array.from({ length: job?.resultBatches?.count ?? 0 }, (_, index) => index + 1);
  const batches = await Promise.all(numbers.map((number) => bed.stores.pages.findBatch(jobId, number)));
  return batches.map((pages) => pages.map(({ index }) => index));
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

describe('results of a job whose webhook names job.pages', () => {
  it('are each in one batch of at most a hundred, failed ones included, announced before the end', async () => {
    await bed.startOrchestrator(SOON);
    await bed.startOrchestrator(SOON);
    scraper.follow(({ body }) => (pathOf(body) === '/7' ? failed('NOT_FOUND') : found(body)));
    const { id } = await bed.create({ urls: urlsOf(350), webhook: WEBHOOK });
    await bed.untilJob(id, 'partial');
    const batches = await indexesByBatch(id);
    expect(batches.flat().toSorted((one, other) => one - other)).toEqual(numbersTo(350));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(announced(id)).toEqual(batches.map((_, index) => index + 1));
    const typesOf = () => bed.events.filter(({ jobId }) => jobId === id).map(({ type }) => type);
    // The last event is published after the state that it announces is stored.
    await eventually(() => expect(typesOf().at(-1)).toBe('job.partial'));
  });

  it('are announced while another page is still at work', async () => {
    await bed.startOrchestrator(SOON);
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      if (pathOf(body) === '/2') await gate.promise;
      return found(body);
    });
    const { id } = await bed.create({ urls: urlsOf(3), webhook: WEBHOOK });
    await eventually(async () => {
      const [job] = await bed.stores.jobs.findJobs([id]);
      expect([job?.status, announced(id).length > 0]).toEqual(['running', true]);
    });
    gate.resolve();
    await bed.untilJob(id, 'completed');
    expect((await indexesByBatch(id)).flat().toSorted()).toEqual([0, 1, 2]);
  });

  it('of a batch whose process died before it marked them are in no other batch', async () => {
    const orchestrator = await bed.startOrchestrator({ RESULT_BATCH_MS: '60000' });
    const gate = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      if (pathOf(body) === '/9') await gate.promise;
      return found(body);
    });
    const { id } = await bed.create({ urls: urlsOf(10), webhook: WEBHOOK });
    await eventually(async () => expect(await bed.stores.pages.findUnbatched(id, 100)).toHaveLength(9));
    await orchestrator.stop(AbortSignal.timeout(30_000));
    const event = { id: 'evt_1', type: 'job.pages' as const, at: new Date(), batch: 1 };
    await bed.stores.jobs.addBatch(id, { number: 1, indexes: [0, 1, 2, 3], event });
    // A process that knows of no batch comes too late.
    const late = { number: 1, indexes: [0, 4], event: { ...event, id: 'evt_2' } };
    expect(await bed.stores.jobs.addBatch(id, late)).toBeNull();
    gate.resolve();
    await bed.startOrchestrator(SOON);
    await bed.untilJob(id, 'completed');
    const [first, ...others] = await indexesByBatch(id);
    expect(first).toEqual([0, 1, 2, 3]);
    expect(others.flat().toSorted()).toEqual([4, 5, 6, 7, 8, 9]);
    expect(announced(id).toSorted()).toEqual([1, ...others.map((_, index) => index + 2)]);
  });

  it('are announced of a cancelled job as far as it came, and no batch is made afterwards', async () => {
    await bed.startOrchestrator({ RESULT_BATCH_MS: '60000' });
    scraper.follow(({ body }) => (pathOf(body) === '/0' ? found(body) : undefined));
    const { id } = await bed.create({ urls: urlsOf(3), webhook: WEBHOOK });
    await eventually(async () => expect(await bed.stores.pages.findUnbatched(id, 100)).toEqual([0]));
    await bed.cancel(id);
    await bed.untilJob(id, 'cancelled');
    expect(await indexesByBatch(id)).toEqual([[0]]);
    expect(announced(id)).toEqual([1]);
  });

  it('that are equal URLs are in a batch once', async () => {
    await bed.startOrchestrator(SOON);
    const { id } = await bed.create({
      urls: ['http://a.test/0', 'http://a.test/1', 'http://a.test/0'],
      webhook: WEBHOOK,
    });
    await bed.untilJob(id, 'completed');
    expect((await indexesByBatch(id)).flat().toSorted()).toEqual([0, 1]);
  });

  it('of a crawl are in batches too, those of discovered and of missing pages included', async () => {
    await bed.startOrchestrator(SOON);
    const pages = { '/': { links: ['/a', '/none'] }, '/a': { links: ['/b'] }, '/b': { links: [] } };
    scraper.follow(crawling({ pages }));
    const { id } = await bed.create({
      urls: ['http://a.test/'],
      crawl: { sitemap: 'skip' },
      webhook: WEBHOOK,
    });
    await bed.untilJob(id, 'completed');
    const numbers = announced(id);
    const batches = await Promise.all(numbers.map((number) => bed.stores.pages.findBatch(id, number)));
    expect(
      batches
        .flat()
        .map(({ url }) => url)
        .toSorted(),
    ).toEqual(['http://a.test/', 'http://a.test/a', 'http://a.test/b', 'http://a.test/none']);
  });

  it('of other jobs are in no batch', async () => {
    await bed.startOrchestrator(SOON);
    const { id } = await bed.create({ urls: urlsOf(2), webhook: 'https://hooks.test/' });
    await bed.untilJob(id, 'completed');
    const [job] = await bed.stores.jobs.findJobs([id]);
    expect(job?.resultBatches).toBeUndefined();
    const pages = await bed.stores.pages.findProcessed(id, { limit: 10 });
    expect(pages.map(({ id: pageId, resultBatch }) => [pageIndexOf(pageId), resultBatch])).toEqual([
      [0, undefined],
      [1, undefined],
    ]);
    expect(announced(id)).toEqual([]);
  });
});
