import { BLOCK_PAGE_VENDORS } from '../origin/behaviors/block-pages.ts';
import { CONSENT_VENDORS, type ConsentPageName } from '../origin/behaviors/consent-pages.ts';
import { MEMBER } from '../origin/behaviors/members.ts';
import { LABELED_PAGES, type LabeledPage } from '../origin/behaviors/suspect-pages.ts';
import { typedPath } from '../origin/page-path.ts';

/** Options of a scrape, as the API takes them. */
type Options = Readonly<Record<string, unknown>>;

/** A page of the range, how to scrape it, and the right answer. */
export interface RangeCase {
  /** Path and query. */
  readonly path: string;
  /** Options of the scrape besides its URL. */
  readonly options?: Options;
  readonly expect: RangeAnswer;
}

/** Right answer of a scrape: an error of the target with this code, or a result with this verdict and data. */
export type RangeAnswer =
  | { readonly error: string }
  | {
      readonly verdict: LabeledPage['page'];
      readonly basis?: LabeledPage['basis'];
      /** Code that the signals must contain. */
      readonly signal?: string;
      readonly data?: Readonly<Record<string, unknown>>;
    };

/** Long enough for the retries of a busy machine, and short enough to wait for. */
const STALLED_MS = 8000;
const PATIENT_MS = 60_000;

const ITEMS = { items: { selector: '.item:nth-child(-n+3)', all: true } };
const FIRST_ITEMS = { items: ['Item 1', 'Item 2', 'Item 3'] };
const PRICE = { price: '.price' };
const ACCOUNT = { heading: 'h1', account: '.account' };
const END = { end: '.end' };
const CARD = { name: '.card .name', price: '.card .price' };
const rendered = (selectors: Options) => ({
  render: true,
  selectors,
  timeout: PATIENT_MS,
});
/** Steps after which a list has all its items. */
const whole = (actions: readonly Options[], count: number) => ({
  options: {
    actions,
    selectors: { count: { selector: '.item', type: 'count' }, last: LAST },
    timeout: PATIENT_MS,
  },
  expect: found({ count, last: `Item ${count}` }),
});
const LAST = '.item:last-of-type';
const stalled = { timeout: STALLED_MS };

/** Answers to paths that do not exist. They come first: a scraper asks a host about a few kinds of paths, and not about all. */
const UNKNOWN_PATH_CASES: readonly RangeCase[] = [
  ...['soft', 'echo'].map((manner) => ({
    path: `/unknown-paths/${manner}/gone`,
    expect: { verdict: 'notFound' as const, basis: 'observed' as const, signal: 'UNKNOWN_PATH' },
  })),
];

/** Pages that answer with data. */
const DATA_CASES: readonly RangeCase[] = [
  {
    path: '/product/1',
    options: { selectors: { h: 'h1', ...PRICE } },
    expect: found({ h: 'Product 1', price: '10.00' }),
  },
  { path: '/redirect-times/3', options: { selectors: { h: 'h1' } }, expect: found({ h: 'Arrived' }) },
  {
    path: '/slow/800',
    options: { selectors: { t: 'title' } },
    expect: { verdict: 'empty', data: { t: 'Slow' } },
  },
  {
    path: '/files/report.pdf',
    expect: found({ title: 'Annual report', text: 'Kettles boiled 19,000 litres.\nTeapots held them.' }),
  },
  { path: '/files/scan.pdf', expect: found({ title: null, text: '' }) },
  { path: '/talks-about-blocking', expect: { verdict: 'content' } },
  { path: '/protected-but-open', options: { selectors: { h: 'h1' } }, expect: found({ h: 'Welcome' }) },
  { path: '/redesign?v=1', options: { selectors: PRICE }, expect: found({ price: '19.90' }) },
  { path: '/redesign?v=2', options: { selectors: PRICE }, expect: found({ price: null }) },
  {
    path: '/redesign/list?v=1',
    options: { selectors: CARD },
    expect: found({ name: 'Kettle', price: '10.00 €' }),
  },
  {
    path: '/redesign/list?v=1&day=1',
    options: { selectors: CARD },
    expect: found({ name: 'Teapot', price: '12.90 €' }),
  },
  { path: '/redesign/list?v=2', options: { selectors: CARD }, expect: found({ name: null, price: null }) },
  {
    path: '/members/orders',
    options: { headers: { cookie: MEMBER.cookie }, selectors: ACCOUNT },
    expect: found({ heading: '/members/orders', account: 'Ada' }),
  },
  { path: '/members/orders', expect: { verdict: 'login', basis: 'observed', signal: 'LOGIN_REDIRECT' } },
  { path: '/members/login', expect: { verdict: 'login', basis: 'observed', signal: 'PASSWORD_FORM' } },
  { path: '/drip/20?bytes=50', expect: { verdict: 'content' } },
  { path: '/calendar/2026/7', options: { selectors: { h: 'h1' } }, expect: found({ h: '2026-7' }) },
  { path: '/list?page=7', options: { selectors: { h: 'h1' } }, expect: found({ h: 'Page 7' }) },
  { path: '/goods?f1=1', options: { selectors: { h: 'h1' } }, expect: found({ h: 'Goods' }) },
  { path: '/honeypot', options: { selectors: { h: 'h1' } }, expect: found({ h: 'Kettles' }) },
  { path: '/files/prices.csv', expect: { verdict: 'content' } },
  ...['soft', 'fresh', 'blocked', 'redirects', 'stalls', 'endless'].map((manner) => ({
    path: `/unknown-paths/${manner}/kettle`,
    options: { selectors: PRICE },
    expect: found({ price: '19.90' }),
  })),
  {
    path: '/wall/datadome/headers',
    options: { antiBot: true, selectors: PRICE },
    expect: found({ price: '19.90' }),
  },
];

/** Pages that need a browser. */
const RENDERED_CASES: readonly RangeCase[] = [
  { path: '/scripted/xhr', expect: { verdict: 'shell', basis: 'observed' } },
  {
    path: '/scripted/xhr',
    options: rendered({ prices: { selector: '.offer b', all: true } }),
    expect: found({ prices: ['19.90', '24.50'] }),
  },
  {
    path: '/scripted/xhr',
    options: { ...rendered({ price: '.offer b' }), render: 'auto' },
    expect: found({ price: '19.90' }),
  },
  { path: '/scripted/shadow-dom', options: rendered(PRICE), expect: found({ price: '19.90' }) },
  { path: '/scripted/frame', options: rendered(PRICE), expect: found({ price: null }) },
  {
    path: '/scripted/frame',
    options: { ...rendered(PRICE), frames: true },
    expect: found({ price: '20.00' }),
  },
  { path: '/scripted/closed-shadow-dom', options: rendered(PRICE), expect: found({ price: null }) },
  {
    path: '/scripted/refused-frame',
    options: { ...rendered(END), frames: true },
    expect: found({ end: 'End' }),
  },
  {
    path: '/scripted/frame-bomb',
    options: { ...rendered(END), frames: true },
    expect: found({ end: 'End' }),
  },
  {
    path: '/scripted/frame-in-frame',
    options: { ...rendered(PRICE), frames: true },
    expect: found({ price: '20.00' }),
  },
  ...CONSENT_VENDORS.flatMap((vendor) => [
    dismissed(vendor, 'reject', 'no'),
    dismissed(vendor, 'accept', 'yes'),
    dismissed(vendor, 'hide', ''),
  ]),
  ...[...CONSENT_VENDORS, 'sourcepoint', 'stubborn', 'closed-shadow', 'many-words'].map((layer) => ({
    path: `/consent/${layer}`,
    options: rendered({ title: 'h1' }),
    expect: {
      verdict: 'consent' as const,
      basis: 'observed' as const,
      signal: 'CONSENT_LAYER',
      data: { title: 'Kettle' },
    },
  })),
  ...['none', 'dialog', 'bar', 'app'].map((layer) => ({
    path: `/consent/${layer}`,
    options: rendered({ title: 'h1' }),
    expect: found({ title: 'Kettle' }),
  })),
  dismissed('none', 'reject', ''),
  dismissed('dialog', 'reject', ''),
  { path: '/lists/infinite-scroll', options: rendered(ITEMS), expect: found(FIRST_ITEMS) },
  { path: '/lists/virtual-scroll', options: rendered(ITEMS), expect: found(FIRST_ITEMS) },
  { path: '/lists/virtual-box', options: rendered(ITEMS), expect: found(FIRST_ITEMS) },
  { path: '/lists/load-more', options: rendered(ITEMS), expect: found(FIRST_ITEMS) },
  { path: '/lists/load-more', ...whole([{ repeat: [{ click: '.more' }] }], 60) },
  { path: '/lists/infinite-scroll', ...whole([{ repeat: [{ scroll: 'end' }], times: 50 }], 300) },
  { path: '/lists/virtual-scroll', ...whole([{ collect: '.item' }, { scroll: 'end' }], 1000) },
  { path: '/lists/virtual-box', ...whole([{ collect: '.item' }, { scroll: 'end', in: '#box' }], 1000) },
  {
    path: '/members/login',
    options: {
      selectors: ACCOUNT,
      actions: [
        { fill: '#user', value: MEMBER.name },
        { fill: '#password', value: MEMBER.password },
        { press: 'Enter' },
      ],
      timeout: PATIENT_MS,
    },
    expect: found({ heading: '/members/home', account: 'Ada' }),
  },
];

/** Suspect pages that must become an error. */
const SUSPECT_CASES: readonly RangeCase[] = [
  failing('/suspect/recaptcha-page', 'BLOCKED', { onSuspect: 'fail' }),
  failing('/suspect/bare-login', 'LOGIN_REQUIRED', { onSuspect: 'fail' }),
  failing('/suspect/wordpress-404', 'NOT_FOUND', { onSuspect: 'fail' }),
  failing('/suspect/react-shell', 'RENDER_NEEDED', { onSuspect: 'fail' }),
];

/** Pages that cannot be had. */
const FAILING_CASES: readonly RangeCase[] = [
  failing('/status/401', 'BLOCKED'),
  failing('/status/403', 'BLOCKED'),
  failing('/status/404', 'NOT_FOUND'),
  failing('/status/410', 'NOT_FOUND'),
  failing('/status/451', 'BLOCKED'),
  failing('/rate-limited', 'RATE_LIMITED'),
  failing('/status/500', 'UPSTREAM_ERROR'),
  failing('/status/503?retry-after=120', 'UPSTREAM_ERROR'),
  failing('/redirect-loop', 'UPSTREAM_ERROR'),
  failing('/redirect-without-location', 'UPSTREAM_ERROR'),
  failing('/stall/before-headers', 'TIMEOUT', stalled),
  failing('/stall/mid-body', 'TIMEOUT', stalled),
  failing('/drip/100', 'TIMEOUT', stalled),
  failing('/reset/before-headers', 'UPSTREAM_ERROR'),
  failing('/close/mid-body', 'UPSTREAM_ERROR'),
  failing('/garbage/bytes', 'UPSTREAM_ERROR'),
  failing('/length/two', 'UPSTREAM_ERROR'),
  failing('/header-flood', 'UPSTREAM_ERROR'),
  failing('/bomb/gzip', 'UNSUPPORTED_CONTENT'),
  failing('/endless', 'UNSUPPORTED_CONTENT', { timeout: PATIENT_MS }),
  failing(typedPath('application/pdf', '%PDF-1.7'), 'UNSUPPORTED_CONTENT'),
  failing('/files/report.pdf', 'UNSUPPORTED_CONTENT', { selectors: PRICE }),
  failing('/files/report.pdf', 'UNSUPPORTED_CONTENT', { render: true }),
  failing('/files/cut.pdf', 'UNSUPPORTED_CONTENT'),
  failing('/files/photos.zip', 'UNSUPPORTED_CONTENT'),
  failing('/files/prices.csv', 'UNSUPPORTED_CONTENT', { render: true }),
  failing(typedPath('image/png', '\u0089PNG'), 'UNSUPPORTED_CONTENT'),
  failing(typedPath('application/octet-stream', '\0\u0001\u0002'), 'UNSUPPORTED_CONTENT'),
];

/** Every page of the range with the right answer. */
export const RANGE_CASES: readonly RangeCase[] = [
  ...UNKNOWN_PATH_CASES,
  ...DATA_CASES,
  ...RENDERED_CASES,
  ...LABELED_PAGES.map(({ path, page, basis, code }) => ({
    path,
    expect: { verdict: page, basis, ...(code !== undefined && { signal: code }) },
  })),
  ...BLOCK_PAGE_VENDORS.map((vendor) => failing(`/blocked/${vendor}`, 'BLOCKED')),
  ...SUSPECT_CASES,
  ...FAILING_CASES,
];

function found(data: Readonly<Record<string, unknown>>): RangeAnswer {
  return { verdict: 'content', data };
}

function failing(path: string, error: string, options?: Options): RangeCase {
  return { path, ...(options && { options }), expect: { error } };
}

function dismissed(layer: ConsentPageName, overlays: string, answer: string): RangeCase {
  return {
    path: `/consent/${layer}`,
    options: { ...rendered({ answer: '#answers', title: 'h1' }), overlays },
    expect: found({ answer, title: 'Kettle' }),
  };
}
