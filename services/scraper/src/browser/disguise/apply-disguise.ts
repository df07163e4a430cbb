import { callInjected } from '../load-injected.ts';
import type { Tab } from '../tab/open-tab.ts';
import type { Visitor } from './describe-visitor.ts';

/** Script that runs in every document before the page's own. Extraction reads the document in another world, where it does not run. */
const pageDisguise = () => callInjected('disguise.ts', 'disguisePage');

/** A common screen size, and a window less the toolbars of a browser. */
const SCREEN = { screenWidth: 1920, screenHeight: 1080 };
const WINDOW_CONTENT = { width: 1280, height: 713 };
const CONNECTION = { latency: 50, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 } as const;

/**
 * Makes a tab look like the visitor's browser. Chromium itself does so below the page, where scripts cannot notice, in
 * workers and frames alike; a script adds only what headless Chromium lacks.
 */
export async function applyDisguise({ browser, contextId, session }: Tab, visitor: Visitor): Promise<void> {
  const { userAgent, platform, languages, metadata, timeZone } = visitor;
  await Promise.all([
    session.send('Network.setUserAgentOverride', {
      userAgent,
      platform,
      acceptLanguage: languages.join(','),
      userAgentMetadata: metadata,
    }),
    session.send('Emulation.setDeviceMetricsOverride', {
      ...SCREEN,
      ...WINDOW_CONTENT,
      deviceScaleFactor: 1,
      mobile: false,
    }),
    session.send('Network.overrideNetworkState', { offline: false, connectionType: 'wifi', ...CONNECTION }),
    // Headless Chromium answers "denied" to one interface and "prompt" to another.
    browser.connection.send('Browser.setPermission', {
      permission: { name: 'notifications' },
      setting: 'denied',
      browserContextId: contextId,
    }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageDisguise() }),
    ...(timeZone === undefined
      ? []
      : [session.send('Emulation.setTimezoneOverride', { timezoneId: timeZone })]),
  ]);
}
