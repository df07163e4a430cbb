import type { ProxyServer } from '@gleaner/egress';
import type { CDPSession } from 'puppeteer-core';
import { pageCrashed } from '../../classify/page-errors.ts';
import { type BrowserKind, VIEWPORT } from '../process/chromium-flags.ts';
import type { Browser } from '../process/start-browser.ts';
import { watchPendingWork } from './pending-work.ts';

/** A page in a browser context that no other page uses at the same time. */
export interface Tab {
  readonly browser: Browser;
  readonly contextId: string;
  /** Also the id of its outermost frame. */
  readonly targetId: string;
  readonly session: CDPSession;
  /** The context's only connection to the network. */
  readonly proxy: ProxyServer;
  readonly kind: BrowserKind;
}

/** Dependencies of `openTab`. */
export interface OpenTabDeps {
  readonly startProxy: () => Promise<ProxyServer>;
  /** Patterns, with `*`, of URLs that are not loaded. */
  readonly blockedUrls: readonly string[];
  readonly kind: BrowserKind;
}

/** Sound and video: nothing in the document depends on them. */
const MEDIA_URLS = [
  'mp4',
  'm4v',
  'webm',
  'ogv',
  'mov',
  'm3u8',
  'mpd',
  'mp3',
  'm4a',
  'ogg',
  'wav',
  'flac',
].flatMap((extension) => [`*.${extension}`, `*.${extension}?*`]);

/** Without a screenshot a page is drawn at a tenth of its size, which saves a twelfth of its CPU; scripts cannot notice. */
const DRAWN_SMALL = {
  ...VIEWPORT,
  deviceScaleFactor: 0,
  mobile: false,
  dontSetVisibleSize: true,
  viewport: { x: 0, y: 0, ...VIEWPORT, scale: 0.1 },
};

/** Opens a tab, in a context of its own, that is ready to navigate. */
export async function openTab(browser: Browser, deps: OpenTabDeps): Promise<Tab> {
  const { connection } = browser;
  const proxy = await deps.startProxy();
  let context: Context | undefined;
  try {
    const { browserContextId: contextId } = await connection.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: `http://127.0.0.1:${proxy.port}`,
      proxyBypassList: '<-loopback>',
    });
    context = { browser, contextId, proxy, kind: deps.kind };
    await connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId });
    return await openTabIn(context, deps.blockedUrls);
  } catch (error) {
    // A browser that has exited took the context along.
    await (context ? closeTab(context).catch(() => {}) : proxy.close());
    throw error;
  }
}

/** A browser context with its connection to the network. */
export type Context = Omit<Tab, 'targetId' | 'session'>;

/** Opens another tab in a context. Nothing of a tab before it is left in this one: history, names, overrides, events. */
export async function openTabIn(context: Context, blockedUrls: readonly string[]): Promise<Tab> {
  const { browser, contextId, proxy, kind } = context;
  const { targetId } = await browser.connection.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId: contextId,
    ...VIEWPORT,
  });
  const session = await browser.connection.createSession({
    targetId,
    type: 'page',
    title: '',
    url: 'about:blank',
    attached: false,
    canAccessOpener: false,
  });
  const tab: Tab = { browser, contextId, targetId, session, proxy, kind };
  await unlessCrashed(session, prepare(tab, blockedUrls));
  return tab;
}

/** Closes the tab and removes its context with everything in it. */
export async function closeTab({ browser, contextId, proxy }: Context): Promise<void> {
  await Promise.all([
    browser.connection.send('Target.disposeBrowserContext', { browserContextId: contextId }),
    proxy.close(),
  ]);
}

/** Waits for commands to a tab. Rejects if its process ends before, which leaves them without a reply. */
async function unlessCrashed(session: CDPSession, commands: Promise<unknown>): Promise<void> {
  const { promise: crashed, reject } = Promise.withResolvers<never>();
  const onCrashed = () => reject(pageCrashed());
  session.once('Inspector.targetCrashed', onCrashed);
  try {
    await Promise.race([commands, crashed]);
  } finally {
    session.off('Inspector.targetCrashed', onCrashed);
  }
}

async function prepare({ browser, session, kind }: Tab, blockedUrls: readonly string[]) {
  const urls = [...blockedUrls, ...(kind === 'plain' ? MEDIA_URLS : [])];
  // The first tells of a tab that crashed before it was attached, and the process of the tab answers the second. Chromium
  // answers nothing more, in any tab, after an emulation in a crashed one.
  await Promise.all([session.send('Inspector.enable'), session.send('Page.enable')]);
  await Promise.all([
    session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    session.send('Network.setBlockedURLs', { urls }),
    session.send('Network.setUserAgentOverride', { userAgent: browser.userAgent }),
    session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    ...(kind === 'plain'
      ? [
          session.send('Emulation.setDeviceMetricsOverride', DRAWN_SMALL),
          session.send('Page.addScriptToEvaluateOnNewDocument', { source: watchPendingWork() }),
        ]
      : []),
  ]);
}
