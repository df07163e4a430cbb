import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareContenders } from './compare-contenders.ts';
import { measureGleaner } from './measure-gleaner.ts';
import { type Measured, startPagesOrigin, totalMs, type Workload } from './workload.ts';

const PAGES = 2000;

/**
 * Measures a crawl that finds all pages by their links, next to Scrapy and Crawlee following the same links, and next to a
 * job that is given the same URLs (Linux).
 */
export async function benchCrawls(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const origin = await startPagesOrigin(folder, PAGES);
  const meanKib = (origin.meanBytes / 1024).toFixed(0);
  console.log(`crawls    ${PAGES} pages of ${meanKib} KiB on average, found by their links`);
  try {
    const work: Workload = {
      fields: 'simple',
      urls: 'linked',
      pages: PAGES,
      warmUpPages: 300,
      url: origin.url,
    };
    const contenders = await compareContenders('crawls', work, join(folder, 'linked'));
    const listed = { dataDir: join(folder, 'listed'), amqpUrl: undefined };
    reportLinks(
      contenders.get('gleaner embedded'),
      await measureGleaner({ ...work, urls: 'listed' }, listed),
    );
  } finally {
    await origin.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function reportLinks(crawl: Measured | undefined, list: Measured): void {
  if (crawl === undefined) return;
  const more = (totalMs(crawl) - totalMs(list)).toFixed(2);
  const speed = (crawl.pagesPerSecond / list.pagesPerSecond).toFixed(2);
  console.log(`crawls    ${more} ms CPU a page more than a list of the same URLs, at ${speed} × its speed`);
}
