/**
 * The work of the jobs bench with Crawlee's CheerioCrawler: <url> <pages> <warm-up pages> <file> <fields> <at once>. Appends the data to the file as JSON lines, and prints the CPU and wall time of the crawl, without start-up and warm-up.
 */
import { createWriteStream } from 'node:fs';
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import type { FieldSet } from '../workload.ts';
import { takeFields } from './take-fields.ts';

const [origin = '', pages = '0', warmUpPages = '0', file = '', fields = '', atOnce = '1'] =
  process.argv.slice(2);
const CONCURRENCY = Number(atOnce);

async function crawl(count: number, keep: (page: number, data: unknown) => void): Promise<void> {
  const crawler = new CheerioCrawler(
    {
      minConcurrency: CONCURRENCY,
      maxConcurrency: CONCURRENCY,
      maxRequestsPerCrawl: count,
      async requestHandler({ $, request }) {
        keep(Number(request.url.slice(origin.length)), takeFields[fields as FieldSet]($));
      },
    },
    new Configuration({ persistStorage: false }),
  );
  await crawler.run(Array.from({ length: count }, (_, index) => origin + index));
}

log.setLevel(log.LEVELS.ERROR);
const output = createWriteStream(file);
await crawl(Number(warmUpPages), () => {});
const cpu = process.cpuUsage();
const startedAt = performance.now();
await crawl(Number(pages), (page, data) => output.write(`${JSON.stringify({ page, data })}\n`));
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - startedAt) / 1000;
const peakBytes = process.resourceUsage().maxRSS * 1024;
await new Promise((done) => output.end(done));
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, seconds, peakBytes }));
process.exit(0);
