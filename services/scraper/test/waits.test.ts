import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Site, startSite } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Tab } from '../src/browser/tab/open-tab.ts';
import { PageWatch } from '../src/browser/tab/page-watch.ts';
import { settle } from '../src/browser/tab/settle.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { openTestPool, type TestPool } from './open-test-pool.ts';

/** Longer than any machine needs: a wait in vain shows as one. */
const PATIENT_MS = 60_000;
/** For pages that are read as they are when the time is over. */
const IMPATIENT_MS = 1_500;
const SIGNAL = AbortSignal.timeout(550_000);

/** End of the request in Chromium: reported, not reported, or no such request in its events. */
type End = 'yes' | 'no' | 'none';
type Wait = 'the end' | 'the declared length' | 'a pause' | '10 seconds' | 'nothing';

/** Requests that a page starts, with their end in bare Chromium and the wait of a render. */
const CASES: readonly (readonly [name: string, script: string, end: End, wait: Wait])[] = [
  ['`fetch`, body read', "fetch('/plain').then((r) => r.text()).then(show)", 'yes', 'the end'],
  ['`fetch`, body not read', "fetch('/plain').then(show)", 'yes', 'the end'],
  ['`fetch` of `no-store`, body not read', "fetch('/no-store').then(show)", 'no', 'the declared length'],
  ['`fetch` of `no-store`, body of unknown length not read', "fetch('/chunked').then(show)", 'no', 'a pause'],
  [
    '`fetch` of `no-store`, opaque response',
    "fetch(other + '/no-store', {mode: 'no-cors'}).then(show)",
    'no',
    'the declared length',
  ],
  [
    "`fetch` of `no-store`, body larger than Chromium's buffer",
    "fetch('/large').then(show)",
    'no',
    'a pause',
  ],
  [
    '`fetch`, body read, its server pauses for a moment',
    "fetch('/pausing').then((r) => r.text()).then(show)",
    'yes',
    'the end',
  ],
  ['`fetch`, stream that goes silent', "fetch('/silent').then((r) => (show(), r.text()))", 'no', 'a pause'],
  [
    '`fetch`, stream of which nothing comes',
    "fetch('/empty').then((r) => (show(), r.text()))",
    'no',
    'a pause',
  ],
  [
    '`fetch`, stream that keeps sending',
    "fetch('/endless').then((r) => (show(), r.text()))",
    'no',
    '10 seconds',
  ],
  ['`fetch`, body canceled', "fetch('/no-store').then((r) => r.body.cancel()).then(show)", 'yes', 'the end'],
  [
    '`fetch` that the page aborts',
    "fetch('/never', {signal: AbortSignal.timeout(200)}).catch(show)",
    'yes',
    'the end',
  ],
  ['`fetch` that is not answered, such as a long poll', "fetch('/never'); show()", 'no', '10 seconds'],
  [
    '`fetch` with `keepalive`, answered',
    "fetch('/plain', {method: 'POST', body: 'x', keepalive: true}).then(show)",
    'yes',
    'the end',
  ],
  [
    '`fetch` with `keepalive`, not answered',
    "fetch('/never', {method: 'POST', body: 'x', keepalive: true}); show()",
    'no',
    '10 seconds',
  ],
  [
    '`XMLHttpRequest` of `no-store`',
    "const x = new XMLHttpRequest(); x.open('GET', '/no-store'); x.onload = show; x.send()",
    'yes',
    'the end',
  ],
  ['`navigator.sendBeacon`', "navigator.sendBeacon('/never', 'x'); show()", 'no', 'nothing'],
  [
    '`<a ping>`',
    "const a = document.createElement('a'); a.href = '#'; a.ping = '/never'; document.body.append(a); a.click(); show()",
    'no',
    'nothing',
  ],
  ['`EventSource`', "new EventSource('/events').onmessage = show", 'no', 'nothing'],
  [
    '`WebSocket`',
    "new WebSocket(location.origin.replace('http', 'ws') + '/never'); show()",
    'none',
    'nothing',
  ],
  [
    'requests of a worker',
    `new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + "/never')"]))); show()`,
    'none',
    'nothing',
  ],
  [
    '`<link rel=prefetch>`',
    "const l = document.createElement('link'); l.rel = 'prefetch'; l.href = '/never'; document.head.append(l); show()",
    'no',
    'nothing',
  ],
];

const serve: Parameters<typeof startSite>[0] = async ({ url, response }) => {
  const begin = (headers: Record<string, string> = {}) =>
    response.writeHead(200, { 'content-type': 'text/plain', ...headers });
  switch (url.pathname) {
    case '/page': {
      const script = CASES[Number(url.searchParams.get('case'))]?.[1];
      begin({ 'content-type': 'text/html' }).end(
        `<!doctype html><p id=out>early</p><script>const show = () => { out.textContent = 'shown' };
        const other = location.origin.replace('127.0.0.1', 'localhost');
        addEventListener('load', () => { ${script} })</script>`,
      );
      return;
    }
    case '/plain':
      return void begin({ 'content-length': '4' }).end('body');
    case '/no-store':
      return void begin({ 'cache-control': 'no-store', 'content-length': '4' }).end('body');
    case '/chunked':
      begin({ 'cache-control': 'no-store' }).write('body');
      return void response.end('end');
    case '/large':
      return void begin({ 'cache-control': 'no-store' }).end('x'.repeat(4_000_000));
    case '/pausing':
      begin().write('body');
      await sleep(250);
      return void response.end('end');
    case '/silent':
      return void begin().write('body');
    case '/empty':
      // Chromium looks at the beginning of a text before it tells of its response.
      return void begin({ 'content-type': 'application/json' }).flushHeaders();
    case '/events':
      return void begin({ 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    case '/endless': {
      begin();
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
      return;
    }
    default:
    // Never answered.
  }
};

await describeWithBrowser('a render', ({ CHROMIUM_PATH }) => {
  let site: Site;
  let opened: TestPool;

  beforeAll(async () => {
    site = await startSite(serve);
    const { port } = new URL(site.origin);
    opened = await openTestPool({
      chromiumPath: CHROMIUM_PATH,
      allow: [`127.0.0.1:${port}`, `localhost:${port}`],
      maxBytes: 20_000_000,
    });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await site.close();
  });

  /** Returns how a page settles, its content by then, and Chromium's reports of its request. */
  async function visit(tab: Tab, url: string, withinMs: number, expected: End) {
    const ids = new Set<string>();
    const ended = new Set<string>();
    tab.session.on('Network.requestWillBeSent', ({ requestId, request, loaderId }) => {
      if (loaderId !== '' && request.url !== url) ids.add(requestId);
    });
    for (const name of ['Network.loadingFinished', 'Network.loadingFailed'] as const)
      tab.session.on(name, ({ requestId }) => void ended.add(requestId));
    const watch = new PageWatch(tab, () => undefined);
    await tab.session.send('Page.navigate', { url });
    const settled = await settle(tab, watch, SIGNAL, withinMs);
    const expression = 'document.getElementById("out").textContent';
    const { result } = await tab.session.send('Runtime.evaluate', { expression });
    // The declared length comes a little before the end is reported.
    if (expected === 'yes')
      await eventually(() => expect([...ended]).toEqual(expect.arrayContaining([...ids])));
    const end: End = ids.size === 0 ? 'none' : [...ids].every((id) => ended.has(id)) ? 'yes' : 'no';
    return { settled, shown: result.value, end };
  }

  it.each(CASES.map(([name, , end, wait], index) => [name, end, wait, index] as const))(
    'after %s, whose end Chromium reports (%s), waits for %s',
    async (_name, end, wait, index) => {
      const url = `${site.origin}/page?case=${index}`;
      const isLimit = wait === '10 seconds';
      const seen = await opened.pool.withTab({ kind: 'plain' }, SIGNAL, (tab) =>
        visit(tab, url, isLimit ? IMPATIENT_MS : PATIENT_MS, end),
      );
      expect(seen).toEqual({ settled: isLimit ? 'limit' : 'quiet', shown: 'shown', end });
    },
    120_000,
  );

  it('is documented by the same table', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/rendering.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (.+?) \| (yes|no|none) \| (.+?) \|$/gm)].map((row) => row.slice(1));
    const documented = CASES.map(([name, , end, wait]) => [
      name,
      end,
      wait === 'nothing' ? 'does not wait' : wait === '10 seconds' ? 'waits 10 seconds' : `waits for ${wait}`,
    ]);
    expect(rows).toEqual(documented);
  });
});
