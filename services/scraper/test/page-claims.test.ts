import { setTimeout as sleep } from 'node:timers/promises';
import type { PageOutcome } from '@gleaner/contracts';
import { eventually, untilReady } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const HTTP_ONLY = { ENGINES: 'http' };

async function sendPages(scraper: TestScraper, count: number, path: string): Promise<void> {
  const sends = Array.from({ length: count }, (_, index) =>
    scraper.sendPage({ url: `${path}?page=${index}` }, { pageId: `job_1:${index}` }),
  );
  await Promise.all(sends);
}

/** Returns the kinds of outcome of each page, in the order of pages. */
function kindsByPage(outcomes: readonly PageOutcome[]): string[][] {
  const byPage = Map.groupBy(outcomes, ({ pageId }) => pageId);
  const inOrder = [...byPage].sort(([a], [b]) => a.localeCompare(b));
  return inOrder.map(([, each]) => each.map(({ outcome }) => outcome.kind));
}

describe('pages of jobs', () => {
  it('are finished by the scrapers that have them when every connection to the broker is cut, three times', async () => {
    await using scraper = await startTestScraper(HTTP_ONLY, HTTP_ONLY);
    await sendPages(scraper, 8, '/slow/6000');
    await eventually(() => expect(scraper.origin.requests).toHaveLength(8));
    for (let cut = 0; cut < 3; cut++) {
      await scraper.restartBroker();
      await eventually(async () => expect(await scraper.consumerCount('http')).toBe(2));
    }
    await eventually(() => expect(scraper.outcomes).toHaveLength(8));
    expect(kindsByPage(scraper.outcomes)).toEqual(Array(8).fill(['found']));
    expect(scraper.origin.requests).toHaveLength(8);
  });

  it('are reported lost when the process that had them is gone, and only they are', async () => {
    await using scraper = await startTestScraper(HTTP_ONLY);
    const doomed = await scraper.connect();
    const doomedPages: string[] = [];
    doomed.consumeWork(
      'pages.http',
      async ({ body, signal }) => {
        doomedPages.push(body.pageId);
        await sleep(60_000, undefined, { signal });
      },
      { concurrency: 4 },
    );
    await untilReady(doomed);
    await sendPages(scraper, 6, '/');
    await eventually(() => expect(doomedPages.length + scraper.outcomes.length).toBe(6));
    expect(doomedPages.length).toBeGreaterThan(0);
    await doomed.close(0);
    await eventually(() => expect(scraper.outcomes).toHaveLength(6));
    const lost = scraper.outcomes.filter(({ outcome }) => outcome.kind === 'lost');
    expect(lost.map(({ pageId }) => pageId).sort()).toEqual(doomedPages.sort());
  });

  it('are not fetched when their job was cancelled before the scraper could hear of it', async () => {
    await using scraper = await startTestScraper(HTTP_ONLY);
    const orchestrator = await scraper.connect();
    orchestrator.onBroadcast('pageClaims', async ({ jobs = [] }) => {
      if (jobs.length === 0) return;
      const over = jobs.filter((id) => id === 'job_cancelled');
      const going = jobs.filter((id) => id !== 'job_cancelled');
      await orchestrator.broadcast('pageClaims', { asked: [], held: [], going, over });
    });
    await untilReady(orchestrator);
    await scraper.sendPage({ url: '/?cancelled' }, { jobId: 'job_cancelled', pageId: 'job_cancelled:0' });
    await sendPages(scraper, 2, '/');
    await eventually(() => expect(scraper.outcomes).toHaveLength(2));
    expect(scraper.outcomes.map(({ jobId }) => jobId)).toEqual(['job_1', 'job_1']);
    expect(scraper.origin.requestsTo('/?cancelled')).toEqual([]);
    await orchestrator.close();
  });
});
