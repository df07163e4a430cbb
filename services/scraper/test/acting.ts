import type { Action, ScrapeRequest } from '@gleaner/contracts';
import { htmlPath } from '@gleaner/test-kit';
import { scrapeBriefly } from './scrape-briefly.ts';
import type { TestScraper } from './start-test-scraper.ts';

/** Returns the path of a page that writes its events into `#log`; its script has `log` and `$`. */
export function logging(markup: string, script = ''): string {
  return htmlPath(`<!doctype html><meta charset=utf-8><body>${markup}<p id=log></p><script>
    const log = (text) => { document.querySelector('#log').textContent += text + ' '; };
    const $ = (selector) => document.querySelector(selector);
    ${script}</script>`);
}

type Options = Partial<ScrapeRequest> & { readonly timeoutMs?: number };

/** Scrapes a page with actions, and returns its result with its data. Throws if it fails. */
export async function act(
  scraper: TestScraper,
  url: string,
  actions: readonly Action[],
  { timeoutMs = 240_000, ...options }: Options = {},
) {
  const selectors = { log: '#log', title: 'h1' };
  const answer = await scraper.scrape({ url, actions, selectors, ...options }, { timeoutMs });
  if (!answer.ok) throw new Error(`${answer.failure.code}: ${answer.failure.message}`);
  const { result } = answer;
  return { ...result, ...JSON.parse(result.dataJson ?? '{}') };
}

/** Scrapes a page with actions that fail, and returns the error; `isMeant` tells whether a TIMEOUT is it. */
export async function failToAct(
  scraper: TestScraper,
  url: string,
  actions: readonly Action[],
  timeoutMs = 6000,
  isMeant?: Parameters<typeof scrapeBriefly>[2],
) {
  const request = { url, actions, selectors: { log: '#log' } };
  const answer = await scrapeBriefly((ms) => scraper.scrape(request, { timeoutMs: ms }), timeoutMs, isMeant);
  if (answer.ok) throw new Error('It did not fail.');
  return answer.failure;
}

/** Parameters of a function after the first. */
export type Rest<Of extends (first: never, ...rest: never) => unknown> = Of extends (
  first: never,
  ...rest: infer Others
) => unknown
  ? Others
  : never;
