import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { Broker } from '@gleaner/broker';
import { fromSettings } from '@gleaner/config';
import { createEgressPolicy, readProxies } from '@gleaner/egress';
import { ThreadPool } from '@gleaner/extraction';
import {
  AccountPlaces,
  createSecretBox,
  type Logger,
  listen,
  type Metrics,
  NO_TRACER,
  type Tracer,
} from '@gleaner/service-kit';
import { CacheKeeper, createStores, type Database, type Stores } from '@gleaner/storage';
import { Headroom } from './admission/headroom.ts';
import { HeldSlots, SlotReleases } from './admission/slots.ts';
import { createApp } from './app.ts';
import { CredentialLookup } from './authentication.ts';
import { BodyBudget } from './body/body-budget.ts';
import type { GatewayConfig } from './config.ts';
import { ConsoleFiles } from './console/console-files.ts';
import { ensureAdminKey } from './ensure-admin-key.ts';
import { asksToWatch, declineWatching } from './firecrawl/decline-watching.ts';
import { FinishedParts } from './firecrawl/finished-parts.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { KeyUses } from './key-uses.ts';
import { EXTRACT_PATIENCE_MS, EXTRACTIONS_PER_ACCOUNT } from './routes/content/extract-handler.ts';
import {
  SNAPSHOT_PATIENCE_MS,
  SNAPSHOTS_PER_ACCOUNT,
  SOLVES_PER_ACCOUNT,
} from './routes/content/snapshot-handlers.ts';
import type { DiffOutcome, PageToDiff } from './routes/diffs/diff-page.ts';
import { findEstimateErrors } from './routes/estimate/estimate-handler.ts';
import { findJobUrlErrors } from './routes/jobs/check-job-request.ts';
import { CrawlFilters } from './routes/jobs/crawl/find-crawled-url.ts';
import { JobEvents } from './routes/jobs/job-events.ts';
import { STREAM_PATIENCE_MS, STREAMS_PER_ACCOUNT } from './routes/jobs/job-streams.ts';
import { findStatusErrors } from './routes/schedules/check-settings.ts';
import { SEARCH_PATIENCE_MS, SEARCHES_PER_ACCOUNT } from './routes/search/search-web.ts';
import { createSearxng } from './routes/search/searxng.ts';
import { TraceLog } from './routes/system/trace-log.ts';
import { Connections } from './server/connections.ts';
import { closeGracefully, createHttpServer } from './server/create-http-server.ts';
import { startBackgroundWork } from './start-background-work.ts';

/** Collaborators of a gateway. */
export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Hears the routes of calls as they begin and end. */
  readonly noteWork?: (name: string) => void;
  readonly tracer?: Tracer;
  readonly broker: Broker;
  readonly database: Database;
  /** Shows a text to the operator without writing it to the log. */
  readonly show: (text: string) => void;
}

/** A gateway that answers calls. */
export interface Gateway {
  readonly port: number;
  /** Stops accepting calls, finishes the calls in flight, and closes the rest when the signal aborts. */
  readonly stop: (signal: AbortSignal) => Promise<void>;
}

/** Time for the subscription to heartbeats; without a broker, the gateway listens all the same. */
const SUBSCRIBED_WITHIN_MS = 1000;
/** Connections for exports and lists of URLs. Each can keep the database busy, so there are few. */
const STREAM_CONNECTIONS = 2;
/** Time for heartbeats that are being stored when the gateway stops. */
const LISTEN_WITHIN_MS = 1000;

/** A page of the largest size takes about 200 MB. */
const DIFF_HEAP_MB = 384;

/** Starts the REST interface. Throws a StartupError when it cannot listen; everything opened by then is closed. */
export async function startGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, logger, noteWork = () => {}, broker, database, show } = deps;
  await using opened = new AsyncDisposableStack();
  const streamed = await database.connectApart(STREAM_CONNECTIONS);
  opened.defer(() => streamed.close());
  const stopping = new AbortController();
  const parts = createParts(deps, { stores: createStores(database), streamed, stopping: stopping.signal });
  const { stores, connections, heldSlots, slotReleases, keyUses, traceLog } = parts;
  opened.defer(() => parts.handlerDeps.diffPool.close());
  opened.defer(() => parts.handlerDeps.searxng?.close());
  const server = createServer(deps, parts);
  const heartbeats = broker.onBroadcast('heartbeats', (heartbeat) =>
    stores.instances.noteHeartbeat(heartbeat, stores.clock.now()),
  );
  opened.defer(() => heartbeats.stop(LISTEN_WITHIN_MS));
  await ensureAdminKey(config.BOOTSTRAP_API_KEY, { stores, logger, show });
  const { HOST: host, PORT: port, SWEEP_INTERVAL_MS: sweepIntervalMs } = config;
  // From the first request on, /readyz tells the truth about the broker, not about a subscription that is being made.
  await broker.whenReady(SUBSCRIBED_WITHIN_MS);
  const actualPort = await listen(server, { host, port, settings: { host: 'HOST', port: 'PORT' } });
  const background = { ...stores, heldSlots, keyUses, traceLog, logger, noteWork, sweepIntervalMs };
  const stopBackgroundWork = startBackgroundWork(background);
  const kept = opened.move();
  return {
    port: actualPort,
    async stop(signal) {
      stopping.abort();
      await closeGracefully(server, connections, signal);
      await Promise.all([slotReleases.finish(), stopBackgroundWork()]);
      await kept.disposeAsync();
    },
  };
}

/** State of a gateway while it runs. */
type Parts = ReturnType<typeof createParts>;

function createParts(
  { config, logger, broker }: GatewayDeps,
  {
    stores,
    streamed,
    stopping,
  }: { readonly stores: Stores; readonly streamed: Database; readonly stopping: AbortSignal },
) {
  const { MAX_SCRAPES_IN_FLIGHT: maxInFlight, SEARCH_URL: searchUrl } = config;
  const headroom = new Headroom({ maxInFlight, now: () => performance.now() });
  const consoleFiles = config.CONSOLE_DIR === undefined ? undefined : new ConsoleFiles(config.CONSOLE_DIR);
  const traceLog = new TraceLog(stores);
  const placesOf = (perAccount: number, patienceMs: number) => ({
    places: new AccountPlaces({ perAccount }),
    patienceMs,
  });
  const handlerDeps = {
    ...stores,
    version: packageVersion(),
    broker,
    logger,
    rules: fromSettings(() => rulesOf(config)),
    traceLog,
    filters: new CrawlFilters(),
    jobStreams: { ...createStores(streamed), ...placesOf(STREAMS_PER_ACCOUNT, STREAM_PATIENCE_MS) },
    jobEvents: new JobEvents({ ...stores, logger, maxStreamsPerKey: config.MAX_EVENT_STREAMS }),
    snapshotPlaces: placesOf(SNAPSHOTS_PER_ACCOUNT, SNAPSHOT_PATIENCE_MS),
    solvePlaces: placesOf(SOLVES_PER_ACCOUNT, SNAPSHOT_PATIENCE_MS),
    extractPlaces: placesOf(EXTRACTIONS_PER_ACCOUNT, EXTRACT_PATIENCE_MS),
    searchPlaces: placesOf(SEARCHES_PER_ACCOUNT, SEARCH_PATIENCE_MS),
    searxng: searchUrl === undefined ? undefined : fromSettings(() => createSearxng(searchUrl)),
    readPicker: async () => consoleFiles?.readPicker(),
    keeping: { retentionMs: config.SNAPSHOT_RETENTION_MS, quotaBytes: config.SNAPSHOT_QUOTA_BYTES },
    cache: new CacheKeeper({
      ...stores,
      logger,
      keeping: { retentionMs: config.CACHE_RETENTION_MS, quotaBytes: config.CACHE_QUOTA_BYTES },
    }),
    settlementGraceMs: config.SETTLEMENT_GRACE_MS,
    stopping,
    secretBox: createSecretBox(config.SECRETS_KEY),
    consoleUrl: consoleFiles && consoleUrlOf(config),
    diffPool: new ThreadPool<PageToDiff, DiffOutcome>({
      module: new URL('./routes/diffs/diff-thread.ts', import.meta.url),
      maxThreads: 1,
      maxHeapMb: DIFF_HEAP_MB,
    }),
  };
  return {
    stores,
    connections: new Connections(),
    headroom,
    heldSlots: new HeldSlots(stores),
    slotReleases: new SlotReleases({ ...stores, headroom, logger }),
    keyUses: new KeyUses(stores.keys),
    consoleFiles,
    traceLog,
    handlerDeps,
  };
}

function createServer(
  { config, logger, metrics, noteWork = () => {}, tracer = NO_TRACER, broker, database }: GatewayDeps,
  { stores, connections, consoleFiles, handlerDeps, ...parts }: Parts,
): Server {
  const { version, rules } = handlerDeps;
  const { MAX_CONNECTIONS: maxConnections, MAX_SCRAPES_IN_FLIGHT: scrapesInFlight } = config;
  const hasFirecrawl = config.FIRECRAWL_API !== 'off';
  const app = createApp({
    ...stores,
    ...parts,
    logger,
    tracer,
    broker,
    database,
    version,
    publicUrl: config.PUBLIC_URL ?? '/',
    exampleUrl: config.EXAMPLE_URL,
    consoleFiles,
    hasSessions: consoleFiles !== undefined,
    corsOrigins: config.CORS_ORIGINS,
    metrics: createGatewayMetrics(metrics, connections),
    noteWork,
    credentials: new CredentialLookup({ ...stores, now: () => performance.now() }),
    allowances: allowancesOf(config),
    bodyBudget: new BodyBudget({ maxBytesPerAccount: config.MAX_BODY_BYTES_IN_FLIGHT }),
    valueChecks: {
      createJob: (body) => findJobUrlErrors(body, rules),
      estimate: (body) => findEstimateErrors(body, rules),
      updateSchedule: async (body) => findStatusErrors(body),
    },
    handlerDeps,
    firecrawl: hasFirecrawl
      ? { ...handlerDeps, finishedParts: new FinishedParts(), scrapesInFlight }
      : undefined,
  });
  const upgrades = hasFirecrawl ? { knows: asksToWatch, take: declineWatching } : undefined;
  return createHttpServer({
    app,
    timeouts: timeoutsOf(config),
    maxConnections,
    connections,
    logger,
    upgrades,
  });
}

/** Returns the address of the console up to its views; undefined where the service does not know its own. */
function consoleUrlOf({ PUBLIC_URL: url }: GatewayConfig): string | undefined {
  return url === undefined ? undefined : `${url.replace(/(?<!\/)\/+$/, '')}/console/#`;
}

function packageVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('../package.json');
  return manifest.version;
}

/** The gateway needs only the countries of the proxies: scrapers connect through them. */
function rulesOf(config: GatewayConfig) {
  const policy = createEgressPolicy({ allow: config.EGRESS_ALLOW });
  const countries = new Set(readProxies(config, policy).map(({ country }) => country));
  return {
    policy,
    proxyCountries: [...countries].sort(),
    methods: config.ALLOW_METHODS,
    maxPagesPerCrawl: config.MAX_PAGES_PER_CRAWL,
    mayIgnoreRobots: config.ROBOTS_POLICY !== 'obey',
    sends: { email: config.SMTP_URL !== undefined, apprise: config.APPRISE_URL !== undefined },
    emailDomains: config.NOTIFY_EMAIL_DOMAINS,
    model: modelOf(config),
    sinks: config.SINKS,
    sinkAccounts: config.SINK_ACCOUNTS,
  };
}

function modelOf({
  LLM_URL: url,
  LLM_MODEL: model,
  LLM_CREDITS_PER_1K_TOKENS: creditsPer1kTokens,
}: GatewayConfig) {
  return url === undefined || model === undefined ? undefined : { creditsPer1kTokens };
}

function allowancesOf(config: GatewayConfig) {
  return {
    perWindow: {
      scrape: config.RATE_LIMIT_SCRAPE,
      create: config.RATE_LIMIT_CREATE,
      read: config.RATE_LIMIT_READ,
      extract: config.RATE_LIMIT_EXTRACT,
    },
    windowMs: 60_000,
    scrapesInFlight: config.MAX_SCRAPES_IN_FLIGHT,
  };
}

function timeoutsOf(config: GatewayConfig) {
  return {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
  };
}
