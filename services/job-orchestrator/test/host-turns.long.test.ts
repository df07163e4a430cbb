import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const SLOTS = 40;
const PER_HOST = 8;

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper(SLOTS);
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

function start() {
  return bed.startOrchestrator({
    PAGES_PER_SCRAPER: String(SLOTS),
    MAX_PAGES_PER_HOST: String(PER_HOST),
    RETRY_DELAY_MS: '50',
    // Long enough for a busy machine: a planner that has lost its lease counts each page in flight as a lane afterwards.
    DISPATCH_LEASE_MS: '60000',
  });
}

describe('the hosts of a large job', () => {
  it('take turns when its URLs are sorted by host, so that every slot is used until few hosts are left', async () => {
    const hosts = Array.from({ length: 20 }, (_, index) => `h${index}.test`);
    const running = new Map<string, number>();
    let peakOfHost = 0;
    const waiting: (() => void)[] = [];
    // Pages go on only when all slots are taken, until a tenth is left to send, which few hosts may have.
    let unsent = hosts.length * 60;
    const tail = unsent / 10;
    scraper.follow(async ({ body, lane }) => {
      if (body === lane[0]) unsent -= lane.length;
      const { host } = new URL(body.request.url);
      running.set(host, (running.get(host) ?? 0) + 1);
      peakOfHost = Math.max(peakOfHost, running.get(host) ?? 0);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length < (unsent > tail ? SLOTS : 1)) return;
        for (const resume of waiting.splice(0)) resume();
      });
      running.set(host, (running.get(host) ?? 0) - 1);
      return found(body);
    });
    await start();
    const job = await bed.create({ urls: hosts.flatMap((host) => urlsOf(60, host)), timeout: 60_000 });
    expect(await bed.untilJob(job.id, 'completed')).toMatchObject({ completedUrls: 1200 });
    expect(scraper.commands).toHaveLength(1200);
    expect(peakOfHost).toBeLessThanOrEqual(PER_HOST);
  });

  it('go on while one of them answers nothing, with any number of pages', async () => {
    scraper.follow(({ body }) => (body.request.url.includes('slow') ? undefined : found(body)));
    await start();
    const urls = [...urlsOf(700, 'a-slow.test'), ...urlsOf(150, 'b.test'), ...urlsOf(150, 'c.test')];
    const job = await bed.create({ urls, timeout: 60_000 });
    await eventually(async () =>
      expect(await bed.stores.jobs.findJob(bed.accountId, job.id)).toMatchObject({ completedUrls: 300 }),
    );
    expect(scraper.commands.filter(({ request }) => request.url.includes('slow'))).toHaveLength(PER_HOST);
  });
});
