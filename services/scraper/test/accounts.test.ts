import { createId } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const PER_ACCOUNT = 3;
const STALLED = 10;

let scraper: TestScraper;

beforeAll(async () => {
  scraper = await startTestScraper({ ENGINES: 'http', SCRAPE_CONCURRENCY: String(PER_ACCOUNT) });
});
afterAll(async () => {
  await scraper[Symbol.asyncDispose]();
});

describe('an account whose pages stall', () => {
  it('leaves places for other accounts, and uses a place of its own when one becomes free', async () => {
    const path = '/stall/before-headers';
    const ids = Array.from({ length: STALLED }, () => createId('req'));
    const options = { accountId: 'acc_stalling', timeoutMs: 120_000 };
    const stalled = ids.map((requestId) => scraper.scrape({ url: path }, { ...options, requestId }));
    const fetched = () => scraper.origin.requestsTo(path).length;
    await eventually(() => expect(fetched()).toBe(PER_ACCOUNT));
    expect(await scraper.scrape({ url: '/' }, { accountId: 'acc_other' })).toMatchObject({ ok: true });
    expect(fetched()).toBe(PER_ACCOUNT);
    await expect(scraper.scrape({ url: '/' }, { ...options, timeoutMs: 500 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      source: 'api',
    });
    await scraper.cancel(ids[0] ?? '');
    await eventually(() => expect(fetched()).toBe(PER_ACCOUNT + 1));
    for (const id of ids) await scraper.cancel(id);
    expect((await Promise.all(stalled)).every(({ ok }) => !ok)).toBe(true);
  });
});
