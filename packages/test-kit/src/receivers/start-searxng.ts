import type { ServerResponse } from 'node:http';
import { type Reply, type Site, send, startSite } from '../sites/start-site.ts';

/** A question to SearXNG. */
export interface SearxngQuestion {
  /** The words, without the site. */
  readonly query: string;
  /** Counted from 1. */
  readonly page: number;
  /** Undefined for the web. */
  readonly category?: string | undefined;
}

/** Returns the records of results for a question. */
export type FindRecords = (question: SearxngQuestion) => readonly unknown[];

/** A SearXNG on loopback. */
export interface SearxngStub extends AsyncDisposable {
  readonly url: string;
  /** Parameters of every search so far, oldest first. */
  readonly asked: readonly Readonly<Record<string, string>>[];
  /** Authorization headers of every search so far. */
  readonly authorizations: readonly (string | undefined)[];
}

/** Starts a SearXNG that fails as the first word of a query says, by `FAILURES`. */
export async function startSearxng(findRecords: FindRecords = twelveOf): Promise<SearxngStub> {
  const asked: Record<string, string>[] = [];
  const authorizations: (string | undefined)[] = [];
  const site: Site = await startSite((visit) => {
    const { url, request, response } = visit;
    if (url.pathname !== '/search') return send(visit, { type: 'text/html', body: 'Not found', status: 404 });
    asked.push(Object.fromEntries(url.searchParams));
    authorizations.push(request.headers.authorization);
    const query = (url.searchParams.get('q') ?? '').replace(/ site:\S+$/, '');
    const { pageno = 1, categories: category } = Object.fromEntries(url.searchParams);
    const question = { query, page: Number(pageno), category };
    const failure = FAILURES[query.split(' ')[0] ?? ''];
    const reply = failure ? failure(question, response) : found(findRecords(question));
    if (reply) send(visit, reply);
  });
  return { url: site.origin, asked, authorizations, [Symbol.asyncDispose]: () => site.close() };
}

type Failure = (question: SearxngQuestion, response: ServerResponse) => Reply | undefined;

/** Answers that are not as they should be, by name. */
const FAILURES: Readonly<Record<string, Failure>> = {
  /** Never answers. */
  slow: () => undefined,
  /** Begins an answer, and does not end it. */
  endless: (_question, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"results":[');
    return undefined;
  },
  forbidden: () => ({ type: 'text/html', body: '<h1>403 Forbidden</h1>', status: 403 }),
  limited: () => ({ type: 'text/plain', body: 'Too many requests', status: 429 }),
  locked: () => ({ type: 'text/plain', body: 'Unauthorized', status: 401 }),
  moved: () => ({ type: 'text/plain', body: '', status: 302, headers: { location: 'https://example.com/' } }),
  failing: () => ({ type: 'text/plain', body: 'Internal error', status: 500 }),
  html: () => ({ type: 'text/html', body: '\n<!doctype html><title>SearXNG</title>' }),
  huge: () => json({ results: [{ url: 'https://example.com/', content: 'x'.repeat(10_000_000) }] }),
  broken: () => ({ type: 'application/json', body: '{"results": [' }),
  deep: () => ({ type: 'application/json', body: `{"results":${'['.repeat(1_000_000)}` }),
  list: () => json(['no', 'object']),
  numbers: () => json({ results: Array(900_000).fill(1) }),
  another: () => json({ hits: [] }),
  /** Costly to read, within all bounds. */
  costly: ({ page }) => found(Array.from({ length: 200 }, (_none, index) => costly(page * 200 + index))),
  dead: () =>
    found([], [['duckduckgo', 'CAPTCHA'], ['brave', 'timeout'], ['odd', 7], 'google', [null, 'x'], []]),
  private: () => found(PRIVATE.map((url) => ({ url, title: 'Inside' })).concat(RECORD)),
  odd: () => found([...ODD, RECORD]),
  /** Images at private addresses, and a public one. */
  inside: () =>
    found(['', ...PRIVATE, 'https://example.com/a.png'].map((img_src) => ({ ...RECORD, img_src }))),
  twice: () => found([RECORD, { ...RECORD, url: 'https://example.com/a#part', title: 'Again' }]),
  /** Fails from the second page on. */
  later: ({ page }) => (page > 1 ? { type: 'text/plain', body: '', status: 500 } : found([RECORD])),
};

const RECORD = { url: 'https://example.com/a', title: 'A page', content: 'About it.' };

const PRIVATE = [
  'http://127.0.0.1/admin',
  'http://10.0.0.1/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://router.local/',
  'http://localhost:8080/',
  'http://2130706433/',
  'http://user:password@example.com/',
  'https://example.com:25/',
];

const ODD: readonly unknown[] = [
  null,
  7,
  'https://example.com/text',
  [],
  {},
  { url: 7 },
  { url: '' },
  { url: '/relative' },
  { url: 'ftp://example.com/' },
  { url: 'javascript:alert(1)' },
  { url: 'data:text/html,x' },
  {
    url: 'https://example.com/b',
    title: ' Two\n\u0000lines ',
    content: ['x'],
    publishedDate: '2026-01-31T12:00:00',
  },
  { url: 'https://example.com/c', title: 'x'.repeat(10_000), content: null, publishedDate: 'yesterday' },
];

function costly(index: number): object {
  const url = `https://example.com/${'ä/../'.repeat(150)}${index}`;
  return {
    url,
    title: ' \u0000'.repeat(500),
    content: ' ä'.repeat(700),
    publishedDate: `${'1'.repeat(100)}`,
  };
}

function twelveOf({ query, page, category }: SearxngQuestion): object[] {
  return Array.from({ length: 12 }, (_none, index) => ({
    url: `https://example.com/${page}/${index}`,
    title: `${query} ${index}`,
    content: `Page ${page}.`,
    engine: 'duckduckgo',
    publishedDate: category === 'news' ? '2026-01-31T12:00:00' : null,
    ...(category === 'images' && { img_src: `https://example.com/${page}/${index}.png` }),
  }));
}

function found(results: readonly unknown[], dead: readonly unknown[] = []): Reply {
  return json({
    query: '',
    number_of_results: 0,
    results,
    answers: [],
    infoboxes: [],
    unresponsive_engines: dead,
  });
}

function json(value: unknown): Reply {
  return { type: 'application/json', body: JSON.stringify(value) };
}
