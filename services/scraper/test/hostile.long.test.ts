import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorCode } from '@gleaner/contracts';
import { eventually, htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browserIn, renderersOf, runningProcesses } from './browser-processes.ts';
import { describeWithBrowser, makeBrowserFolder } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

function script(text: string): string {
  return htmlPath(`<h1>x</h1><script>${text}</script>`);
}

await describeWithBrowser('a hostile page', (settings) => {
  let folder: string;
  let scraper: TestScraper;

  beforeAll(async () => {
    folder = await makeBrowserFolder();
    scraper = await startTestScraper({
      ...settings,
      BROWSER_DIR: folder,
      BROWSER_TAB_MAX_MB: '400',
      BROWSER_PAGE_MAX_MB: '5',
      // So that every process left behind is seen; shared-contexts.test.ts has hostile pages in shared contexts.
      BROWSER_SHARE_CONTEXTS: 'false',
    });
    await scraper.scrape({ url: '/', render: true }, { timeoutMs: 30_000 });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Resolves when the spare tab alone is left, or no browser: one that does not close a tab is killed. */
  const tabsClosed = () =>
    eventually(async () => {
      const left = renderersOf(await browserIn(folder).catch(() => []));
      expect(left.length).toBeLessThanOrEqual(1);
    });

  it.each<[string, string, ErrorCode | 'success']>([
    ['loops endlessly', script('for (;;) {}'), 'TIMEOUT'],
    ['loops endlessly once it has loaded', script('setTimeout(() => { for (;;) {} }, 50)'), 'TIMEOUT'],
    ['opens dialogs endlessly', script('for (;;) alert(1)'), 'TIMEOUT'],
    [
      'asks before it is left',
      script('onbeforeunload = (e) => { e.preventDefault(); return "stay" }'),
      'success',
    ],
    [
      'opens windows endlessly',
      script('setInterval(() => { for (let i = 0; i < 50; i++) open("/") }, 1)'),
      'success',
    ],
    [
      'never stops navigating',
      script(
        'location.href = location.pathname + "?as=text/html&hex=" + new URLSearchParams(location.search).get("hex") + "&n=" + Math.random()',
      ),
      'UPSTREAM_ERROR',
    ],
    [
      'allocates script memory endlessly',
      script('const a = []; for (;;) a.push(new Array(1e6).fill(0.5 + a.length))'),
      'UPSTREAM_ERROR',
    ],
    [
      'allocates buffers endlessly',
      script(
        'const a = []; setInterval(() => a.push(new Uint8Array(2e7).fill(1)), 5); fetch("/stall/before-headers")',
      ),
      'UPSTREAM_ERROR',
    ],
    [
      'has a document over the limit',
      script('document.body.append(document.createComment("x".repeat(2e7)))'),
      'UNSUPPORTED_CONTENT',
    ],
    ['sends data endlessly', '/endless', 'UNSUPPORTED_CONTENT'],
    ['is a decompression bomb', '/bomb/br', 'UNSUPPORTED_CONTENT'],
    ['is a download', '/type?as=application/octet-stream&hex=00ff', 'UNSUPPORTED_CONTENT'],
    ['downloads at once', script('location.href = "/type?as=application/zip&hex=504b0304"'), 'success'],
    ['closes itself', script('window.close()'), 'success'],
    ['never ends its document', '/drip/50', 'TIMEOUT'],
    [
      'asks for permissions',
      script(
        'navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ audio: true })',
      ),
      'success',
    ],
  ])('that %s gets its own error, and leaves nothing behind', async (_what, url, outcome) => {
    // Only pages that never end may run into the deadline, on a busy machine too.
    const timeoutMs = outcome === 'TIMEOUT' ? 3500 : 120_000;
    const reply = await scraper.scrape({ url, render: true, selectors: { h: 'h1' } }, { timeoutMs });
    expect(reply.ok ? 'success' : [reply.failure.code, reply.failure.message]).toEqual(
      outcome === 'success' ? outcome : [outcome, expect.any(String)],
    );
    expect(await scraper.scrape({ url: '/', render: true })).toMatchObject({ ok: true });
    await tabsClosed();
  });

  it('does not disturb other pages', async () => {
    const hostile = scraper.scrape({ url: script('for (;;) {}'), render: true }, { timeoutMs: 2500 });
    const replies = await Promise.all([1, 2, 3].map(() => scraper.scrape({ url: '/', render: true })));
    expect(replies.every(({ ok }) => ok)).toBe(true);
    expect(await hostile).toMatchObject({ ok: false, failure: { code: 'TIMEOUT' } });
  });

  it('may lose its browser, and is rendered again in another one', async () => {
    // The page before may have taken the browser along.
    await tabsClosed();
    expect(await scraper.scrape({ url: '/', render: true })).toMatchObject({ ok: true });
    const [browser] = await browserIn(folder);
    const stalled = scraper.scrape({ url: '/slow/1500', render: true });
    await eventually(() => expect(scraper.origin.requestsTo('/slow/1500')).toHaveLength(1));
    process.kill(-(browser?.group ?? 0), 'SIGKILL');
    expect(await stalled).toMatchObject({ ok: true });
    expect(scraper.origin.requestsTo('/slow/1500')).toHaveLength(2);
  });
});

await describeWithBrowser('a scraper that is killed', (settings) => {
  it('leaves no browser behind, not even a stuck one, and the next scraper removes its folder', async () => {
    const folder = await makeBrowserFolder();
    const env = { ...settings, BROWSER_DIR: folder };
    const child = fork(
      join(import.meta.dirname, 'doomed-scraper.ts'),
      [htmlPath('<script>for (;;) {}</script>')],
      {
        env: { ...env, PATH: '/usr/bin:/bin' },
        execArgv: ['--disable-warning=ExperimentalWarning'],
      },
    );
    await once(child, 'message');
    const [renderer] = renderersOf(await browserIn(folder));
    expect(renderer).toBeDefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await eventually(async () => {
      const left = (await runningProcesses()).filter(({ group }) => group === renderer?.group);
      expect(left).toEqual([]);
    });
    expect(await readdir(join(folder, 'running'))).toHaveLength(1);
    await using scraper = await startTestScraper(env);
    expect(await scraper.consumerCount('browser')).toBe(1);
    expect(await readdir(join(folder, 'running'))).toEqual([]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
});
