import { setTimeout as sleep } from 'node:timers/promises';
import type { SelectorMap } from '@gleaner/contracts';
import { eventually, type Origin, routesOf, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** Time for the busiest machine. */
const PATIENCE_MS = 300_000;
/** Shorter than a thread takes to start and to read a page. */
const HASTE_MS = 200;
/** Makes a page too large for the event loop. */
const PADDING = `<!--${' '.repeat(300_000)}-->`;
const LIGHT = { path: '/light', markup: `<h1>Light</h1>${PADDING}`, selectors: { title: 'h1' } };
const HEAVY = {
  path: '/heavy',
  markup: '<i>1,234.56</i>'.repeat(10_000) + PADDING,
  selectors: Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`n${index}`, { selector: 'i', all: true, type: 'number' }]),
  ) as SelectorMap,
};

let origin: Origin;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  origin = await startOrigin({
    routes: routesOf({ [LIGHT.path]: LIGHT.markup, [HEAVY.path]: HEAVY.markup }),
  });
  settings = { ENGINES: 'http', EGRESS_ALLOW: `127.0.0.1:${origin.port}` };
});
afterAll(() => origin.close());

/** Sends a page of a job of its own account. */
async function sendPage(
  scraper: TestScraper,
  accountId: string,
  { path, selectors }: { readonly path: string; readonly selectors: SelectorMap },
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  const ids = { accountId, jobId: `job_${accountId}`, pageId: `job_${accountId}:0` };
  const times = { timeoutMs, startBeforeMs: Date.now() + PATIENCE_MS };
  await scraper.sendPage({ url: origin.url + path, selectors }, { ...ids, ...times });
}

const pageOf = (accountId: string) => ({
  pageId: `job_${accountId}:0`,
  outcome: expect.objectContaining({ kind: 'found' }),
});

describe('the threads that read pages', () => {
  it(
    'read a page of one account while a page of another takes seconds',
    async () => {
      await using scraper = await startTestScraper(settings);
      const options = { timeoutMs: PATIENCE_MS };
      // Starts both threads: one may take longer to start than the other to read the heavy page.
      const warming = ['acc_1', 'acc_2'].map((accountId) =>
        scraper.scrape({ url: origin.url + LIGHT.path }, { accountId, ...options }),
      );
      await Promise.all(warming);
      await sendPage(scraper, 'acc_heavy', HEAVY);
      await eventually(() => expect(origin.requestsTo(HEAVY.path)).toHaveLength(1));
      await sendPage(scraper, 'acc_light', LIGHT);
      const { outcomes, largeOutcomes } = scraper;
      await eventually(() => expect(outcomes).toMatchObject([pageOf('acc_light')]), options);
      expect(largeOutcomes).toEqual([]);
      await eventually(() => expect(largeOutcomes).toMatchObject([pageOf('acc_heavy')]), options);
    },
    2 * PATIENCE_MS,
  );

  it(
    'start for a page that can wait, though pages without enough time keep coming',
    async () => {
      await using scraper = await startTestScraper(settings);
      await scraper.scrape({ url: origin.url + LIGHT.path }, { timeoutMs: PATIENCE_MS });
      await sendPage(scraper, 'acc_patient', LIGHT);
      const isFound = () => {
        const { pageId } = pageOf('acc_patient');
        return scraper.outcomes.some((page) => page.pageId === pageId && page.outcome.kind === 'found');
      };
      const giveUpAtMs = Date.now() + PATIENCE_MS;
      for (let sent = 0; !isFound() && Date.now() < giveUpAtMs; sent += 1) {
        await sendPage(scraper, `acc_hasty_${sent % 5}`, LIGHT, HASTE_MS);
        await sleep(HASTE_MS / 10);
      }
      expect(isFound()).toBe(true);
    },
    2 * PATIENCE_MS,
  );
});
