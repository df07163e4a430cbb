import { constants } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { runningBrowser } from '../../bench/processes.ts';
import { buildConsole } from '../../stack/console/build-console.ts';
import { HAS_BROWSER, type TestStack } from '../../stack/test/test-stack.ts';

/** A suite that needs a browser; reported as skipped on platforms without a bundled Chromium. */
export const onBrowser = HAS_BROWSER ? describe : describe.skip;

/** Time for each step of a browser, on a machine under load. */
export const PATIENCE_MS = 240_000;

/** Color scheme that a page asks for. */
export type Scheme = 'light' | 'dark';

/** A page of the console, and everything that went wrong on it. */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page;
  /** Errors of scripts and of the page's policy, and requests to other hosts. */
  readonly problems: string[];
}

/**
 * Builds the console unless it is there, and starts the Chromium that the scrapers use, with further flags. A rendered
 * page makes sure that it is unpacked.
 */
export async function openBrowser(
  { stack, ask }: TestStack,
  flags: readonly string[] = [],
): Promise<Browser> {
  const { consoleDir, logs } = stack;
  const { PRIORITY_NORMAL } = constants.priority;
  const isBuilt = await buildConsole(consoleDir, join(logs, 'console.log'), () => {}, PRIORITY_NORMAL).done;
  if (!isBuilt) throw new Error(`The console could not be built: see ${logs}.`);
  const { status } = await ask('/v1/scrape', { url: stack.demoUrl, render: true, timeout: 120_000 });
  if (status !== 200) throw new Error(`The first rendered page answered ${status}.`);
  const { path, env } = await runningBrowser(stack);
  const args = ['--no-sandbox', ...flags];
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args,
    timeout: PATIENCE_MS,
  });
}

/** Opens a page that has not signed in. */
export async function openPage(
  browser: Browser,
  stackUrl: string,
  { scheme = 'light', width = 1280 }: { scheme?: Scheme; width?: number } = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    locale: 'en-US',
    acceptDownloads: true,
    // What closes is gone at once.
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems = watch(context, page, stackUrl);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

function watch(context: BrowserContext, page: Page, stackUrl: string): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${stackUrl}/`) && !/^(data|blob):/.test(url)) problems.push(`request: ${url}`);
  });
  return problems;
}

/** Signs in by a link like that of `npm start`. */
export async function signIn(page: Page, { stack, ask }: TestStack): Promise<void> {
  const { json } = await ask('/v1/session/codes', {});
  await page.goto(`${stack.url}/console/#code=${json.code}`);
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
}

/** Opens a view by its address and waits for its heading. */
export async function go(page: Page, { stack }: TestStack, path: string, heading: string): Promise<void> {
  await page.goto(`${stack.url}/console/#${path}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** Returns the violations outside of frames that axe-core calls serious or critical, and whether the page is wider than its window. */
export async function findFlaws(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inPage.run({ resultTypes: ['violations'], iframes: false });
    const grave = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    const { documentElement: root } = (globalThis as unknown as { document: { documentElement: Box } })
      .document;
    return root.scrollWidth > root.clientWidth ? [...grave, `${root.scrollWidth} px wide`] : grave;
  });
}

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}
