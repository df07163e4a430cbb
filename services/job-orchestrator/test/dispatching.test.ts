import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, type ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Returns the types of the events that were sent; the same event may be sent more than once. */
function sentEvents(): string[] {
  return [...new Map(bed.events.map(({ id, type }) => [id, type])).values()];
}

describe('dispatching', () => {
  it('never exceeds the limit of pages in flight of a host', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '3' });
    scraper.follow(async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return found(body);
    });
    const jobs = await Promise.all([bed.create({ urls: urlsOf(15) }), bed.create({ urls: urlsOf(15) })]);
    for (const { id } of jobs) await bed.untilJob(id, 'completed');
    expect(scraper.load.peak).toBe(3);
  });

  it('sends the page of a small job between those of a large one', async () => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '2' });
    const gates: (() => void)[] = [];
    scraper.follow(async ({ body }) => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return found(body);
    });
    await bed.create({ urls: urlsOf(100) });
    await eventually(() => expect(gates).toHaveLength(2));
    const small = await bed.create({ urls: ['http://a.test/small'] });
    gates.shift()?.();
    await eventually(() => expect(scraper.commands.at(-1)?.jobId).toBe(small.id));
    await bed.cancel(scraper.commands[0]?.jobId ?? '');
    for (const open of gates) open();
    await bed.untilJob(small.id, 'completed');
  });

  it.each([
    ['RATE_LIMITED', 429],
    ['UPSTREAM_ERROR', 503],
  ] as const)('pauses a host that asks for it with %s, in every job', async (code, statusCode) => {
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '1' });
    const seenAtMs: number[] = [];
    scraper.follow(({ body }) => {
      seenAtMs.push(Date.now());
      return seenAtMs.length === 1 ? failed(code, 1, statusCode) : found(body);
    });
    const jobs = [await bed.create({ urls: urlsOf(1) }), await bed.create({ urls: urlsOf(1) })];
    for (const { id } of jobs) await bed.untilJob(id, 'completed');
    const [first = 0, second = 0] = seenAtMs;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it('keeps the delay of a crawl when its lease has lapsed for a moment', async () => {
    const leaseMs = 1000;
    const site = crawling({ pages: { '/0': { links: [] }, '/1': { links: [] } } });
    const answering = Promise.withResolvers<void>();
    let reads = 0;
    const pages: TestBed['stores']['pages'] = {
      ...bed.stores.pages,
      async findRunning(...parameters) {
        const running = await bed.stores.pages.findRunning(...parameters);
        if (running.length > 0) reads += 1;
        // The orchestrator stands still for longer than its lease.
        if (reads === 1) await new Promise((resolve) => setTimeout(resolve, leaseMs + 500));
        if (reads === 4) answering.resolve();
        return running;
      },
    };
    await bed.startOrchestrator({ DISPATCH_LEASE_MS: String(leaseMs) }, { ...bed.stores, pages });
    scraper.follow(async (page) => {
      await answering.promise;
      return await site(page);
    });
    const crawl = { delay: 200, robots: 'ignore', sitemap: 'skip' } as const;
    const job = await bed.create({ urls: urlsOf(2), crawl });
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ completedUrls: 2 });
    expect(scraper.load.peak).toBe(1);
  });

  it('continues when the orchestrator that dispatched stops', async () => {
    const first = await bed.startOrchestrator();
    await bed.startOrchestrator();
    scraper.follow(async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return found(body);
    });
    const job = await bed.create({ urls: urlsOf(60) });
    await eventually(() => expect(scraper.commands.length).toBeGreaterThan(10));
    await first.stop(AbortSignal.timeout(30_000));
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ completedUrls: 60, creditsUsed: 60 });
    await eventually(() => expect(sentEvents()).toEqual(['job.started', 'job.completed']));
  });
});
