import type { CrawlFilter, PageCrawl, ScrapeRequest } from '@gleaner/contracts';

const times = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index));
const fields = <Value>(count: number, value: (index: number) => Value) =>
  Object.fromEntries(times(count, (index) => [`f${index}`, value(index)]));

/** Options that take long together with a hostile page, or the reason why the option adds none. */
type Costly = readonly Omit<ScrapeRequest, 'url'>[] | string;

const UNICODE = '(?i)[\\pL\\pN\\pS\\pM]';
const NO_TEXT = 'It chooses among stages and works on no text itself.';

/** The costly cases of every option of a scrape; the compiler asks for those of a new one. */
export const COSTLY_OPTIONS: Readonly<Record<keyof Omit<ScrapeRequest, 'url'>, Costly>> = {
  selectors: [
    { selectors: fields(50, () => 'body :has(> a ~ b + c d), div p:nth-last-child(2n+1), [class*="a"] ~ *') },
    { selectors: { all: { selector: '*', all: true, fields: { a: '*', b: { selector: 'a', all: true } } } } },
    { selectors: fields(20, (index) => ({ selector: '*', all: true, pattern: `${UNICODE}{1,9}${index}` })) },
    { selectors: fields(20, () => ({ selector: 'body', type: 'datetime' as const })) },
    { selectors: fields(20, () => ({ selector: 'script', json: '$..[?@.a>1 && @..b]', all: true })) },
  ],
  formats: [
    { formats: ['markdown', 'article', 'metadata', 'links', 'images', 'tables', 'text', 'html'] },
    {
      formats: (['markdown', 'links', 'images', 'text', 'html'] as const).map((type) => ({
        type,
        main: true,
        include: ':has(a), p',
        exclude: '.a ~ .b, :has(> x)',
      })),
    },
  ],
  extract: [
    {
      extract: {
        schema: {
          type: 'object',
          properties: fields(50, () => ({
            type: 'array',
            items: { type: 'object', properties: { a: { type: 'string' } } },
          })),
        },
      },
    },
  ],
  locale: [{ locale: 'th-TH', selectors: { a: { selector: 'body', type: 'datetime' } } }],
  method: [{ method: 'POST', body: 'x' }],
  body: [{ body: 'x'.repeat(60_000) }],
  json: [{ json: times(10_000, (index) => index) }],
  form: [{ form: fields(1000, () => times(5, () => 'ä &=')) }],
  repeatable: [{ repeatable: true, body: 'a' }],
  render: [{ render: true }, { render: 'auto' }],
  antiBot: [{ antiBot: true }],
  proxy: NO_TEXT,
  recipe: 'A scraper gets the options of the recipe instead.',
  actions: [
    {
      actions: [
        { collect: '*' },
        { repeat: [{ hover: 'body', optional: true }], times: 20 },
        { fill: 'input', value: 'x'.repeat(4000), optional: true },
        { click: ':has(a > b)'.repeat(200), optional: true },
      ],
    },
  ],
  waitFor: [{ waitFor: 'body' }, { waitFor: 10 }],
  screenshot: [{ screenshot: { fullPage: false } }],
  overlays: [{ overlays: 'hide', formats: ['markdown', 'text', 'article'] }, { overlays: 'reject' }],
  frames: [{ frames: true }],
  capture: [
    { capture: { all: { url: '**', types: ['document', 'fetch', 'xhr', 'script', 'other'], limit: 200 } } },
  ],
  pdf: [{ pdf: { maxPages: 2000 } }],
  download: [{ download: true }],
  onSuspect: [{ onSuspect: 'fail' }],
  maxAge: [{ maxAge: 1 }],
  snapshot: [{ snapshot: true }],
  freshContext: NO_TEXT,
  cookies: [
    {
      cookies: times(300, (index) => ({
        name: `c${index}`,
        value: 'v'.repeat(10),
        path: '/',
        domain: '127.0.0.1',
      })),
    },
  ],
  headers: [{ headers: fields(90, () => 'a '.repeat(80)) }],
  profile: 'Its session comes with the command and is read as cookies are.',
  maxCredits: NO_TEXT,
  timeout: NO_TEXT,
  stepScreenshots: [{ actions: [{ scroll: 'bottom' }], stepScreenshots: true }],
};

/** Returns the terms of a page of a crawl that reports every link, by costly patterns and selectors. */
export function costlyCrawl(purpose: PageCrawl['purpose']): PageCrawl {
  const filter: CrawlFilter = {
    scope: 'any',
    places: [],
    obeysNofollow: true,
    include: times(30, (index) => ({ regex: `${UNICODE}{1,3}${index}|page` })),
    exclude: times(30, (index) => `/${index}/**/a/**/b`),
    rules: times(20, (index) => `/**${index}/**`),
    ignoreQuery: times(50, (index) => `a*${index}*`),
  };
  const follow = times(20, () => ':has(> a), a');
  return {
    purpose,
    filter,
    describes: true,
    ...(purpose === 'page' && { follow, next: 'a:last-child' }),
    follow,
  };
}
