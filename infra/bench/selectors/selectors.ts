import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOrigin } from '@gleaner/test-kit';
import puppeteer, { type Browser } from 'puppeteer';
import { readBenchDocuments } from '../extraction/bench-documents.ts';
import { postScrape } from '../post-scrape.ts';
import { runningBrowser } from '../running-browser.ts';
import { startScrapeStack } from '../start-scrape-stack.ts';
import { LABELED_LISTS, measureLists } from './labeled-lists.ts';
import { measureElements } from './measure-elements.ts';
import { measureTime } from './measure-time.ts';
import { openRivals } from './rivals.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Documentation made by five different tools. */
const ELEMENT_PACKAGES = [
  'python3.11-doc',
  'git-doc',
  'nodejs-doc',
  'cppreference-doc-en-html',
  'postgresql-doc-15',
];
const PAGES_OF_PACKAGE = 20;
const MAX_PAGE_CHARS = 400_000;
const MIN_PAGE_CHARS = 8000;

/**
 * Compares selectors of single elements with those of two generators that run in the same Chromium: are they unique, and do they
 * still find the element after the site has changed. Then lists from two examples against labels, and times.
 */
export async function benchSelectors(): Promise<void> {
  await withBrowser(async (browser) => {
    const rivals = await openRivals(browser);
    for (const name of ELEMENT_PACKAGES) await measureElements(name, pagesOf(name, PAGES_OF_PACKAGE), rivals);
    for (const [name, { labels, isHeldOut }] of Object.entries(LABELED_LISTS)) {
      await measureLists({ name, labels, isHeldOut }, pagesOf(name, 60), rivals);
    }
  });
  measureTime(ELEMENT_PACKAGES.flatMap((name) => readBenchDocuments(ROOT, 10_000, name)));
}

/** Reads pages that are spread over a package. */
function pagesOf(name: string, count: number): string[] {
  const pages = readBenchDocuments(ROOT, 10_000, name).filter(
    ({ length }) => length >= MIN_PAGE_CHARS && length <= MAX_PAGE_CHARS,
  );
  const step = Math.max(1, Math.floor(pages.length / count));
  return pages.filter((_page, index) => index % step === 0).slice(0, count);
}

/** Starts the Chromium that the scraper brings. */
async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const origin = await startOrigin();
  const stack = await startScrapeStack({ dataDir, originPort: origin.port });
  try {
    await postScrape(stack, { url: origin.url, render: true, selectors: { heading: 'h1' } });
    const { path, env } = await runningBrowser(stack);
    const browser = await puppeteer.launch({
      executablePath: path,
      env: { ...process.env, ...env },
      headless: 'shell',
      args: ['--no-sandbox'],
    });
    try {
      await work(browser);
    } finally {
      await browser.close();
    }
  } finally {
    await stack.stop();
    await origin.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
