import { rm } from 'node:fs/promises';
import { createEgressPolicy, createProxyStarter } from '@gleaner/egress';
import { createLogger } from '@gleaner/service-kit';
import { type BrowserEnd, BrowserPool } from '../src/browser/browser-pool.ts';
import type { BrowserKind } from '../src/browser/process/chromium-flags.ts';
import { createBrowserStarter } from '../src/browser/process/create-browser-starter.ts';
import { findChromium } from '../src/browser/process/find-chromium.ts';
import type { Browser } from '../src/browser/process/start-browser.ts';
import { makeBrowserFolder } from './browser-tests.ts';

/** Settings of a test pool. */
export interface TestPoolOptions {
  readonly chromiumPath?: string | undefined;
  /** Hosts that its tabs may reach. */
  readonly allow?: readonly string[];
  readonly maxUses?: number;
  readonly idleMs?: number;
  /** Bytes that a tab may load. */
  readonly maxBytes?: number;
}

/** A pool of real browsers in its own folder. */
export interface TestPool extends AsyncDisposable {
  readonly pool: BrowserPool;
  readonly folder: string;
  /** Everything that was logged, one JSON object per line. */
  readonly logLines: readonly string[];
  /** Replaces the start of a kind of browser. */
  readonly starts: Partial<Record<BrowserKind, () => Promise<Browser>>>;
  /** All browsers that were started. */
  readonly started: readonly Browser[];
  /** The reasons for which browsers have ended, in order. */
  readonly ends: readonly BrowserEnd[];
}

/** Opens the pool; dispose of it to close the browsers and remove the folder. */
export async function openTestPool({
  chromiumPath,
  allow = [],
  maxUses = 500,
  idleMs = 60_000,
  maxBytes = 1_000_000,
}: TestPoolOptions): Promise<TestPool> {
  const folder = await makeBrowserFolder();
  const logLines: string[] = [];
  const stream = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'scraper', level: 'debug', format: 'json', stream });
  const prepareChromium = await findChromium(chromiumPath);
  const startBrowser = createBrowserStarter({ prepareChromium, browserFolder: folder, logger });
  const startProxy = createProxyStarter({ policy: createEgressPolicy({ allow }) });
  const starts: Partial<Record<BrowserKind, () => Promise<Browser>>> = {};
  const started: Browser[] = [];
  const ends: BrowserEnd[] = [];
  const pool = new BrowserPool({
    async startBrowser({ kind }) {
      const browser = await (starts[kind]?.() ?? startBrowser({ kind }));
      started.push(browser);
      return browser;
    },
    startProxy: (route) => startProxy({ maxBytes, route }),
    blockedUrls: [],
    limits: { maxUses, idleMs, maxTabMb: 768, maxBrowserMb: 1500 },
    logger,
    onEnded: (reason) => ends.push(reason),
  });
  return {
    pool,
    folder,
    logLines,
    starts,
    started,
    ends,
    async [Symbol.asyncDispose]() {
      await pool.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
