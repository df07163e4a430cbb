import type { Broker } from '@gleaner/broker';
import { type Config, fromSettings } from '@gleaner/config';
import { AppError, defined, jobIdOf, LIMITS, toAppError } from '@gleaner/contracts';
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
import { describeChromium } from './browser/process/find-chromium.ts';
import { Calibrations } from './calibrate/calibrations.ts';
import { PageMemory } from './capacity/page-memory.ts';
import { RunningScrapes } from './capacity/running-scrapes.ts';
import type { SCRAPER_SETTINGS } from './config.ts';
import {
  type ConsumerDeps,
  type Consumers,
  consume,
  type EngineWork,
  type Observe,
} from './consume-engine.ts';
import { PageReader } from './extract/page-reader.ts';
import { HostMemory } from './ladder/host-memory.ts';
import { serveMaps } from './map/serve-maps.ts';
import { AnswerCache } from './model/answer-cache.ts';
import { ChatClient } from './model/chat-client.ts';
import { ModelExtractor } from './model/model-extractor.ts';
import { openProxyPools } from './open-proxy-pools.ts';
import { ClaimRegistry } from './pages/claim-registry.ts';
import { createCrawlFileClients, fetchCrawlFile } from './scrape/fetch-crawl-file.ts';
import type { PlainDeps, RenderDeps } from './scrape/page.ts';
import type { Scrape } from './scrape/scrape.ts';
import { renderPage, scrapePage } from './scrape/scrape-page.ts';
import { serveSnapshots } from './snapshots/serve-snapshots.ts';

/** Time that scrapes in progress may take when the process is asked to stop; the others go to other scrapers. */
const STOP_WITHIN_MS = 15_000;
/** Time within it to queue pages of jobs again that are not finished. */
const HAND_BACK_MS = 2000;

/** Places for files of crawls: a sitemap takes up to 100 MiB while it is decompressed. */
const FILE_TIERS = [
  { overBytes: 256 * 1024, perAccount: 4 },
  { overBytes: 2 * 1024 * 1024, perAccount: 1 },
];

/** Files of one account that arrive at once. */
const DOWNLOADS_PER_ACCOUNT = 6;

/** Most hosts in the memory of the ladder. */
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
export async function startScraper(deps: ScraperDeps): Promise<RunningService> {
  const { config, metrics, broker } = deps;
  const stopping = new AbortController();
  const shared = createShared(deps, stopping.signal);
  const { running, claims, pageReader } = shared.consuming;
  const listeners = [
    broker.onBroadcast('cancellations', ({ requestId }) => running.cancel(requestId)),
    broker.onBroadcast('jobCancellations', ({ jobId }) => running.cancelJob(jobId)),
    broker.onBroadcast('pageClaims', (message) => claims.receive(message)),
  ];
  const consumers: Consumers = [serveSnapshots({ broker, pageReader, model: shared.scraping.model })];
  if (config.ENGINES.includes('http')) consumers.push(...servePlain(deps, shared));
  const browserPool = config.ENGINES.includes('browser') ? await openPool(deps, shared) : undefined;
  const chromium = browserPool && (await describeChromium(config.CHROMIUM_PATH));
  if (browserPool) {
    declareBrowserGauges(metrics, browserPool);
    consumers.push(...serveRendered(deps, shared, browserPool));
  }
  return {
    facts: () => defined({ browsers: browserPool && describeBrowsers(browserPool), chromium }),
    async stop() {
      const timer = setTimeout(() => stopping.abort(shuttingDown()), STOP_WITHIN_MS - HAND_BACK_MS);
      await Promise.all(consumers.map((consumer) => consumer.stop(STOP_WITHIN_MS)));
      clearTimeout(timer);
      stopping.abort(shuttingDown());
      await Promise.all(listeners.map((listener) => listener.stop(STOP_WITHIN_MS)));
      for (const client of Object.values(shared.clients)) client.close();
      shared.scraping.model?.close();
      await Promise.all([pageReader.close(), browserPool?.close()]);
    },
  };
}

/** Creates what both engines use. */
function createShared(
  { config, logger, metrics, tracer = NO_TRACER, broker }: ScraperDeps,
  stopping: AbortSignal,
) {
  const policy = fromSettings(() => createEgressPolicy({ allow: config.EGRESS_ALLOW }));
  const own = { policy, ...defined({ userAgent: config.USER_AGENT || undefined }) };
  const httpClient = createHttpClient(own);
  const chromeClient = createChromeClient({
    policy,
    largestBodyBytes: Math.max(LIMITS.maxPageBytes, config.MAX_FILE_BYTES),
  });
  const fileClients = createCrawlFileClients(own);
  const proxyPools = openProxyPools({ config, policy, logger, metrics });
  const pageReader = new PageReader({ maxThreads: config.EXTRACTION_WORKERS });
  const files = {
    clients: fileClients,
    proxyPools,
    pageReader,
    logger,
    pageMemory: new PageMemory(FILE_TIERS),
  };
  const scraping = {
    httpClient,
    proxyPools,
    pageReader,
    logger,
    calibrations: new Calibrations(stopping),
    secretBox: createSecretBox(config.SECRETS_KEY),
    model: openModel({ config, broker, pageReader }),
  };
  const consuming: ConsumerDeps = {
    broker,
    logger,
    tracer,
    running: new RunningScrapes(),
    claims: new ClaimRegistry({ broker, logger }),
    pageReader,
    proxyPools,
    stopping,
    hosts: new HostMemory({ rememberMs: config.ANTIBOT_REMEMBER_MS, maxHosts: MAX_HOSTS }),
    observe: createObserver(metrics),
    files: { ...files, jobIdOf },
  };
  const clients = { httpClient, chromeClient, ...fileClients };
  return { policy, clients, files, scraping, consuming };
}

/** Returns the model that the operator has set up, if there is one. */
function openModel({
  config,
  broker,
  pageReader,
}: Pick<ScraperDeps, 'config' | 'broker'> & { readonly pageReader: PageReader }): ModelExtractor | undefined {
  const { LLM_URL: url, LLM_MODEL: model, LLM_API_KEY: apiKey } = config;
  if (url === undefined || model === undefined) return undefined;
  return new ModelExtractor({
    chat: new ChatClient({ url, model, apiKey }),
    cache: new AnswerCache(broker),
    pageReader,
    concurrency: config.LLM_CONCURRENCY,
    creditsPer1kTokens: config.LLM_CREDITS_PER_1K_TOKENS,
  });
}

type Shared = ReturnType<typeof createShared>;

/** Takes pages that are fetched, and maps. */
function servePlain({ config, broker }: ScraperDeps, shared: Shared): Consumers {
  const { clients, files, consuming } = shared;
  const deps = {
    ...shared.scraping,
    pageMemory: new PageMemory(),
    methods: config.ALLOW_METHODS,
    downloads: {
      broker,
      maxFileBytes: config.MAX_FILE_BYTES,
      places: new AccountPlaces({ perAccount: DOWNLOADS_PER_ACCOUNT }),
    },
  };
  const scrapes = plainScrapes(clients, deps);
  const work: EngineWork = {
    engine: 'http',
    scrapes,
    pageScrapes: plainScrapes(clients, { ...deps, jobIdOf }),
    concurrency: { scrapes: config.SCRAPE_CONCURRENCY, pages: config.PAGE_CONCURRENCY },
  };
  const maps = serveMaps({
    broker,
    running: consuming.running,
    scrape: scrapes.plain,
    fetchFile: (task, signal) => fetchCrawlFile(task, files, signal),
  });
  return [...consume(work, consuming), maps];
}

/** Takes pages that are rendered. */
function serveRendered({ config }: ScraperDeps, shared: Shared, browserPool: BrowserPool): Consumers {
  const scrapes = renderedScrapes({
    ...shared.scraping,
    browserPool,
    policy: shared.policy,
    sharesContexts: config.BROWSER_SHARE_CONTEXTS,
  });
  const work: EngineWork = {
    engine: 'browser',
    scrapes,
    pageScrapes: scrapes,
    concurrency: { scrapes: config.BROWSER_SCRAPE_CONCURRENCY, pages: config.BROWSER_PAGE_CONCURRENCY },
  };
  return consume(work, shared.consuming);
}

function countEnds(metrics: Metrics): (reason: BrowserEnd) => void {
  const ended = createBrowserCounter(metrics);
  return (reason) => ended.inc({ reason });
}

function shuttingDown(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message: 'The scraper is shutting down.' });
}

function createObserver(metrics: Metrics): Observe {
  const durations = metrics.histogram({
    name: 'scrape_duration_seconds',
    help: 'Time from taking a scrape to its reply, by engine and outcome (success, cached, an error code, or for crawls redirected or notDocument).',
    labelNames: ['engine', 'outcome'],
  });
  return (engine, reply, durationMs) => {
    const found = reply.ok && reply.result.cache ? 'cached' : 'success';
    const outcome = reply.ok ? found : (reply.noPage?.kind ?? reply.failure.code);
    durations.observe({ engine, outcome }, durationMs / 1000);
  };
}

/** Returns how each rung of the http engine scrapes. */
function plainScrapes(
  { httpClient, chromeClient }: Record<'httpClient' | 'chromeClient', PlainDeps['httpClient']>,
  deps: Omit<PlainDeps, 'httpClient' | 'rung'>,
): Record<'plain' | 'chrome', Scrape> {
  const plain = { ...deps, httpClient, rung: 'plain' as const };
  const chrome = { ...deps, httpClient: chromeClient, rung: 'chrome' as const };
  return {
    plain: (command, context) => scrapePage(command, plain, context),
    chrome: (command, context) => scrapePage(command, chrome, context),
  };
}

/** Returns how each rung of the browser engine scrapes. */
function renderedScrapes(deps: Omit<RenderDeps, 'isDisguised'>): EngineWork['scrapes'] {
  const disguised: Scrape = (command, context) =>
    renderPage(command, { ...deps, isDisguised: true }, context);
  return {
    browser: (command, context) => renderPage(command, { ...deps, isDisguised: false }, context),
    disguised,
    'next-proxy': disguised,
  };
}

/** Opens the pool of browsers. Where no browser can run, logs the reason: this scraper then renders no pages. */
async function openPool(
  { config, logger, metrics }: ScraperDeps,
  { policy }: Shared,
): Promise<BrowserPool | undefined> {
  try {
    return await openBrowserPool({ config, policy, logger, onEnded: countEnds(metrics) });
  } catch (error) {
    logger.error({ err: error }, explainNoBrowser(toAppError(error)));
    return undefined;
  }
}
