/**
 * The work of the jobs bench with Crawlee's CheerioCrawler: <url> <pages> <warm-up pages> <file>. Appends the data
 * to the file as JSON lines, and prints the CPU and wall time of the crawl, without start-up and warm-up.
 */
import { createWriteStream } from 'node:fs';
import type { CheerioCrawlingContext } from '@crawlee/cheerio';
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';

const [origin = '', pages = '0', warmUpPages = '0', file = ''] = process.argv.slice(2);
const CONCURRENCY = 16;

type Page = CheerioCrawlingContext['$'];

function take($: Page) {
  const textOf = (element: Parameters<Page>[0]) => $(element).text().replace(/\s+/g, ' ').trim();
  const all = (selector: string) => $(selector).toArray().map(textOf);
  return {
    title: all('title')[0] ?? null,
    headings: all('h1, h2, h3'),
    paragraphs: all('p'),
    links: $('a[href]')
      .toArray()
      .map((element) => $(element).attr('href')),
    code: all('code'),
    items: $('li')
      .toArray()
      .map((element) => {
        const paragraph = $(element).find('p')[0];
        return {
          text: paragraph ? textOf(paragraph) : null,
          link: $(element).find('a[href]').attr('href') ?? null,
        };
      }),
  };
}

async function crawl(count: number, keep: (page: number, data: unknown) => void): Promise<void> {
  const crawler = new CheerioCrawler(
    {
      minConcurrency: CONCURRENCY,
      maxConcurrency: CONCURRENCY,
      async requestHandler({ $, request }) {
        keep(Number(request.url.slice(origin.length)), take($));
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
