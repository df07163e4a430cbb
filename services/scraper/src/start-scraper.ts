import type { Broker } from '@gleaner/broker';
import { type Config, fromSettings } from '@gleaner/config';
import {
  AppError,
  type Engine,
  jobIdOf,
  LIMITS,
  mayRepeat,
  methodOf,
  type ScrapeReply,
  type ScrapeRequest,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import { createChromeClient, createEgressPolicy, createHttpClient } from '@gleaner/egress';
import {
  AccountPlaces,
  createSecretBox,
  type Logger,
  type Metrics,
  NO_TRACER,
  type RunningService,
  type Tracer,
} from '@gleaner/service-kit';
import { createBrowserCounter, declareBrowserGauges, describeBrowsers } from './browser/browser-metrics.ts';
import type { BrowserEnd, BrowserPool } from './browser/browser-pool.ts';
import { explainNoBrowser, openBrowserPool } from './browser/open-browser-pool.ts';
import { Calibrations } from './calibrate/calibrations.ts';
import { PageMemory } from './capacity/page-memory.ts';
import { RunningScrapes } from './capacity/running-scrapes.ts';
import type { SCRAPER_SETTINGS } from './config.ts';
import { PageReader } from './extract/page-reader.ts';
import { handleScrape } from './handle-scrape.ts';
import { type ClimbDeps, climb } from './ladder/climb.ts';
import { HostMemory } from './ladder/host-memory.ts';
import { serveMaps } from './map/serve-maps.ts';
import { openProxyPools } from './open-proxy-pools.ts';
import { ClaimRegistry } from './pages/claim-registry.ts';
import { createPageWorker } from './pages/create-page-worker.ts';
import { extractKept } from './scrape/extract-kept.ts';
import { type CrawlFileDeps, createCrawlFileClients, fetchCrawlFile } from './scrape/fetch-crawl-file.ts';
import { type RenderDeps, renderPage } from './scrape/render-page.ts';
import type { Scrape, TaskReply } from './scrape/scrape.ts';
import { type ScrapeDeps, scrapePage } from './scrape/scrape-page.ts';
import { serveSnapshots } from './snapshots/serve-snapshots.ts';

/** Time that scrapes in progress may take when the process is asked to stop; the others go to other scrapers. */
const STOP_WITHIN_MS = 15_000;
/** Time within it to queue pages of jobs again that are not finished. */
const HAND_BACK_MS = 2000;

/** Scrapes accepted while they wait for a place, so that other accounts' scrapes are seen behind them. */
const MAX_WAITING_SCRAPES = 50;

/** Places for files of crawls: a sitemap takes up to 100 MiB while it is decompressed. */
const FILE_TIERS = [
  { overBytes: 256 * 1024, perAccount: 4 },
  { overBytes: 2 * 1024 * 1024, perAccount: 1 },
];

/** Files of one account that arrive at once. */
const DOWNLOADS_PER_ACCOUNT = 6;

/** Hosts for which the ladder remembers the rung that worked. */
const MAX_HOSTS = 10_000;

/** Dependencies of the scraper, as `runService` provides them. */
export interface ScraperDeps {
  readonly config: Config<typeof SCRAPER_SETTINGS>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly broker: Broker;
}

/** Takes scrapes and pages of jobs from the queues of its engines until it is stopped. */
export async function startScraper({
  config,
  logger,
  metrics,
  tracer = NO_TRACER,
  broker,
}: ScraperDeps): Promise<RunningService> {
  const policy = fromSettings(() => createEgressPolicy({ allow: config.EGRESS_ALLOW }));
  const httpClient = createHttpClient({ policy, ...(config.USER_AGENT && { userAgent: config.USER_AGENT }) });
  const chromeClient = createChromeClient({
    policy,
    largestBodyBytes: Math.max(LIMITS.maxPageBytes, config.MAX_FILE_BYTES),
  });
  const fileClients = createCrawlFileClients({
    policy,
    ...(config.USER_AGENT && { userAgent: config.USER_AGENT }),
  });
  const proxyPools = openProxyPools({ config, policy, logger, metrics });
  const pageReader = new PageReader({ maxThreads: config.EXTRACTION_WORKERS });
  const running = new RunningScrapes();
  const claims = new ClaimRegistry({ broker, logger });
  const stopping = new AbortController();
  const listeners = [
    broker.onBroadcast('cancellations', ({ requestId }) => running.cancel(requestId)),
    broker.onBroadcast('jobCancellations', ({ jobId }) => running.cancelJob(jobId)),
    broker.onBroadcast('pageClaims', (message) => claims.receive(message)),
  ];
  const consumerDeps = {
    ...{ broker, logger, tracer, running, claims, pageReader, proxyPools },
    stopping: stopping.signal,
    hosts: new HostMemory({ rememberMs: config.ANTIBOT_REMEMBER_MS, maxHosts: MAX_HOSTS }),
    observe: createObserver(metrics),
    files: {
      ...{ clients: fileClients, proxyPools, pageReader, logger, jobIdOf },
      pageMemory: new PageMemory(FILE_TIERS),
    },
  };
  const calibrations = new Calibrations(stopping.signal);
  const secretBox = createSecretBox(config.SECRETS_KEY);
  const consumers: Consumers = [serveSnapshots({ broker, pageReader })];
  if (config.ENGINES.includes('http')) {
    const deps = {
      ...{ proxyPools, pageReader, pageMemory: new PageMemory(), logger, calibrations, secretBox },
      methods: config.ALLOW_METHODS,
      downloads: {
        ...{ broker, maxFileBytes: config.MAX_FILE_BYTES },
        places: new AccountPlaces({ perAccount: DOWNLOADS_PER_ACCOUNT }),
      },
    };
    const clients = { httpClient, chromeClient };
    const scrapes = plainScrapes(clients, deps);
    const work = {
      engine: 'http' as const,
      scrapes,
      pageScrapes: plainScrapes(clients, { ...deps, jobIdOf }),
      concurrency: { scrapes: config.SCRAPE_CONCURRENCY, pages: config.PAGE_CONCURRENCY },
    };
    consumers.push(...consume(work, consumerDeps));
    const { jobIdOf: _jobs, ...files } = consumerDeps.files;
    consumers.push(
      serveMaps({
        ...{ broker, running, scrape: scrapes.plain },
        fetchFile: (task, signal) => fetchCrawlFile(task, files, signal),
      }),
    );
  }
  const browserPool = config.ENGINES.includes('browser')
    ? await openPool({ config, policy, logger, onEnded: countEnds(metrics) })
    : undefined;
  if (browserPool) {
    declareBrowserGauges(metrics, browserPool);
    const scrapes = renderedScrapes({
      ...{ browserPool, httpClient, proxyPools, pageReader, policy, logger, calibrations },
      secretBox,
      sharesContexts: config.BROWSER_SHARE_CONTEXTS,
    });
    const work = {
      engine: 'browser' as const,
      ...{ scrapes, pageScrapes: scrapes },
      concurrency: { scrapes: config.BROWSER_SCRAPE_CONCURRENCY, pages: config.BROWSER_PAGE_CONCURRENCY },
    };
    consumers.push(...consume(work, consumerDeps));
  }
  return {
    facts: () => ({ ...(browserPool && { browsers: describeBrowsers(browserPool) }) }),
    async stop() {
      const timer = setTimeout(() => stopping.abort(shuttingDown()), STOP_WITHIN_MS - HAND_BACK_MS);
      await Promise.all(consumers.map((consumer) => consumer.stop(STOP_WITHIN_MS)));
      clearTimeout(timer);
      stopping.abort(shuttingDown());
      await Promise.all(listeners.map((listener) => listener.stop(STOP_WITHIN_MS)));
      httpClient.close();
      chromeClient.close();
      for (const client of Object.values(fileClients)) client.close();
      await Promise.all([pageReader.close(), browserPool?.close()]);
    },
  };
}

function countEnds(metrics: Metrics): (reason: BrowserEnd) => void {
  const ended = createBrowserCounter(metrics);
  return (reason) => ended.inc({ reason });
}

function shuttingDown(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message: 'The scraper is shutting down.' });
}

type Observe = (engine: Engine, reply: TaskReply, durationMs: number) => void;

function createObserver(metrics: Metrics): Observe {
  const durations = metrics.histogram({
    name: 'scrape_duration_seconds',
    help: 'Time from taking a scrape to its reply, by engine and outcome (success, an error code, or for crawls redirected or notDocument).',
    labelNames: ['engine', 'outcome'],
  });
  return (engine, reply, durationMs) => {
    const outcome = reply.ok ? 'success' : (reply.noPage?.kind ?? reply.failure.code);
    durations.observe({ engine, outcome }, durationMs / 1000);
  };
}

type Scrapes = ClimbDeps['scrapes'];

/** Returns how each rung of the http engine scrapes. */
function plainScrapes(
  { httpClient, chromeClient }: Record<'httpClient' | 'chromeClient', ScrapeDeps['httpClient']>,
  deps: Omit<ScrapeDeps, 'httpClient' | 'rung'>,
): Record<'plain' | 'chrome', Scrape> {
  const plain = { ...deps, httpClient, rung: 'plain' as const };
  const chrome = { ...deps, httpClient: chromeClient, rung: 'chrome' as const };
  return {
    plain: (command, context) => scrapePage(command, plain, context),
    chrome: (command, context) => scrapePage(command, chrome, context),
  };
}

/** Returns how each rung of the browser engine scrapes. */
function renderedScrapes(deps: Omit<RenderDeps, 'isDisguised'>): Scrapes {
  const disguised: Scrape = (command, context) =>
    renderPage(command, { ...deps, isDisguised: true }, context);
  return {
    browser: (command, context) => renderPage(command, { ...deps, isDisguised: false }, context),
    disguised,
    'next-proxy': disguised,
  };
}

/** Work of one engine. */
interface EngineWork {
  readonly engine: Engine;
  readonly scrapes: Scrapes;
  /** The same for pages of jobs. */
  readonly pageScrapes: Scrapes;
  /** Scrapes, and pages of jobs, that are worked on at the same time. */
  readonly concurrency: { readonly scrapes: number; readonly pages: number };
}

interface ConsumerDeps extends Omit<ClimbDeps, 'scrapes' | 'hasWorker'> {
  readonly broker: Broker;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly running: RunningScrapes;
  readonly claims: ClaimRegistry;
  readonly pageReader: PageReader;
  readonly stopping: AbortSignal;
  readonly observe: Observe;
  readonly files: CrawlFileDeps;
}

type Consumers = { readonly stop: (withinMs: number) => Promise<void> }[];

/** Starts to take the scrapes and the pages of jobs of one engine. */
function consume({ engine, scrapes, pageScrapes, concurrency }: EngineWork, deps: ConsumerDeps): Consumers {
  const { broker, logger, tracer, running, claims, pageReader, stopping, observe, files } = deps;
  const { hosts, proxyPools } = deps;
  // A scraper that takes scrapes of an engine takes pages of jobs as well.
  const hasWorker = async (other: Engine) =>
    (await broker.consumerCount(`scrape.${other}`).catch(() => 0)) > 0;
  const climbDeps = { scrapes, hosts, proxyPools, hasWorker };
  const pageClimbDeps = { ...climbDeps, scrapes: pageScrapes };
  const places = new AccountPlaces({ perAccount: concurrency.scrapes });
  const scrapeDeps = { engine, running, places, pageReader, climbDeps, tracer, observe };
  const workOnPage = createPageWorker({
    ...{ engine, broker, running, claims, stopping, tracer },
    places: new AccountPlaces({ perAccount: concurrency.pages }),
    climb: (task, signal) => climb(task, pageClimbDeps, signal),
    extractKept: (page, signal) => extractKept(page, { pageReader }, signal),
    fetchCrawlFile: (task, signal) => fetchCrawlFile(task, files, signal),
    observe: (reply, durationMs) => observe(engine, reply, durationMs),
  });
  return [
    broker.respond(
      `scrape.${engine}`,
      async ({ body, signal, forward, redelivered }) => {
        if (redelivered && !mayRepeat(body.request)) return lostWithWorker(body.request);
        const outcome = await handleScrape(body, scrapeDeps, signal);
        if (outcome.kind === 'forward') {
          return await forward(`scrape.${outcome.engine}`, { ...body, climb: outcome.climb });
        }
        logger.debug({ requestId: body.requestId, ok: outcome.reply.ok }, 'Scraped.');
        return outcome.reply;
      },
      { concurrency: places.total + MAX_WAITING_SCRAPES },
    ),
    broker.consumeWork(`pages.${engine}`, workOnPage, { concurrency: concurrency.pages }),
  ];
}

/** Returns the reply to a request that must not be sent twice, and that a worker had which is gone. */
function lostWithWorker(request: ScrapeRequest): ScrapeReply {
  const message = `The worker that had the ${methodOf(request)} was lost, and may have sent it.`;
  const failure = toFailure(new AppError('OUTCOME_UNKNOWN', { message }));
  return { ok: false, failure, attempts: [], wasSent: true };
}

/** Opens the pool of browsers. Where no browser can run, logs the reason: this scraper then renders no pages. */
async function openPool(deps: Parameters<typeof openBrowserPool>[0]): Promise<BrowserPool | undefined> {
  try {
    return await openBrowserPool(deps);
  } catch (error) {
    deps.logger.error({ err: error }, explainNoBrowser(toAppError(error)));
    return undefined;
  }
}
