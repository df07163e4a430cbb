import type { Config } from '@gleaner/config';
import type { AppError } from '@gleaner/contracts';
import { createProxyStarter, type EgressPolicy } from '@gleaner/egress';
import type { Logger } from '@gleaner/service-kit';
import type { SCRAPER_SETTINGS } from '../config.ts';
import { openBrowserFolder } from './browser-folder.ts';
import { BrowserPool } from './browser-pool.ts';
import { createBrowserStarter } from './create-browser-starter.ts';
import { findChromium } from './find-chromium.ts';
import { sweepProfileFolders } from './profile-folder.ts';

/** What opening the pool takes. */
export interface OpenPoolDeps {
  readonly config: Config<typeof SCRAPER_SETTINGS>;
  readonly policy: EgressPolicy;
  readonly logger: Logger;
}

const MEBIBYTE = 1_048_576;

/**
 * Opens a pool of browsers, none of which is started yet, after ending what a scraper that crashed has left. Throws
 * SERVICE_UNAVAILABLE that says what is missing when no browser can run here.
 */
export async function openBrowserPool({ config, policy, logger }: OpenPoolDeps): Promise<BrowserPool> {
  const prepareChromium = await findChromium(config.CHROMIUM_PATH);
  const browserFolder = await openBrowserFolder(config.BROWSER_DIR);
  const swept = await sweepProfileFolders(browserFolder);
  if (swept > 0) logger.warn({ swept }, 'Browsers that a crashed scraper had left were ended and removed.');
  const startProxy = createProxyStarter({ policy });
  return new BrowserPool({
    startBrowser: createBrowserStarter({ prepareChromium, browserFolder, logger }),
    startProxy: (route) => startProxy({ maxBytes: config.BROWSER_PAGE_MAX_MB * MEBIBYTE, route }),
    blockedUrls: config.BROWSER_BLOCK_URLS,
    limits: {
      maxUses: config.BROWSER_MAX_USES,
      idleMs: config.BROWSER_IDLE_MS,
      maxTabMb: config.BROWSER_TAB_MAX_MB,
      maxBrowserMb: config.BROWSER_MAX_MB,
    },
    logger,
  });
}

/** Says why pages are not rendered here, and what to do about it. */
export function explainNoBrowser({ message, suggestion }: AppError): string {
  return `No browser can run here, so pages that want rendering are left to other scrapers. ${message} ${suggestion}`;
}
