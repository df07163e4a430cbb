import { AppError } from '@gleaner/contracts';
import { createEgressPolicy, startStageClock } from '@gleaner/egress';
import { eventually, htmlPath, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONTEXT_MAX_PAGES } from '../src/browser/context/idle-contexts.ts';
import { evaluateApart } from '../src/browser/tab/evaluate-apart.ts';
import type { Tab } from '../src/browser/tab/open-tab.ts';
import { VISIT } from '../src/scrape/pipeline.ts';
import { type VisitedPage, visitPage } from '../src/scrape/visit/visit-page.ts';
import { browserIn, renderersOf } from './browser-processes.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { openTestPool, type TestPool } from './open-test-pool.ts';

/** Never aborted: a test that hangs ends at its own limit. */
const SIGNAL = new AbortController().signal;

/** A page that runs an asynchronous script and shows its result in its title. A blank body would be given time to fill. */
function shows(script: string): string {
  return htmlPath(
    `<title>waiting</title><p>Text</p><script>(async () => { ${script} })().then((v) => { document.title = 'got ' + v }, (e) => { document.title = 'failed ' + e })</script>`,
  );
}

/** Has the page of a tab loop without end; the command that starts it has no answer. */
async function loop({ session }: Tab): Promise<void> {
  session.send('Runtime.evaluate', { expression: 'for (;;);' }).catch(() => {});
}

await describeWithBrowser('a shared browser context', ({ CHROMIUM_PATH }) => {
  let origin: Origin;
  let other: Origin;
  let opened: TestPool;
  let policy: ReturnType<typeof createEgressPolicy>;

  beforeAll(async () => {
    [origin, other] = await Promise.all([startOrigin(), startOrigin()]);
    const allow = [`127.0.0.1:${origin.port}`, `127.0.0.1:${other.port}`];
    policy = createEgressPolicy({ allow });
    opened = await openTestPool({ chromiumPath: CHROMIUM_PATH, allow });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await Promise.all([origin.close(), other.close()]);
  });

  interface Visited extends Pick<VisitedPage, 'source'> {
    readonly contextId: string;
    readonly title: string;
  }

  /** Visits a page as the account, and then works on the tab. */
  function visit(
    accountId: string,
    path: string,
    work: (tab: Tab) => Promise<unknown> = async () => {},
  ): Promise<Visited> {
    return opened.pool.withTab({ kind: 'plain', accountId }, SIGNAL, async (tab, signal) => {
      const url = path.startsWith('/') ? origin.url + path : path;
      const clock = startStageClock();
      const { source } = await visitPage(
        { url, render: true },
        { stages: VISIT, tab, policy, kind: 'plain', clock },
        signal,
      );
      await work(tab);
      return { source, contextId: tab.contextId, title: /<title>(.*?)<\/title>/.exec(source)?.[1] ?? '' };
    });
  }

  /** Visits a page of `shows`, and returns it with its title when its script has ended. */
  async function visitToEnd(accountId: string, path: string): Promise<Visited> {
    let title = '';
    const visited = await visit(accountId, path, (tab) =>
      eventually(async () => {
        title = await evaluateApart(tab, "document.querySelector('title').textContent");
        expect(title).not.toBe('waiting');
      }),
    );
    return { ...visited, title };
  }

  /** Resolves when the cleaning after the last page is over. */
  const cleaned = () => eventually(() => expect(opened.pool.states()).toMatchObject([{ activeTabs: 0 }]));

  it('serves consecutive pages of one account in one process, and never two accounts', async () => {
    const pidOf = async (tab: Tab) => {
      const { processInfo } = await tab.browser.connection.send('SystemInfo.getProcessInfo');
      return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    };
    const seen: number[][] = [];
    const note = async (tab: Tab) => void seen.push(await pidOf(tab));
    const first = await visit('acc_1', '/', note);
    await cleaned();
    const second = await visit('acc_1', '/', note);
    await cleaned();
    const stranger = await visit('acc_2', '/', note);
    await cleaned();
    expect(second.contextId).toBe(first.contextId);
    expect(stranger.contextId).not.toBe(first.contextId);
    const [before = [], after = []] = seen;
    // The spare tab may have been opened in between; the process of the first page is still there.
    expect(before.some((pid) => after.includes(pid))).toBe(true);
    await opened.pool.withTab({ kind: 'plain' }, SIGNAL, async ({ contextId }) => {
      expect([first.contextId, stranger.contextId]).not.toContain(contextId);
    });
  });

  it('never puts pages of two accounts into one process', async () => {
    await using own = await openTestPool({
      chromiumPath: CHROMIUM_PATH,
      allow: [`127.0.0.1:${origin.port}`],
    });
    const within = async (accounts: readonly string[]): Promise<void> => {
      const [accountId, ...others] = accounts;
      if (accountId === undefined) {
        // One for each account, and the spare tab's.
        await eventually(async () => expect(renderersOf(await browserIn(own.folder))).toHaveLength(4));
        return;
      }
      await own.pool.withTab({ kind: 'plain', accountId }, SIGNAL, async (tab) => {
        await tab.session.send('Page.navigate', { url: `${origin.url}/` });
        await within(others);
      });
    };
    await within(['acc_1', 'acc_2', 'acc_3']);
  });

  it.each<[string, string, string, string]>([
    ['cookies', "document.cookie = 'a=1; max-age=9999'", 'return document.cookie', ''],
    ['local storage', "localStorage.a = '1'", 'return localStorage.length', '0'],
    ['session storage', "sessionStorage.a = '1'", 'return sessionStorage.length', '0'],
    [
      'IndexedDB',
      "await new Promise((done) => { indexedDB.open('a').onsuccess = ({ target }) => { target.result.close(); done() } })",
      'return (await indexedDB.databases()).length',
      '0',
    ],
    [
      'the Cache API',
      "await (await caches.open('a')).put('/a', new Response('x'))",
      'return (await caches.keys()).length',
      '0',
    ],
    [
      'the private file system',
      "await (await navigator.storage.getDirectory()).getFileHandle('a', { create: true })",
      'let n = 0; for await (const _ of (await navigator.storage.getDirectory()).keys()) n++; return n',
      '0',
    ],
    ['the name of the window', "window.name = 'a'", 'return window.name', ''],
    [
      'history',
      "for (let i = 0; i < 5; i++) history.pushState(i, '', '?' + location.search.slice(1) + i)",
      'return history.length',
      '2',
    ],
    ['opened windows', "window.open('/')", 'return window.opener === null && window.length === 0', 'true'],
    [
      'what scripts changed',
      'Array.prototype.map = null; navigator.a = 1; globalThis.b = 1',
      'return [typeof [].map, navigator.a, globalThis.b].join()',
      'function,,',
    ],
    [
      'a lock that is held',
      "navigator.locks.request('a', () => new Promise(() => {}))",
      'return (await navigator.locks.query()).held.length',
      '0',
    ],
    [
      'a broadcast',
      "const c = new BroadcastChannel('a'); c.onmessage = () => c.postMessage('still here')",
      "const c = new BroadcastChannel('a'); return await new Promise((done) => { c.onmessage = () => done('heard'); c.postMessage(''); setTimeout(() => done('silent'), 100) })",
      'silent',
    ],
    [
      'what is stored while the page is left',
      "for (const e of ['pagehide', 'unload', 'visibilitychange', 'freeze']) addEventListener(e, () => { localStorage.a = e; document.cookie = 'a=1' })",
      'return localStorage.length + document.cookie',
      '0',
    ],
  ])('does not pass on %s', async (_state, write, read, expected) => {
    const before = await visitToEnd('acc_state', shows(`${write}; return 'written'`));
    expect(before.title).toBe('got written');
    await cleaned();
    const after = await visitToEnd('acc_state', shows(read));
    expect(after.title).toBe(`got ${expected}`);
    expect(after.contextId).toBe(before.contextId);
    await cleaned();
  });

  it('does not pass on the HTTP cache', async () => {
    const cacheable = shows("await fetch('/', { cache: 'force-cache' }); return 'fetched'");
    const before = await visit('acc_cache', cacheable);
    await cleaned();
    const requests = origin.requestsTo('/').length;
    const after = await visit('acc_cache', cacheable);
    expect(after.contextId).toBe(before.contextId);
    expect(origin.requestsTo('/').length).toBe(requests + 1);
    await cleaned();
  });

  it('does not pass on permissions, emulation, interception and scripts of the tab', async () => {
    const before = await visit('acc_tab', '/', async ({ browser, contextId, session }) => {
      await browser.connection.send('Browser.grantPermissions', {
        permissions: ['geolocation'],
        browserContextId: contextId,
      });
      await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
      await session.send('Network.setUserAgentOverride', { userAgent: 'left over' });
      await session.send('Page.addScriptToEvaluateOnNewDocument', { source: 'window.leftOver = 1' });
      await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
      await session.send('Network.setExtraHTTPHeaders', { headers: { 'x-left': 'over' } });
    });
    await cleaned();
    const after = await visitToEnd(
      'acc_tab',
      shows(
        "return [Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Tokyo', navigator.userAgent === 'left over', typeof leftOver, (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted'].join()",
      ),
    );
    expect(after.title).toBe('got false,false,undefined,false');
    expect(after.contextId).toBe(before.contextId);
    await cleaned();
  });

  describe('is not used again', () => {
    it('after a page that failed', async () => {
      const before = await visit('acc_failed', '/');
      await cleaned();
      const failed = opened.pool.withTab({ kind: 'plain', accountId: 'acc_failed' }, SIGNAL, async (tab) => {
        expect(tab.contextId).toBe(before.contextId);
        throw new AppError('BLOCKED');
      });
      await expect(failed).rejects.toMatchObject({ code: 'BLOCKED' });
      await cleaned();
      expect((await visit('acc_failed', '/')).contextId).not.toBe(before.contextId);
    });

    it.each<[string, (account: string) => Promise<Visited>]>([
      [
        'has a frame of another origin',
        (account) => visit(account, htmlPath(`<iframe src="${other.url}/"></iframe>`)),
      ],
      [
        'was asked for credentials',
        (account) => visit(account, shows("return (await fetch('/status/401')).status")),
      ],
      ['loops once it was read', (account) => visit(account, '/', loop)],
      [
        'loops when it is left',
        (account) =>
          visit(account, shows("addEventListener('pagehide', () => { for (;;) {} }); return 'ok'")),
      ],
      [
        'keeps much memory',
        (account) => visit(account, shows('globalThis.a = new Uint8Array(2.5e8).fill(1); return a.length')),
      ],
    ])('after one that %s, and the next page gets another', async (_name, visitFirst) => {
      const account = `acc_${Math.random()}`;
      const before = await visitFirst(account);
      const after = await visitToEnd(account, shows('return localStorage.length'));
      expect(after.title).toBe('got 0');
      expect(after.contextId).not.toBe(before.contextId);
      await cleaned();
      expect((await visit(account, '/')).contextId).not.toBe(before.contextId);
      await cleaned();
    });

    it('after its bounded number of pages', async () => {
      const seen = new Map<string, number>();
      for (let page = 0; page < CONTEXT_MAX_PAGES + 1; page++) {
        const contextId = await opened.pool.withTab(
          { kind: 'plain', accountId: 'acc_many' },
          SIGNAL,
          async (tab) => {
            await evaluateApart(tab, '1');
            return tab.contextId;
          },
        );
        seen.set(contextId, (seen.get(contextId) ?? 0) + 1);
        await cleaned();
      }
      expect([...seen.values()]).toEqual([CONTEXT_MAX_PAGES, 1]);
    });
  });

  it.each<[string, string]>([
    ['asks before it is left', "onbeforeunload = (e) => { e.preventDefault(); return 'stay' }; return 1"],
    ['opens many windows', 'for (let i = 0; i < 50; i++) open("/"); return 1'],
    [
      'sends beacons when it is left',
      "addEventListener('pagehide', () => { for (let i = 0; i < 20; i++) { navigator.sendBeacon('/', 'x'); fetch('/', { keepalive: true }) } }); return 1",
    ],
    [
      'fills its storage',
      "const c = await caches.open('a'); for (let i = 0; i < 40; i++) await c.put('/' + i, new Response(new Uint8Array(1e6))); return 1",
    ],
    [
      'registers a service worker that answers every request',
      `const source = "addEventListener('install', () => skipWaiting()); addEventListener('activate', (e) => e.waitUntil(clients.claim())); addEventListener('fetch', (e) => e.respondWith(new Response('<title>got hijacked</title>', { headers: { 'content-type': 'text/html' } }))); setInterval(() => {}, 1)";
       const hex = Array.from(source, (c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('');
       await navigator.serviceWorker.register('/type?as=text/javascript&hex=' + hex);
       await navigator.serviceWorker.ready; return 1`,
    ],
    [
      'keeps a shared worker',
      "new SharedWorker(URL.createObjectURL(new Blob(['setInterval(() => {}, 1)'], { type: 'text/javascript' }))); return 1",
    ],
  ])('gives the next page a clean place after one that %s', async (_name, script) => {
    const account = `acc_${Math.random()}`;
    // A page that is still writing when it was read is as good.
    expect((await visit(account, shows(script))).title).toMatch(/^(got 1|waiting)$/);
    const next = shows('return [document.cookie, localStorage.length, (await caches.keys()).length].join()');
    expect((await visitToEnd(account, next)).title).toBe('got ,0,0');
    await cleaned();
    expect((await visitToEnd(account, next)).title).toBe('got ,0,0');
    await cleaned();
  });
});
