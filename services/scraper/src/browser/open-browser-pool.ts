import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AppError } from '@gleaner/contracts';
import { createProxyStarter, type EgressPolicy } from '@gleaner/egress';
import { inBackground, type Logger } from '@gleaner/service-kit';
import { type BrowserEnd, BrowserPool } from './browser-pool.ts';
import { openBrowserFolder } from './process/browser-folder.ts';
import { removeUnusedChromium } from './process/chromium-versions.ts';
import { createBrowserStarter } from './process/create-browser-starter.ts';
import { findChromium } from './process/find-chromium.ts';
import { sweepOwnedFolders } from './process/owned-folder.ts';

/** The settings of the scraper that concern browsers. */
export interface BrowserSettings {
  readonly CHROMIUM_PATH: string | undefined;
  readonly BROWSER_DIR: string | undefined;
  readonly XDG_CACHE_HOME: string | undefined;
  readonly BROWSER_BLOCK_URLS: readonly string[];
  readonly BROWSER_MAX_USES: number;
  readonly BROWSER_IDLE_MS: number;
  readonly BROWSER_MAX_MB: number;
  readonly BROWSER_TAB_MAX_MB: number;
  readonly BROWSER_PAGE_MAX_MB: number;
}

/** Dependencies of `openBrowserPool`. */
export interface OpenPoolDeps {
  readonly config: BrowserSettings;
  readonly policy: EgressPolicy;
  readonly logger: Logger;
  readonly onEnded: (reason: BrowserEnd) => void;
}

const MEBIBYTE = 1_048_576;

/**
 * Opens a pool of browsers started on demand, after removing the remains of crashed scrapers. Throws
 * SERVICE_UNAVAILABLE naming what is missing when no browser can run here.
 */
export async function openBrowserPool({
  config,
  policy,
  logger,
  onEnded,
}: OpenPoolDeps): Promise<BrowserPool> {
  const prepareChromium = await findChromium(config.CHROMIUM_PATH);
  const browserFolder = await openBrowserFolder(config.BROWSER_DIR, config.XDG_CACHE_HOME);
  const { removed, errors } = await sweepOwnedFolders(browserFolder);
  if (removed > 0)
    logger.warn({ removed }, 'Removed the folders of browsers that a crashed scraper had left behind.');
  for (const error of errors)
    logger.warn({ err: error }, 'A folder that a crashed scraper left could not be removed.');
  inBackground(removeUnusedChromium(browserFolder), logger);
  inBackground(reportMissingFonts(logger), logger);
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
    onEnded,
  });
}

/** Describes why this scraper renders no pages, and what to do about it. */
export function explainNoBrowser({ message, suggestion }: AppError): string {
  return `No browser can run here, so this scraper takes no pages to render. ${message} ${suggestion}`;
}

async function reportMissingFonts(logger: Logger): Promise<void> {
  if ((await hasChineseFont()) !== false) return;
  logger.info(
    {},
    'No font for Chinese is installed: screenshots show Chinese, Japanese and Korean text as boxes. On Debian, install fonts-noto-cjk.',
  );
}

const LIST_TIMEOUT_MS = 10_000;

/**
 * Returns whether fontconfig knows a font for Chinese; fonts for Japanese and Korean usually come with it. Returns
 * undefined where `fc-list` (https://man.archlinux.org/man/fc-list.1) is missing.
 */
async function hasChineseFont(): Promise<boolean | undefined> {
  try {
    const { stdout } = await promisify(execFile)('fc-list', [':lang=zh', 'family'], {
      timeout: LIST_TIMEOUT_MS,
    });
    return stdout.trim() !== '';
  } catch {
    return undefined;
  }
}
