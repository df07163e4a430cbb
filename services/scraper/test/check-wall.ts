import { expect } from '@jest/globals';
import type { TestScraper } from './start-test-scraper.ts';

/** Name of the test of a wall. */
export const WALL_IS_NO_PAGE =
  'the wall of %s is never returned as the page, in either engine, and the page is once its check is passed';

/** Expects that a scraper tells the wall of a vendor from the page behind it. */
export async function checkWall(scraper: TestScraper, vendor: string): Promise<void> {
  const url = `/wall/${vendor}/script`;
  for (const render of [true, false]) {
    const query = vendor === 'generic-captcha' ? '' : '?status=200';
    const refused = await scraper.scrape({ url: `/blocked/${vendor}${query}`, render });
    expect(refused).toMatchObject({ ok: false, failure: { code: 'BLOCKED' } });
  }
  const reply = await scraper.scrape({ url, antiBot: true, selectors: { h: 'h1' } });
  if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  expect(reply.result).toMatchObject({ engine: 'browser', statusCode: 200 });
  expect(JSON.parse(reply.result.dataJson ?? '')).toEqual({ h: 'Behind the wall' });
}
