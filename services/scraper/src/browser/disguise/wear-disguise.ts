import type { Tab } from '../open-tab.ts';
import type { Visitor } from './describe-visitor.ts';
import { PAGE_DISGUISE } from './page-disguise.ts';

/** A common screen, with a window that leaves room for what browsers have above their pages. */
const SCREEN = { screenWidth: 1920, screenHeight: 1080 };
const WINDOW_CONTENT = { width: 1280, height: 713 };
const CONNECTION = { latency: 50, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 } as const;

/**
 * Has a tab pass for a visitor. All but what headless Chromium lacks is done by Chromium itself, below the page, where
 * scripts cannot tell it from the truth; it reaches workers and frames alike.
 */
export async function wearDisguise({ browser, contextId, session }: Tab, visitor: Visitor): Promise<void> {
  const { userAgent, platform, languages, metadata, timeZone } = visitor;
  await Promise.all([
    session.send('Network.setUserAgentOverride', {
      ...{ userAgent, platform },
      acceptLanguage: languages.join(','),
      userAgentMetadata: metadata,
    }),
    session.send('Emulation.setDeviceMetricsOverride', {
      ...{ ...SCREEN, ...WINDOW_CONTENT },
      ...{ deviceScaleFactor: 1, mobile: false },
    }),
    session.send('Network.overrideNetworkState', { offline: false, connectionType: 'wifi', ...CONNECTION }),
    // Headless Chromium says no here and "ask" there.
    browser.connection.send('Browser.setPermission', {
      permission: { name: 'notifications' },
      setting: 'denied',
      browserContextId: contextId,
    }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: PAGE_DISGUISE }),
    ...(timeZone === undefined
      ? []
      : [session.send('Emulation.setTimezoneOverride', { timezoneId: timeZone })]),
  ]);
}
