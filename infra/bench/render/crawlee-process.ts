/** Runs Crawlee's PuppeteerCrawler in a process of its own: renders the URLs of each order and sends back their data. */
import { Configuration, PuppeteerCrawler } from '@crawlee/puppeteer';
import puppeteer from 'puppeteer';

/** Options of Crawlee that change how it isolates and disguises pages. */
export interface CrawleeOptions {
  /** True when each page gets a fingerprint, which is the crawler's default. */
  readonly useFingerprints: boolean;
  /** True when each page gets a browser context of its own; the crawler's default is one for all. */
  readonly useIncognitoPages: boolean;
}

/** An order for the crawler. */
export interface CrawleeOrder extends CrawleeOptions {
  readonly urls: readonly string[];
  readonly concurrency: number;
}

/** Data of pages, with the time from the start of the first page to the end of the last. */
export interface Rendered {
  readonly pages: readonly { readonly url: string; readonly data: unknown }[];
  readonly elapsedMs: number;
}

const { CHROMIUM_PATH = '' } = process.env;

/** Runs in the page. */
const TAKE = `({
  title: document.title,
  names: Array.from(document.querySelectorAll('.row h2'), (heading) => heading.textContent),
  prices: Array.from(document.querySelectorAll('.row .price'), (price) => price.textContent),
})`;

process.on('message', (order: CrawleeOrder) => {
  render(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(0));
process.send?.({ type: 'ready', ports: {} });

async function render({
  urls,
  concurrency,
  useFingerprints,
  useIncognitoPages,
}: CrawleeOrder): Promise<void> {
  const pages: { url: string; data: unknown }[] = [];
  let startedAtMs = Number.POSITIVE_INFINITY;
  let endedAtMs = 0;
  const crawler = new PuppeteerCrawler(
    {
      launchContext: {
        launcher: puppeteer,
        useIncognitoPages,
        launchOptions: { executablePath: CHROMIUM_PATH, headless: 'shell', args: ['--no-sandbox'] },
      },
      browserPoolOptions: { useFingerprints },
      minConcurrency: concurrency,
      maxConcurrency: concurrency,
      preNavigationHooks: [
        () => {
          startedAtMs = Math.min(startedAtMs, performance.now());
        },
      ],
      async requestHandler({ page, request }) {
        await page.waitForSelector('.row');
        const data = await page.evaluate(TAKE);
        pages.push({ url: request.url, data });
        endedAtMs = performance.now();
      },
    },
    new Configuration({ persistStorage: false, purgeOnStart: true }),
  );
  await crawler.run([...urls]);
  await crawler.teardown();
  const report: Rendered = { pages, elapsedMs: endedAtMs - startedAtMs };
  process.send?.(report);
}
