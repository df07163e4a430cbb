import { describe, expect, it } from '@jest/globals';
import { URL_A, useFirecrawl } from './support/use-firecrawl.ts';

const { service, ask } = useFirecrawl();

/** Bodies with every option, from which mutations begin. */
const WHOLE_PAGE = {
  formats: ['markdown', { type: 'screenshot', quality: 9, viewport: { width: 300, height: 300 } }],
  onlyMainContent: true,
  includeTags: ['main'],
  excludeTags: ['nav'],
  headers: { 'X-A': 'b' },
  waitFor: 10,
  mobile: true,
  timeout: 60_000,
  parsers: [{ type: 'pdf', maxPages: 3 }],
  proxy: 'auto',
  actions: [
    { type: 'click', selector: 'a' },
    { type: 'write', text: 'b' },
    { type: 'wait', milliseconds: 9 },
  ],
  location: { country: 'DE', languages: ['de'] },
};
const WEBHOOK = {
  url: 'https://hooks.example.com/',
  headers: { a: 'b' },
  metadata: { a: [1] },
  events: ['page'],
};
const WHOLE: Readonly<Record<string, object>> = {
  '/v2/scrape': { url: URL_A, ...WHOLE_PAGE },
  '/v2/batch/scrape': { urls: [URL_A, 'b.example'], webhook: WEBHOOK, ...WHOLE_PAGE },
  '/v2/crawl': {
    url: URL_A,
    includePaths: ['^/a(b|c)$'],
    excludePaths: ['[/]x'],
    limit: 3,
    delay: 1.5,
    webhook: WEBHOOK,
    scrapeOptions: WHOLE_PAGE,
  },
  '/v2/map': { url: URL_A, search: 'a', limit: 3, timeout: 60_000 },
};
const WRONG = [
  null,
  0,
  -1,
  1e21,
  '',
  'x',
  '\ud800',
  '(',
  '[',
  [],
  [null],
  {},
  { type: 'x' },
  true,
  '__proto__',
];

/** Returns bodies each of which has one value, at any depth, replaced by another. */
function* mutationsOf(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const mutated of mutationsOf(inner)) {
      yield Array.isArray(value) ? value.with(Number(name), mutated) : { ...value, [name]: mutated };
    }
  }
}

describe('hostile bodies', () => {
  it.each(Object.entries(WHOLE))('of %s are answered with a success or with 4xx', async (path, whole) => {
    const at = await service.bed.startGateway({ RATE_LIMIT_SCRAPE: '100000', RATE_LIMIT_CREATE: '100000' });
    const { key } = await service.bed.createKey();
    expect((await ask(path, { body: whole, at, key })).json).toMatchObject({ success: true });
    for (const body of mutationsOf(whole)) {
      const { status, json } = await ask(path, { body, at, key });
      expect([body, status, json]).toEqual([body, expect.any(Number), expect.any(Object)]);
      if (status === 200) continue;
      expect([body, status < 500, json]).toMatchObject([
        body,
        true,
        { success: false, code: expect.any(String) },
      ]);
    }
  });
});
