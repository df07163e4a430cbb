import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sniffEncoding } from '../../src/decode/sniff-encoding.ts';
import { startTestScraper, type TestScraper } from '../start-test-scraper.ts';
import { CASE_ROUTES, ENCODING_CASES } from './cases.ts';
import { summarise } from './reading.ts';

/** Chromium's readings of the same bytes, written by record.ts. */
const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as {
  readonly readings: Readonly<Record<string, string>>;
};

let site: Origin;
let scraper: TestScraper;

beforeAll(async () => {
  site = await startOrigin({ routes: CASE_ROUTES });
  scraper = await startTestScraper({ EGRESS_ALLOW: `127.0.0.1:${site.port}` });
});
afterAll(async () => {
  await scraper[Symbol.asyncDispose]();
  await site.close();
});

describe('a scrape', () => {
  it.each(ENCODING_CASES)('reads $name as Chromium does', async ({ name, bytes, contentType }) => {
    const url = `${site.url}/${name}`;
    const reply = await scraper.scrape({ url, selectors: { text: 'html' } });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    const { text } = JSON.parse(reply.result.dataJson ?? '');
    expect(`${sniffEncoding(bytes, contentType)}: ${summarise(text)}`).toBe(golden.readings[name]);
  });

  it('has a recording for every case, and no others', () => {
    expect(Object.keys(golden.readings)).toEqual(ENCODING_CASES.map(({ name }) => name));
  });
});
