import { randomUUID } from 'node:crypto';
import { defined, ROUTES, type RouteName } from '@gleaner/contracts';
import {
  COSTLY_CRAWLS,
  COSTLY_OPTIONS,
  COSTLY_SELECTORS,
  COSTLY_URLS,
  costlyBodiesOf,
  WRONG_CRAWLS,
  WRONG_OPTIONS,
  WRONG_SELECTORS,
  WRONG_URLS,
} from './costly-bodies.ts';
import { LARGE_DATASET, type LargeData, RECIPES_URL } from './seed-large.ts';

/** A request that may take long; without a name, its query names the costly part. */
export interface CostlyCall {
  readonly name?: string;
  /** The `id`, the `requestId`, or the `name` and the `key` of the path. */
  readonly id?: string;
  /** Begins with `?`. */
  readonly query?: string;
  readonly body?: object;
  /** Status of its answer, if it is not that of the route. */
  readonly status?: number;
}

type Bodies = Readonly<Record<string, object>>;

/** Returns calls with these bodies, including malformed ones. */
const named = (costly: Bodies, wrong: Bodies, around: (body: object) => object): CostlyCall[] => [
  ...Object.entries(costly).map(([name, body]) => ({ name, body: around(body) })),
  ...Object.entries(wrong).map(([name, body]) => ({ name, body: around(body), status: 400 })),
];

const PAGE = 'https://example.com/';
const STATE = {
  cookies: Array.from({ length: 1000 }, (_, index) => ({
    name: `c${index}`,
    value: 'x'.repeat(100),
    domain: 'example.com',
  })),
  origins: [],
};
const withWrongName = (cookie: object) => ({ ...cookie, name: 'a b' });
const selectorsOf = (more: object) =>
  named(COSTLY_SELECTORS, WRONG_SELECTORS, (selectors) => ({ ...more, selectors }));
const optionsOf = (more: object) => [
  ...selectorsOf(more),
  ...named(COSTLY_OPTIONS, WRONG_OPTIONS, (options) => ({ ...more, ...options })),
];
const crawlsOf = (more: object) => named(COSTLY_CRAWLS, WRONG_CRAWLS, (crawl) => ({ ...more, crawl }));
const allTerms = Array.from({ length: 100 }, (_, index) => `a${index}`)
  .join(' ')
  .slice(0, 100);

/** Fifty tests with pages of so many characters. */
const testsOf = (characters: number) =>
  Array.from({ length: 50 }, (_, index) => ({
    name: `${index}`,
    html: `${index}${'ä"'.repeat(characters / 2)}`,
    expect: { text: 'x'.repeat(8000), [`a${'.a'.repeat(240)}`]: Array(100).fill({ a: index }) },
  }));

/** Gives the body of a call another name at each attempt. */
const withNewName = (each: CostlyCall): CostlyCall => ({
  ...each,
  get body() {
    return { name: randomUUID(), ...each.body };
  },
});

/** The cases of every route, beside bodies that do not fit its schema. */
const CALLS: Readonly<Record<RouteName, (data: LargeData) => readonly CostlyCall[]>> = {
  scrape: () => [{ name: 'a large result', body: { url: `${PAGE}large` } }, ...optionsOf({ url: PAGE })],
  extract: () => [
    { name: 'a large page', body: { html: `<p>${'ä"<'.repeat(2_000_000)}` } },
    ...selectorsOf({ html: '<p>' }),
  ],
  map: () => [
    { name: 'a large map', body: { url: `${PAGE}large` } },
    ...['include', 'exclude'].map((name) => ({
      name: `patterns to ${name}`,
      body: { url: PAGE, [name]: Array.from({ length: 100 }, (_, index) => `/${index}/**/a/**/b`) },
    })),
  ],
  search: () => [
    { name: 'costly results', body: { query: 'costly', limit: 50 } },
    { name: 'a large answer', body: { query: 'huge' }, status: 502 },
    { name: 'many values', body: { query: 'numbers' }, status: 502 },
    { name: 'a deep answer', body: { query: 'deep' }, status: 502 },
    { name: 'large pages', body: { query: 'large', scrape: {} } },
    ...named(COSTLY_SELECTORS, WRONG_SELECTORS, (selectors) => ({ query: 'a', scrape: { selectors } })),
  ],
  getTrace: (data) => [{ id: data.requestId }],
  extractSnapshot: (data) => [
    { name: 'a large page', id: data.snapshotId, body: {} },
    ...selectorsOf({}).map((each) => ({ ...each, id: data.smallSnapshotId })),
  ],
  suggestSelectors: (data) => [
    {
      id: data.snapshotId,
      body: {
        kind: 'list',
        picks: [1],
        within: Array.from({ length: 10_000 }, (_, index) => index),
        alsoOn: [data.snapshotId, data.snapshotId],
      },
    },
  ],
  viewSnapshot: (data) => [{ id: data.snapshotId }],
  getFile: (data) => [{ id: data.fileId }],
  createJob: () => [
    ...named(COSTLY_URLS, WRONG_URLS, (urls) => ({ urls })),
    ...optionsOf({ urls: [PAGE] }),
    ...crawlsOf({ urls: [PAGE] }),
    {
      name: 'URLs to choose a recipe for',
      body: {
        urls: Array.from({ length: 30_000 }, (_, index) => `${RECIPES_URL}${'a/'.repeat(50)}${index}/b`),
        recipe: 'auto',
      },
      status: 400,
    },
  ],
  listJobs: () => [{ query: '?limit=100' }, { query: `?limit=100&search=${encodeURIComponent(allTerms)}` }],
  getJob: (data) => [{ id: data.wide.id }, { id: data.heavy.id }, { id: data.changed.id }],
  getJobResults: (data) => [
    { id: data.wide.id, query: '?format=json' },
    { id: data.wide.id, query: '?format=csv&pages=all' },
    { id: data.heavy.id, query: '?format=ndjson' },
    { id: data.heavy.id, query: '?format=csv' },
    { id: data.heavy.id, query: '?format=csv&rows=cards&columns=title,price.amount' },
    { id: data.heavy.id, query: '?format=csv&columns=body,formats.markdown' },
    { id: data.wide.id, query: '?format=parquet&pages=all' },
    { id: data.heavy.id, query: '?format=parquet' },
    { id: data.heavy.id, query: '?format=parquet&rows=cards&columns=title,price.amount' },
  ],
  getJobChanges: (data) => [{ id: data.changed.id, query: `?limit=1000` }],
  getJobUrls: (data) => [
    { id: data.wide.id },
    { id: data.wide.id, query: `?url=${PAGE}` },
    { id: data.changed.id },
    { id: data.changed.id, query: `?url=${PAGE}${'a/'.repeat(3000)}` },
  ],
  getJobScreenshot: (data) => [{ id: data.heavy.id }],
  getJobTrace: (data) => [{ id: data.heavy.id }],
  getJobEvents: (data) => [{ id: data.changed.id }],
  rerunJob: (data) => [{ id: data.wide.id, body: {} }],
  extractJob: (data) => [
    { id: data.wide.id, body: {} },
    ...selectorsOf({}).map((each) => ({ ...each, id: data.wide.id })),
  ],
  listSinks: () => [{}],
  listDatasets: () => [{}],
  getDataset: () => [{ id: LARGE_DATASET }],
  listRecords: () => [
    { id: LARGE_DATASET, query: '?limit=1000' },
    { id: LARGE_DATASET, query: '?format=ndjson' },
    { id: LARGE_DATASET, query: '?format=parquet' },
    { id: LARGE_DATASET, query: '?format=csv' },
    { id: LARGE_DATASET, query: '?format=csv&since=0&op=gone' },
    { id: LARGE_DATASET, query: '?changedAfter=2099-01-01T00:00:00.000Z' },
  ],
  getRecordHistory: () => [{ id: LARGE_DATASET }],
  deleteDataset: () => [{ id: 'none', status: 404 }],
  createRecipe: () => [
    ...named(COSTLY_SELECTORS, WRONG_SELECTORS, (selectors) => ({ options: { selectors } })).map(withNewName),
    withNewName({ name: 'large tests', body: { options: {}, tests: testsOf(150_000) } }),
  ],
  listRecipes: () => [{}],
  getRecipe: (data) => [{ id: data.recipeId }],
  updateRecipe: (data) => [{ id: data.recipeId, body: { tests: testsOf(100) } }],
  deleteRecipe: () => [{ id: 'rec_none', status: 404 }],
  testRecipe: (data) => [{ id: data.recipeId }],
  tryRecipe: () => [{ body: { options: {}, tests: testsOf(150_000) } }],
  recordTest: (data) => [{ id: data.recipeId, body: { jobId: data.heavy.id, index: 0 }, status: 400 }],
  addRecipePage: () => [{ body: { html: '"'.repeat(1024 * 1024) } }],
  getRecipePage: (data) => [{ id: data.testPage }],
  putSecret: () => [{ id: 'shop', body: { value: 'x'.repeat(4096) } }],
  listSecrets: () => [{}],
  deleteSecret: () => [{ id: 'none', status: 404 }],
  cancelJob: (data) => [{ id: data.wide.id }],
  createProfile: () => [
    {
      // Another name at each attempt.
      get body() {
        return { name: randomUUID(), storageState: STATE };
      },
    },
    {
      name: 'wrong cookies',
      body: { name: 'shop', storageState: { ...STATE, cookies: STATE.cookies.map(withWrongName) } },
      status: 400,
    },
  ],
  listProfiles: () => [{}],
  getProfile: () => [{ id: 'prof_none', status: 404 }],
  updateProfile: () => [{ id: 'prof_none', body: { ttl: 60_000 }, status: 404 }],
  deleteProfile: () => [{ id: 'prof_none', status: 404 }],
  loginProfile: () => [{ id: 'prof_none', status: 404 }],
  getProfileState: () => [{ id: 'prof_none', status: 404 }],
  createSchedule: () => [
    {
      name: 'long URLs',
      body: {
        cron: '* * * * *',
        urls: Array.from({ length: 1000 }, (_, index) => `${PAGE}${'ä/../'.repeat(100)}${index}`),
      },
    },
    ...crawlsOf({ url: PAGE, cron: '* * * * *' }),
  ],
  listSchedules: () => [{ query: '?limit=100' }],
  previewSchedule: () => [{ query: `?cron=${encodeURIComponent('*/2,'.repeat(60))}*%20*%20*%20*%20*` }],
  getSchedule: (data) => [{ id: data.schedule.id }],
  getScheduleHealth: (data) => [{ id: data.schedule.id }],
  acceptSuggestions: (data) => [
    {
      id: data.schedule.id,
      body: { fields: Array.from({ length: 100 }, (_, index) => `f${index}`) },
      status: 409,
    },
  ],
  updateSchedule: (data) => crawlsOf({}).map((each) => ({ ...each, id: data.schedule.id })),
  pauseSchedule: (data) => [{ id: data.schedule.id }],
  resumeSchedule: (data) => [{ id: data.schedule.id }],
  runSchedule: (data) => [{ id: data.schedule.id }],
  listScheduleRules: (data) => [{ id: data.schedule.id }],
  listScheduleRuns: (data) => [{ id: data.schedule.id, query: `?limit=100` }],
  listScheduleChanges: (data) => [{ id: data.schedule.id, query: `?limit=20` }],
  getScheduleFeed: (data) => [{ id: data.schedule.id }],
  rotateScheduleFeed: (data) => [{ id: data.schedule.id }],
  readScheduleAtom: (data) => [{ id: data.schedule.id }],
  readScheduleFeed: (data) => [{ id: data.schedule.id }, { id: data.schedule.id, query: '?only=changes' }],
  getScheduleDiff: ({ schedule, textRuns: [from, to] }) =>
    ['json', 'text'].map((format) => ({
      id: schedule.id,
      query: `?from=${from}&to=${to}&format=${format}`,
    })),
  deleteSchedule: (data) => [{ id: data.schedule.id }],
  getWebhookSecret: () => [{}],
  rotateWebhookSecret: () => [{}],
  listWebhookDeliveries: (data) => [{ query: '?limit=100' }, { query: `?limit=100&jobId=${data.heavy.id}` }],
  redeliverWebhook: (data) => [{ id: data.deliveryId }],
  testWebhook: () => [{ body: { url: `${PAGE}${'ä/../'.repeat(1300)}` } }],
  createChannel: () => [
    { body: { type: 'webhook', name: 'ä'.repeat(200), url: `${PAGE}${'ä/../'.repeat(1300)}` } },
  ],
  listChannels: () => [{}],
  getChannel: () => [{ id: 'none', status: 404 }],
  updateChannel: () => [
    { id: 'none', body: { to: Array(10).fill(`${'a'.repeat(64)}@${'b.'.repeat(120)}`) }, status: 404 },
  ],
  deleteChannel: () => [{ id: 'none', status: 404 }],
  testChannel: () => [{ id: 'none', status: 404 }],
  createKey: () => [{ body: { name: 'ä'.repeat(200), scopes: ['jobs'] } }],
  listKeys: () => [{ query: '?limit=100' }],
  getCurrentKey: () => [{}],
  revokeKey: (data) => [{ id: data.keyId }],
  estimate: () => [
    ...named(COSTLY_URLS, WRONG_URLS, (urls) => ({ urls })).map((each) => ({ ...each, query: '?look=true' })),
    ...named(COSTLY_URLS, WRONG_URLS, (urls) => ({ urls })),
    ...optionsOf({ url: PAGE }),
    ...crawlsOf({ urls: [PAGE] }),
    ...crawlsOf({ url: PAGE, cron: '* * * * *' }),
  ],
  getUsage: () => [{ query: '?from=2026-01-01&to=2026-12-31' }],
  getSystem: () => [{}],
};

/** Returns costly calls of a route, and malformed bodies. */
export function costlyCallsOf(route: RouteName, data: LargeData): CostlyCall[] {
  const calls = CALLS[route](data);
  const id = calls[0]?.id;
  const wrong = costlyBodiesOf(route).map(([name, body]) => ({
    name,
    body,
    // Any text is HTML.
    ...(name !== 'a text as html' && { status: 400 }),
    ...defined({ id }),
  }));
  return [...calls, ...wrong];
}

/** Returns the path of a call, with its query. */
export function targetOf(route: RouteName, { id = '', query = '' }: CostlyCall): string {
  return ROUTES[route].path.replace(/\{index\}/, '0').replaceAll(/\{\w+\}/g, id) + query;
}
