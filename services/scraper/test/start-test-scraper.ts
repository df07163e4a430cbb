import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import { readConfig } from '@gleaner/config';
import {
  createId,
  defined,
  type Engine,
  engineFor,
  type PageCommand,
  type PageOutcome,
  type ScrapeCommand,
  type ScrapeReply,
  type ScrapeRequest,
} from '@gleaner/contracts';
import { startAmqpServer } from '@gleaner/embedded';
import { createLogger, createMetrics, type Metrics } from '@gleaner/service-kit';
import { type Origin, startOrigin, untilReady } from '@gleaner/test-kit';
import { SCRAPER_SETTINGS } from '../src/config.ts';
import { startScraper } from '../src/start-scraper.ts';

/** Scrapers on an embedded broker, and a test site that they may reach. */
export interface TestScraper extends AsyncDisposable {
  readonly origin: Origin;
  /** Metrics of the first scraper. */
  readonly metrics: Metrics;
  /** Everything that they logged, one JSON object per line. */
  readonly logLines: readonly string[];
  /** Sends a command as the gateway does; `url` may be a path of the origin. */
  scrape(
    request: ScrapeRequest,
    options?: Partial<Omit<ScrapeCommand, 'deadlineMs' | 'request'>> & {
      signal?: AbortSignal;
    },
  ): Promise<ScrapeReply>;
  cancel(requestId: string): Promise<void>;
  /** Sends a page of a job as the orchestrator does. */
  sendPage(request: ScrapeRequest, differences?: Partial<PageCommand>): Promise<void>;
  /** Outcomes of pages, except large ones. */
  readonly outcomes: readonly PageOutcome[];
  /** Outcomes of pages that came by the queue for large ones. */
  readonly largeOutcomes: readonly PageOutcome[];
  /** Connects another worker to the broker. */
  connect(): Promise<Broker>;
  /** Cuts every connection to the broker by restarting it. */
  restartBroker(): Promise<void>;
  /** Returns the number of workers that consume the queue of an engine. */
  consumerCount(engine: Engine): Promise<number>;
}

/** Time after its deadline in which a scraper on a busy machine may still reply. */
const GRACE_MS = 30_000;

type Settings = Readonly<Record<string, string>>;

/** Starts a scraper for each of the settings, and all that they need; dispose of it to stop them. */
export async function startTestScraper(...all: Settings[]): Promise<TestScraper> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-scraper-'));
  let amqp = await startAmqpServer({ dataDir });
  const { url } = amqp;
  const origin = await startOrigin();
  const logLines: string[] = [];
  const stream = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'scraper', level: 'debug', format: 'json', stream });
  const metrics = createMetrics('scraper');
  const connect = () => connectBroker({ url, name: 'scraper-test', logger });
  const broker = await connect();
  const start = async (settings: Settings, index: number) => {
    const config = readConfig(SCRAPER_SETTINGS, { EGRESS_ALLOW: `127.0.0.1:${origin.port}`, ...settings });
    const own = { broker: await connect(), metrics: index === 0 ? metrics : createMetrics('scraper') };
    const scraper = await startScraper({ config, logger, ...own });
    await untilReady(own.broker);
    return async () => {
      await scraper.stop(AbortSignal.timeout(30_000));
      await own.broker.close();
    };
  };
  const stops = await Promise.all((all.length > 0 ? all : [{}]).map(start));
  const outcomes: PageOutcome[] = [];
  const largeOutcomes: PageOutcome[] = [];
  broker.consumeWork('pages.results', async ({ body }) => void outcomes.push(body), { concurrency: 10 });
  broker.consumeWork('pages.large-results', async ({ body }) => void largeOutcomes.push(body), {
    concurrency: 1,
  });
  await untilReady(broker);
  const atOrigin = (request: ScrapeRequest) => ({
    ...request,
    url: request.url.startsWith('/') ? origin.url + request.url : request.url,
  });
  return {
    origin,
    metrics,
    logLines,
    outcomes,
    largeOutcomes,
    connect,
    async restartBroker() {
      await amqp.close();
      amqp = await startAmqpServer({ dataDir, port: Number(new URL(url).port) });
    },
    scrape(request, { signal, timeoutMs = 240_000, ...given } = {}) {
      const deadlineMs = Date.now() + timeoutMs;
      const command = { requestId: createId('req'), accountId: 'acc_test', deadlineMs, timeoutMs, ...given };
      const body = { ...command, request: atOrigin(request) };
      const options = { deadlineMs, graceMs: GRACE_MS, ...defined({ signal }) };
      return broker.request(`scrape.${engineFor(request)}`, body, options);
    },
    async sendPage(request, differences = {}) {
      const page = { jobId: 'job_1', pageId: 'job_1:0', attempt: 1, accountId: 'acc_test' };
      const times = { timeoutMs: 60_000, startBeforeMs: Date.now() + 60_000 };
      const body = { ...page, ...times, request: atOrigin(request), ...differences };
      const [error] = await broker.publishWork(`pages.${engineFor(request)}`, [body]);
      if (error) throw error;
    },
    consumerCount: (engine) => broker.consumerCount(`scrape.${engine}`),
    cancel: (requestId) => broker.broadcast('cancellations', { requestId }),
    async [Symbol.asyncDispose]() {
      await Promise.all(stops.map((stop) => stop()));
      await broker.close();
      await origin.close();
      await amqp.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
