/** Runs Crawlee's PuppeteerCrawler in a process of its own: renders the URLs of each order and sends back their data. */
import { Configuration, PuppeteerCrawler } from '@crawlee/puppeteer';
import puppeteer from 'puppeteer';
import type { CrawleeOrder, CrawleeReport, RenderedPage } from './crawlee-messages.ts';

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
  const pages: RenderedPage[] = [];
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
  const report: CrawleeReport = { pages, elapsedMs: endedAtMs - startedAtMs };
  process.send?.(report);
}
