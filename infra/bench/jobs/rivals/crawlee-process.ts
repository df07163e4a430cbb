/**
 * The work of the jobs bench with Crawlee's CheerioCrawler: <url> <pages> <warm-up pages> <file> <fields>. Appends
 * the data to the file as JSON lines, and prints the CPU and wall time of the crawl, without start-up and warm-up.
 */
import { createWriteStream } from 'node:fs';
import type { CheerioCrawlingContext } from '@crawlee/cheerio';
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';

const [origin = '', pages = '0', warmUpPages = '0', file = '', fields = ''] = process.argv.slice(2);
const CONCURRENCY = 16;

type Page = CheerioCrawlingContext['$'];

function textOf($: Page, element: Parameters<Page>[0]): string {
  return $(element).text().replace(/\s+/g, ' ').trim();
}

function all($: Page, selector: string): string[] {
  return $(selector)
    .toArray()
    .map((element) => textOf($, element));
}

function first($: Page, selector: string): string | null {
  const [element] = $(selector).toArray();
  return element ? textOf($, element) : null;
}

function linksOf($: Page): (string | undefined)[] {
  return $('a[href]')
    .toArray()
    .map((element) => $(element).attr('href'));
}

function simple($: Page) {
  return {
    title: first($, 'title'),
    heading: first($, 'h1'),
    lead: first($, 'p'),
    description: $('meta[name=description]').attr('content') ?? null,
    charset: $('meta[charset]').attr('charset') ?? null,
    headings: all($, 'h2'),
    links: linksOf($),
  };
}

function lists($: Page) {
  return {
    title: first($, 'title'),
    headings: all($, 'h1, h2, h3'),
    paragraphs: all($, 'p'),
    links: linksOf($),
    code: all($, 'code'),
    items: $('li')
      .toArray()
      .map((element) => {
        const paragraph = $(element).find('p')[0];
        return {
          text: paragraph ? textOf($, paragraph) : null,
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
        keep(Number(request.url.slice(origin.length)), fields === 'lists' ? lists($) : simple($));
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
