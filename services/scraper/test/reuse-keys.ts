import { isDeepStrictEqual } from 'node:util';
import { reuseKeyOf, type ScrapeRequest } from '@gleaner/contracts';
import { createRandom, type Random } from '@gleaner/test-kit';

type OptionName = keyof Omit<ScrapeRequest, 'url'>;

/** Values of every option; the compiler asks for those of a new one. */
const VALUES: Readonly<Record<OptionName, readonly unknown[]>> = {
  recipe: ['rec_1@1', 'rec_2@1'],
  selectors: [{ a: 'h1' }, { a: 'h2' }],
  formats: [['text'], ['markdown']],
  extract: [{ schema: { type: 'object', properties: { a: { type: 'string' } } } }],
  locale: ['de', 'en'],
  method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  body: ['', 'a'],
  json: [null, false, 0, { a: 1 }, { a: 2 }],
  form: [{ a: 1 }, { a: [1, 2] }],
  repeatable: [true, false],
  render: [true, false, 'auto'],
  antiBot: [true, false],
  proxy: ['us', 'de'],
  actions: [[{ click: 'a' }]],
  waitFor: [0, 'a'],
  screenshot: [true, { fullPage: false }],
  overlays: ['keep', 'hide', 'accept', 'reject'],
  frames: [true, false],
  capture: [{ a: '**/a' }],
  pdf: [{ maxPages: 1 }],
  download: [true, false],
  onSuspect: ['keep', 'fail'],
  snapshot: [true, false],
  maxAge: [0, 1, 1000],
  freshContext: [true, false],
  cookies: [[], [{ name: 'a', value: 'b' }], [{ name: 'a', value: 'c' }]],
  headers: [{}, { Accept: 'a' }, { Accept: 'b' }, { Accept: 'a', Cookie: 'c' }, { Accept: 'a', Cookie: 'd' }],
  profile: ['prof_1', { id: 'prof_1', save: false }],
  maxCredits: [1, 9],
  timeout: [1000, 2000],
  stepScreenshots: [true, false],
};
const NAMES = Object.keys(VALUES) as OptionName[];
const URLS = ['http://a.test/', 'http://a.test/?b', 'http://a.test/#b', 'https://a.test/', 'http://b.test/'];
const ACCOUNTS = ['acc_1', 'acc_2'];

/** Options that leave the page of a request as it is. */
const READING: readonly OptionName[] = [
  'recipe',
  'selectors',
  'formats',
  'locale',
  'pdf',
  'onSuspect',
  'snapshot',
  'maxAge',
  'maxCredits',
  'timeout',
];
/** Options whose pages are fetched each time. */
const FRESH: readonly OptionName[] = ['extract', 'actions', 'capture', 'download', 'profile', 'screenshot'];

/** A request of an account. */
interface Sent {
  readonly accountId: string;
  readonly request: ScrapeRequest;
}

/**
 * Draws pairs of requests with few differences, and returns the pairs with wrong keys: equal ones although their pages may
 * differ, other ones although they only read differently, and keys of requests for a page of now.
 */
export function findWrongKeys(seed: number, pairs: number): readonly unknown[] {
  const random = createRandom(seed);
  const wrong: unknown[] = [];
  let shared = 0;
  for (let count = 0; count < pairs; count += 1) {
    const one = draw(random);
    const other = change(one, random);
    const [key, otherKey] = [one, other].map(({ request, accountId }) => reuseKeyOf(request, accountId));
    const isShared = key !== undefined && key === otherKey;
    if (isShared) shared += 1;
    const isAllowed = !isShared || isDeepStrictEqual(shapeOf(one), shapeOf(other));
    const isFresh = [one, other].some(({ request }) => isFetched(request)) && isShared;
    const isMissed = !isShared && isDeepStrictEqual(shapeOf(one), shapeOf(other)) && mayShare(one, other);
    if (!isAllowed || isFresh || isMissed) wrong.push({ one, other, key, otherKey });
  }
  return shared > pairs / 100 ? wrong : [...wrong, `Only ${shared} pairs have a key in common.`];
}

function draw(random: Random): Sent {
  const chosen = NAMES.filter(() => random.below(8) === 0);
  const options = Object.fromEntries(chosen.map((name) => [name, random.pick(VALUES[name])]));
  const request = { url: random.pick(URLS), maxAge: 1, ...options } as ScrapeRequest;
  return { accountId: random.pick(ACCOUNTS), request };
}

function change({ accountId, request }: Sent, random: Random): Sent {
  const kind = random.below(6);
  if (kind === 0) return { accountId: random.pick(ACCOUNTS), request };
  if (kind === 1) return { accountId, request: { ...request, url: random.pick(URLS) } };
  const name = random.pick(kind === 2 ? READING : NAMES);
  const value = random.below(4) === 0 ? undefined : random.pick(VALUES[name]);
  const { [name]: _before, ...rest } = request;
  // In another order, which says nothing.
  return { accountId, request: { ...(value !== undefined && { [name]: value }), ...rest } as ScrapeRequest };
}

/** Returns what the page of a request may depend on. */
function shapeOf({ accountId, request }: Sent): unknown {
  const shaping = Object.entries(request).filter(
    ([name, value]) => !READING.includes(name as OptionName) && !isDefault(name, value),
  );
  return { accountId, ...Object.fromEntries(shaping) };
}

function isDefault(name: string, value: unknown): boolean {
  return (
    value === 'keep' ||
    (name === 'method' && value === 'GET') ||
    (name === 'headers' && isDeepStrictEqual(value, {}))
  );
}

function isFetched(request: ScrapeRequest): boolean {
  const { maxAge = 0, method, body, json, form, repeatable } = request;
  const hasBody = [body, json, form].some((each) => each !== undefined);
  const isGet = (method === undefined || method === 'GET') && !hasBody;
  const isSearch = (method === 'POST' || (method === undefined && hasBody)) && repeatable === true;
  return maxAge === 0 || !(isGet || isSearch) || FRESH.some((name) => request[name]);
}

function mayShare(...all: readonly Sent[]): boolean {
  return all.every(({ request }) => !isFetched(request));
}
