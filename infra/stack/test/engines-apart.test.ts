import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { eventually, htmlPath, startWebhookReceiver } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processTree } from '../../bench/processes.ts';
import { SupervisedProcess } from '../processes/supervised-process.ts';
import { HAS_BROWSER, startTestStack, type TestStack } from './test-stack.ts';

const SCRAPER = join(import.meta.dirname, '../../../services/scraper/src/main.ts');

let bed: TestStack;
const scrapers: SupervisedProcess[] = [];
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  bed = await startTestStack({ ENGINES: 'http' }, [`127.0.0.1:${receiver.port}`]);
});
afterAll(async () => {
  await Promise.all(scrapers.map((scraper) => scraper.stop()));
  await bed[Symbol.asyncDispose]();
  await receiver.close();
});

/** Starts another scraper, which takes work for this engine only. */
async function startScraper(engine: 'http' | 'browser'): Promise<SupervisedProcess> {
  const { amqpUrl, logs } = bed.stack;
  const env = {
    AMQP_URL: amqpUrl,
    ENGINES: engine,
    METRICS_PORT: '0',
    EGRESS_ALLOW: `127.0.0.1:${bed.origin.port}`,
  };
  const logFile = join(logs, `scraper-${randomUUID()}.log`);
  const scraper = new SupervisedProcess(
    { name: `${engine} scraper`, entry: SCRAPER, env, logFile },
    () => {},
  );
  scrapers.push(scraper);
  await scraper.start();
  return scraper;
}

function pageOf(mark: string): string {
  const script = `document.querySelector('h1').textContent = 'after ${mark}'`;
  const markup = `<style>body{margin:0;background:#08f}</style><h1>before ${mark}</h1><script>${script}</script>`;
  return bed.origin.url + htmlPath(markup);
}

async function createJob(body: object): Promise<string> {
  const { status, json } = await bed.ask('/v1/jobs', body);
  expect([status, json.error]).toEqual([202, undefined]);
  return json.job.id;
}

async function untilCompleted(id: string) {
  return await eventually(
    async () => {
      const { json } = await bed.ask(`/v1/jobs/${id}`);
      expect(json.job.status).toBe('completed');
      return json.job;
    },
    { intervalMs: 100 },
  );
}

async function browsersBelow(pid: number | undefined): Promise<number> {
  const tree = await processTree([pid ?? 0]);
  return tree.filter(({ command }) => command.includes('--user-data-dir=')).length;
}

function pidOf(name: string): number | undefined {
  return bed.stack.processes().find((process) => process.name === name)?.pid;
}

describe('scrapers with one engine each', () => {
  it('leave rendering to the browser scraper, and answer SERVICE_UNAVAILABLE while there is none', async () => {
    const url = pageOf('alone');
    expect(await bed.ask('/v1/scrape', { url })).toMatchObject({ status: 200 });
    const answers = await Promise.all([
      bed.ask('/v1/scrape', { url, render: true }),
      bed.ask('/v1/jobs', { urls: [url], waitFor: 'h1' }),
    ]);
    for (const { status, json, headers } of answers) {
      expect([status, json.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  });

  if (!HAS_BROWSER) return;

  it('share jobs that need both engines', async () => {
    const browsers = [await startScraper('browser'), await startScraper('browser')];
    await eventually(
      async () => {
        expect(await bed.ask('/v1/scrape', { url: pageOf('first'), render: true })).toMatchObject({
          status: 200,
        });
      },
      { timeoutMs: 240_000 },
    );
    const urls = Array.from({ length: 24 }, (_, index) => pageOf(String(index)));
    const selectors = { heading: 'h1' };
    const [plain, rendered] = await Promise.all([
      createJob({ urls, selectors }).then(untilCompleted),
      createJob({ urls, selectors, render: true }).then(untilCompleted),
    ]);
    for (const [job, engine, word, credits] of [
      [plain, 'http', 'before', 1],
      [rendered, 'browser', 'after', 5],
    ] as const) {
      expect(job).toMatchObject({ completedUrls: 24, failedUrls: 0, creditsUsed: 24 * credits });
      for (const [index, result] of job.results.entries()) {
        expect(result).toMatchObject({ data: { heading: `${word} ${index}` }, metadata: { engine } });
      }
    }
    expect(await browsersBelow(pidOf('scraper'))).toBe(0);
    const started = await Promise.all(browsers.map(({ pid }) => browsersBelow(pid)));
    expect(started.every((count) => count > 0)).toBe(true);
  });

  it('store screenshots of jobs that every form of the results links to', async () => {
    if (scrapers.length === 0) await startScraper('browser');
    const urls = [pageOf('one'), pageOf('two')];
    await eventually(async () =>
      expect(await bed.ask('/v1/scrape', { url: urls[0], render: true })).toMatchObject({ status: 200 }),
    );
    const webhook = `${receiver.url}/hook`;
    const id = await createJob({ urls, screenshot: true, selectors: { heading: 'h1' }, webhook });
    const { results } = await untilCompleted(id);
    const paths = [0, 1].map((index) => `/v1/jobs/${id}/results/${index}/screenshot`);
    expect(results.map(({ screenshotUrl }: { screenshotUrl: string }) => screenshotUrl)).toEqual(paths);
    for (const path of paths) {
      const { status, headers, bytes } = await bed.ask(path);
      expect([status, headers.get('content-type'), bytes.subarray(1, 4).toString()]).toEqual([
        200,
        'image/png',
        'PNG',
      ]);
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1280, 800]);
    }
    for (const format of ['json', 'ndjson', 'csv']) {
      const text = (await bed.ask(`/v1/jobs/${id}/results?format=${format}`)).bytes.toString();
      for (const path of paths) expect([format, text.includes(path)]).toEqual([format, true]);
    }
    const delivery = await eventually(
      () => {
        const [first] = receiver.deliveries;
        if (!first) throw new Error('Nothing was delivered.');
        return first;
      },
      { timeoutMs: 240_000 },
    );
    expect(delivery.json).toMatchObject({
      data: { job: { results: paths.map((screenshotUrl) => ({ screenshotUrl })) } },
    });
  });
});
