import { createEgressPolicy, startStageClock } from '@gleaner/egress';
import { htmlPath, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CDPSession } from 'puppeteer-core';
import type { Tab } from '../src/browser/tab/open-tab.ts';
import { VISIT } from '../src/scrape/pipeline.ts';
import { visitPage } from '../src/scrape/visit/visit-page.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { openTestPool, type TestPool } from './open-test-pool.ts';

/** Never aborted: a test that hangs ends at its own limit. */
const SIGNAL = new AbortController().signal;

/** A moment in a visit: before or after Chromium executes the first command that matches. */
interface Moment {
  readonly when: 'before' | 'after';
  readonly matches: (method: string, params: string) => boolean;
}

const isSnapshot: Moment['matches'] = (method, params) =>
  method === 'Runtime.evaluate' && params.includes('shadowRoots');

/** Returns the tab with a session that goes to another document at the moment, and delivers Chromium's answer afterwards. */
function goingOnAt({ when, matches }: Moment, tab: Tab, url: string): Tab {
  const { session } = tab;
  let isDone = false;
  const goOn = async () => {
    isDone = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    session.once('Page.frameNavigated', () => resolve());
    await session.send('Page.navigate', { url });
    await promise;
  };
  const send = async (method: never, params?: never) => {
    const isNow = !isDone && matches(method, JSON.stringify(params ?? {}));
    if (isNow && when === 'before') await goOn();
    const answer = await session.send(method, params);
    if (isNow && when === 'after') await goOn();
    return answer;
  };
  const racing = { on: session.on.bind(session), once: session.once.bind(session), send };
  return { ...tab, session: racing as unknown as CDPSession };
}

await describeWithBrowser('a page that goes on to another document while it is read', ({ CHROMIUM_PATH }) => {
  let origin: Origin;
  let opened: TestPool;

  beforeAll(async () => {
    origin = await startOrigin();
    opened = await openTestPool({ chromiumPath: CHROMIUM_PATH, allow: [`127.0.0.1:${origin.port}`] });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await origin.close();
  });

  it.each<[string, Moment]>([
    ['before the snapshot', { when: 'before', matches: isSnapshot }],
    ['after the snapshot', { when: 'after', matches: isSnapshot }],
    [
      'before the size of the screenshot',
      { when: 'before', matches: (method) => method === 'Page.getLayoutMetrics' },
    ],
    ['before the screenshot', { when: 'before', matches: (method) => method === 'Page.captureScreenshot' }],
    ['after the screenshot', { when: 'after', matches: (method) => method === 'Page.captureScreenshot' }],
  ])('gives URL, status, data and screenshot of the second document: %s', async (_name, moment) => {
    const first =
      origin.url + htmlPath('<body style="margin:0"><h1 style="margin:0;height:3000px">first</h1>');
    const second = `${origin.url}/status/203`;
    const policy = createEgressPolicy({ allow: [`127.0.0.1:${origin.port}`] });
    const visited = await opened.pool.withTab({ kind: 'visual' }, SIGNAL, (tab, signal) =>
      visitPage(
        { url: first, screenshot: true },
        {
          stages: VISIT,
          tab: goingOnAt(moment, tab, second),
          kind: 'visual',
          policy,
          clock: startStageClock(),
        },
        signal,
      ),
    );
    expect(visited).toMatchObject({ url: second, statusCode: 203 });
    expect(visited.source).toContain('<h1>203</h1>');
    expect(Buffer.from(visited.screenshot ?? '', 'base64').readUInt32BE(20)).toBe(800);
  });
});
