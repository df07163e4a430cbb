import {
  type Action,
  defined,
  engineFor,
  type ProfileUse,
  purposeOfLogin,
  purposeOfState,
  type ScrapeReply,
  type ScrapeRequest,
  type StorageState,
} from '@gleaner/contracts';
import { createSecretBox } from '@gleaner/service-kit';
import {
  eventually,
  type MembersSite,
  type Site,
  startMembersSite,
  startSite,
  untilReady,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const SECRETS_KEY = 'k'.repeat(40);
const PLACE = ['acc_test', 'prof_1'] as const;
const ACTIONS: readonly Action[] = [
  { fill: '#user', value: 'ada' },
  { fill: '[type=password]', value: 'correct horse' },
  { click: 'button' },
];
const CHECK = { present: '.account' };

/** Functions of a page: opens a database, puts a record into a store that may be new, and shows what the databases have. */
const DATABASES = `
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const open = (name, version, upgrade) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => upgrade(request.result);
    return done(request);
  };
  const put = async (name, version, store, value) => {
    const database = await open(name, version, (one) => one.createObjectStore(store, { autoIncrement: true }));
    await done(database.transaction(store, 'readwrite').objectStore(store).put(value));
    database.close();
  };
  const show = async () => {
    const shown = { names: (await indexedDB.databases()).map(({ name, version }) => name + ' ' + version).sort() };
    if (shown.names.includes('session 3')) {
      const database = await open('session', 3);
      const transaction = database.transaction(['odd', 'tokens'], 'readwrite');
      const [odd, tokens] = ['odd', 'tokens'].map((name) => transaction.objectStore(name));
      shown.token = (await done(tokens.get('ann'))).token;
      shown.index = (await done(tokens.index('pair').get(['ann', 't1']))).user;
      shown.byBytes = await done(odd.get(new Uint8Array([1, 2])));
      const { at, bytes, map, set, loop, big, nothing, nan, pattern, error, ...own } = await done(odd.get(1));
      shown.odd = [at.toISOString().slice(0, 10), bytes.join(), map.get(1), [...set][0] === loop && 'loop', big + 'n',
        String(nothing), String(nan), String(pattern), error.name + ': ' + error.message, Object.keys(own).join()];
      shown.nextKey = await done(odd.add('next'));
      transaction.abort();
    }
    document.body.append(Object.assign(document.createElement('h1'), { textContent: JSON.stringify(shown) }));
  };`;
const FILL_DATABASES = `
  (await open('empty', 1, () => {})).close();
  const database = await open('session', 3, (one) => {
    one.createObjectStore('tokens', { keyPath: 'user' }).createIndex('pair', ['user', 'token'], { unique: true });
    one.createObjectStore('odd', { autoIncrement: true });
  });
  const transaction = database.transaction(['odd', 'tokens'], 'readwrite');
  transaction.objectStore('tokens').add({ user: 'ann', token: 't1', parts: [1, null, { a: true }] });
  const loop = {};
  loop.self = loop;
  const odd = transaction.objectStore('odd');
  odd.add({ at: new Date('2026-01-02'), bytes: new Uint16Array([1, 2]), map: new Map([[1, 'one']]), set: new Set([loop]), loop,
    big: 7n, nothing: undefined, nan: NaN, pattern: /a+/gi, error: new RangeError('high'), own: -0 });
  odd.add('by bytes', new Uint8Array([1, 2]));
  await new Promise((resolve) => { transaction.oncomplete = resolve; });
  database.close()`;

await describeWithBrowser('profiles', (settings) => {
  let scraper: TestScraper;
  let site: MembersSite;
  const box = createSecretBox(SECRETS_KEY);

  beforeAll(async () => {
    site = await startMembersSite();
    const { host } = new URL(site.origin);
    scraper = await startTestScraper({ ...settings, SECRETS_KEY, EGRESS_ALLOW: host });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
    await site.close();
  });
  beforeEach(() => {
    Object.assign(site.rules, {
      pagesPerSession: Number.POSITIVE_INFINITY,
      rotates: false,
      answer: 'login page',
    });
  });

  const use = (given: Partial<ProfileUse> = {}): ProfileUse => ({
    id: 'prof_1',
    session: 1,
    revision: 1,
    check: CHECK,
    isSaved: true,
    ...given,
  });

  function scrape(
    request: Omit<ScrapeRequest, 'url'> & { path: string },
    profile: ProfileUse,
  ): Promise<ScrapeReply> {
    const { path, ...options } = request;
    return scraper.scrape({ url: site.origin + path, ...options }, { profile });
  }

  /** Signs in by steps; returns the state of the session, encrypted. */
  async function signIn(actions = ACTIONS): Promise<ScrapeReply> {
    const sealed = box?.seal(purposeOfLogin(...PLACE), JSON.stringify(actions)) ?? '';
    return await scrape({ path: '/members/login', render: true }, use({ actions: sealed }));
  }

  async function signedIn(): Promise<string> {
    const reply = await signIn();
    return reply.ok ? (reply.result.leftState?.state ?? '') : JSON.stringify(reply.failure);
  }

  function opened(sealed: string): StorageState & { userAgent?: string } {
    return JSON.parse(box?.open(purposeOfState(...PLACE), sealed) ?? '{}');
  }

  function dataOf(reply: ScrapeReply): Record<string, unknown> {
    return reply.ok ? JSON.parse(reply.result.dataJson ?? '{}') : { failure: reply.failure };
  }

  it.each(['http', 'browser'])('sign in by steps, for pages of the engine %s', async (engine) => {
    const state = await signedIn();
    const { cookies, userAgent } = opened(state);
    expect(cookies).toMatchObject([{ name: 'session', domain: '127.0.0.1', path: '/', httpOnly: true }]);
    const request = {
      path: '/members/a',
      render: engine === 'browser',
      selectors: { title: 'h1', agent: '#agent' },
    };
    const reply = await scrape(request, use({ state }));
    expect(engineFor({ render: engine === 'browser' })).toBe(engine);
    expect(dataOf(reply)).toEqual({ title: '/members/a', agent: userAgent });
  });

  it('bring the storage of an origin to rendered pages, and what they leave', async () => {
    const state = await signedIn();
    const { origins } = opened(state);
    expect(origins).toEqual([{ origin: site.origin, localStorage: [{ name: 'seen', value: '1' }] }]);
    const request = { path: '/members/b', render: true, selectors: { seen: '#seen' } };
    const reply = await scrape(request, use({ state, revision: 7 }));
    expect(dataOf(reply)).toEqual({ seen: '1' });
    const left = reply.ok ? reply.result.leftState : undefined;
    expect(left?.revision).toBe(7);
    expect(opened(left?.state ?? '').origins[0]?.localStorage).toEqual([{ name: 'seen', value: '2' }]);
    const unsaved = await scrape(request, use({ state, isSaved: false }));
    expect(unsaved.ok && unsaved.result.leftState).toBeUndefined();
  });

  describe('with IndexedDB', () => {
    let store: Site;
    beforeAll(async () => {
      store = await startSite(({ url, response }) => {
        const script = url.pathname === '/fill' ? FILL_DATABASES : (url.searchParams.get('script') ?? '');
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(`<!doctype html><title>Store</title><p>A page that keeps what it has in databases.</p>
          <script>${DATABASES}(async () => { ${script}; await show(); })();</script>`);
      });
    });
    afterAll(() => store.close());

    async function visit(path: string, state?: string) {
      const { host } = new URL(store.origin);
      await using other = await startTestScraper({ ...settings, SECRETS_KEY, EGRESS_ALLOW: host });
      const request = { url: store.origin + path, render: true, waitFor: 'h1', selectors: { shown: 'h1' } };
      const profile = use({ check: { present: 'h1' }, ...defined({ state }) });
      const reply = await other.scrape(request, { profile });
      const left = reply.ok ? (reply.result.leftState?.state ?? state ?? '') : '';
      const { shown } = dataOf(reply);
      return { shown: String(shown), left, databases: opened(left).origins[0]?.indexedDB };
    }
    const running = (script: string) => `/?script=${encodeURIComponent(script)}`;

    it('bring every kind of value to later pages', async () => {
      const first = await visit('/fill');
      expect(first.databases).toMatchObject([
        { name: 'empty', version: 1, stores: [] },
        {
          name: 'session',
          version: 3,
          stores: [
            {
              name: 'odd',
              autoIncrement: true,
              records: [
                {
                  key: 1,
                  valueEncoded: { o: expect.arrayContaining([{ k: 'at', v: { d: expect.any(String) } }]) },
                },
                { keyEncoded: { ab: { b: 'AQI=' } }, value: 'by bytes' },
              ],
            },
            {
              name: 'tokens',
              keyPath: 'user',
              autoIncrement: false,
              records: [{ value: { user: 'ann', token: 't1', parts: [1, null, { a: true }] } }],
              indexes: [{ name: 'pair', keyPathArray: ['user', 'token'], multiEntry: false, unique: true }],
            },
          ],
        },
      ]);
      const later = await visit('/', first.left);
      expect(JSON.parse(later.shown)).toMatchObject({
        names: ['empty 1', 'session 3'],
        token: 't1',
        index: 'ann',
        byBytes: 'by bytes',
        nextKey: 2,
        odd: [
          '2026-01-02',
          '1,2',
          'one',
          'loop',
          '7n',
          'undefined',
          'NaN',
          '/a+/gi',
          'RangeError: high',
          'own',
        ],
      });
      expect(later.shown).toBe(first.shown);
      expect(later.left).toBe(first.left);
    });

    it('leave out what is too large or cannot be kept, which stays as it was', async () => {
      const first = await visit('/fill');
      const grown = await visit(
        running(`await put('session', 3, 'tokens', { user: 'all', text: 'x'.repeat(300_000) });
          await put('files', 1, 'kept', { file: new Blob(['x']) });
          await put('cache', 1, 'kept', 'y'.repeat(200_000));
          await put('more', 1, 'kept', 'z'.repeat(100_000));
          indexedDB.deleteDatabase('empty')`),
        first.left,
      );
      expect(grown.databases?.map(({ name }) => name)).toEqual(['more', 'session']);
      expect(grown.databases?.at(-1)).toEqual(first.databases?.at(-1));
    });

    it('skip a database that no browser makes', async () => {
      const [, session] = (await visit('/fill')).databases ?? [];
      const [odd, tokens] = session?.stores ?? [];
      const broken = { ...session, name: 'broken', stores: [odd, tokens, tokens] };
      const origins = [{ origin: store.origin, localStorage: [], indexedDB: [broken, session] }];
      const state = box?.seal(purposeOfState(...PLACE), JSON.stringify({ cookies: [], origins })) ?? '';
      expect(JSON.parse((await visit('/', state)).shown)).toMatchObject({
        names: ['session 3'],
        token: 't1',
      });
    });

    it('wait for no page that holds a database', async () => {
      const held =
        running(`const database = await open('a held one', 1, (one) => one.createObjectStore('kept'));
        const transaction = database.transaction('kept', 'readwrite');
        const hold = () => { transaction.objectStore('kept').get(1).onsuccess = hold; };
        hold();
        await put('free', 1, 'kept', 1)`);
      expect((await visit(held)).databases?.map(({ name }) => name)).toEqual(['free']);
    });
  });

  it('guard downloads: login pages are not kept as files', async () => {
    const broker = await scraper.connect();
    const stored: string[] = [];
    broker.respond(
      'files.commands',
      async ({ body }) => {
        stored.push(body.step.type);
        return {};
      },
      { concurrency: 1 },
    );
    await untilReady(broker);
    const request = { path: '/members/a', download: true };
    const over = await scrape(request, use());
    expect(!over.ok && over.failure.code).toBe('PROFILE_EXPIRED');
    expect(stored).toEqual([]);
    const reply = await scrape(request, use({ state: await signedIn() }));
    expect(reply.ok && reply.result.file).toMatchObject({
      name: 'a',
      contentType: expect.stringMatching(/html/),
    });
    expect(stored).toEqual(['write', 'finish']);
    await broker.close();
  });

  it('follow a cookie that every page replaces', async () => {
    site.rules.rotates = true;
    let state = await signedIn();
    for (const path of ['/members/1', '/members/2', '/members/3']) {
      const reply = await scrape({ path, selectors: { title: 'h1' } }, use({ state }));
      expect(dataOf(reply)).toEqual({ title: path });
      state = reply.ok ? (reply.result.leftState?.state ?? '') : '';
    }
  });

  it.each([
    ['a login page', 'login page', CHECK],
    ['a login page', 'login page', { absent: 'form.login' }],
    ['a login page', 'login page', { url: '/members/c' }],
    ['401', 401, CHECK],
  ] as const)('are expired by %s', async (_name, answer, check) => {
    const state = await signedIn();
    site.signOut();
    site.rules.answer = answer;
    for (const render of [false, true]) {
      const reply = await scrape({ path: '/members/c', render }, use({ state, check }));
      expect(reply.ok ? reply.result : reply.failure).toMatchObject({ code: 'PROFILE_EXPIRED' });
    }
    await scraper.sendPage(
      { url: `${site.origin}/members/c` },
      { profile: use({ state, check, session: 3, revision: 5 }) },
    );
    await eventually(() => {
      expect(scraper.outcomes.at(-1)?.outcome).toMatchObject({
        kind: 'failed',
        signedOut: { session: 3, revision: 5 },
      });
    });
  });

  it('without a check are expired by what is observed to be a login page', async () => {
    const { check: _check, ...bare } = use({ state: await signedIn() });
    const request = { path: '/members/f', selectors: { title: 'h1' } };
    expect(dataOf(await scrape(request, bare))).toEqual({ title: '/members/f' });
    site.signOut();
    const reply = await scrape(request, bare);
    expect(reply.ok ? reply.result : reply.failure).toMatchObject({
      code: 'PROFILE_EXPIRED',
      message: expect.stringContaining('it is a login page'),
    });
  });

  it('are expired where their proxy cannot be used', async () => {
    const sealed = JSON.stringify({ cookies: [], origins: [], proxy: 'us-1' });
    const state = box?.seal(purposeOfState(...PLACE), sealed) ?? '';
    for (const render of [false, true]) {
      const reply = await scrape({ path: '/members/g', render }, use({ state }));
      expect(reply.ok ? reply.result : reply.failure).toMatchObject({
        code: 'PROFILE_EXPIRED',
        message: expect.stringContaining('began at the proxy us-1'),
      });
    }
  });

  it('do not sign in with a wrong password, or by a form that has changed, and tell no secret', async () => {
    const wrong = await signIn(
      ACTIONS.map((step) => ('fill' in step ? { ...step, value: 'battery staple' } : step)),
    );
    expect(wrong.ok ? {} : wrong.failure).toMatchObject({
      code: 'PROFILE_EXPIRED',
      message: expect.stringContaining('The page that the login led to is not signed in'),
    });
    const changed = await signIn([{ fill: '#gone', value: 'battery staple', optional: false }]);
    expect(changed.ok ? {} : changed.failure).toMatchObject({ code: 'ACTION_FAILED' });
    for (const place of [wrong, changed, scraper.logLines])
      expect(JSON.stringify(place)).not.toMatch(/battery|correct horse/);
  });

  it('are never mixed, nor left in a context for other pages', async () => {
    const state = await signedIn();
    await scrape({ path: '/members/d', render: true }, use({ state }));
    const reply = await scraper.scrape({
      url: `${site.origin}/members/d`,
      render: true,
      selectors: { t: 'form.login::html' },
    });
    expect(reply.ok && reply.result.finalUrl).toBe(`${site.origin}/members/login`);
    const other = await scrape({ path: '/members/d', render: true }, use());
    expect(other.ok ? {} : other.failure).toMatchObject({ code: 'PROFILE_EXPIRED' });
  });

  it('that were encrypted with another key are refused', async () => {
    const state = createSecretBox('l'.repeat(40))?.seal(purposeOfState(...PLACE), '{}') ?? '';
    const reply = await scrape({ path: '/members/e' }, use({ state }));
    expect(reply.ok ? {} : reply.failure).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
