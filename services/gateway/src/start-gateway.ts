import { createRequire } from 'node:module';
import type { Broker } from '@gleaner/broker';
import { fromSettings } from '@gleaner/config';
import { createEgressPolicy, readProxies } from '@gleaner/egress';
import {
  AccountPlaces,
  createSecretBox,
  type Logger,
  listen,
  type Metrics,
  NO_TRACER,
  type Tracer,
} from '@gleaner/service-kit';
import { createStores, type Database } from '@gleaner/storage';
import { Headroom } from './admission/headroom.ts';
import { HeldSlots, SlotReleases } from './admission/slots.ts';
import { createApp } from './app.ts';
import { CredentialLookup } from './authentication.ts';
import { BodyBudget } from './body/body-budget.ts';
import { ensureAdminKey } from './bootstrap/ensure-admin-key.ts';
import type { GatewayConfig } from './config.ts';
import { ConsoleFiles } from './console/console-files.ts';
import { asksToWatch, declineWatching } from './firecrawl/decline-watching.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { KeyUses } from './key-uses.ts';
import { createHandlers } from './routes/create-handlers.ts';
import { findEstimateErrors } from './routes/estimate/create-estimate-handler.ts';
import { EXTRACT_PATIENCE_MS, EXTRACTIONS_PER_ACCOUNT } from './routes/extract/create-extract-handler.ts';
import { findJobUrlErrors } from './routes/jobs/check-job-request.ts';
import { CrawlFilters } from './routes/jobs/crawl/find-crawled-url.ts';
import { JobEvents } from './routes/jobs/job-events.ts';
import { STREAM_PATIENCE_MS, STREAMS_PER_ACCOUNT } from './routes/jobs/job-streams.ts';
import { findStatusErrors } from './routes/schedules/check-settings.ts';
import { SNAPSHOT_PATIENCE_MS, SNAPSHOTS_PER_ACCOUNT } from './routes/snapshots/create-snapshot-handlers.ts';
import { TraceLog } from './routes/traces/trace-log.ts';
import { Connections } from './server/connections.ts';
import { closeGracefully, createHttpServer } from './server/create-http-server.ts';
import { startBackgroundWork } from './start-background-work.ts';

/** Collaborators of a gateway. */
export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly broker: Broker;
  readonly database: Database;
  /** Shows a text to the operator without writing it to the log. */
  readonly show: (text: string) => void;
}

/** A gateway that answers calls. */
export interface Gateway {
  readonly port: number;
  /** Stops accepting calls, finishes those in flight, and closes what is left when the signal aborts. */
  readonly stop: (signal: AbortSignal) => Promise<void>;
}

/** Time for the subscription to heartbeats; without a broker, the gateway listens all the same. */
const SUBSCRIBED_WITHIN_MS = 1000;
/** Connections for exports and lists of URLs. Each can keep the database busy, so there are few. */
const STREAM_CONNECTIONS = 2;
/** Time for heartbeats that are being stored when the gateway stops. */
const LISTEN_WITHIN_MS = 1000;

/** Starts the REST interface. Throws a StartupError when it cannot listen. */
export async function startGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, logger, metrics, tracer = NO_TRACER, broker, database, show } = deps;
  const stores = createStores(database);
  const streamed = await database.connectApart(STREAM_CONNECTIONS);
  const { MAX_SCRAPES_IN_FLIGHT: maxInFlight } = config;
  const headroom = new Headroom({ maxInFlight, now: () => performance.now() });
  const heldSlots = new HeldSlots(stores);
  const slotReleases = new SlotReleases({ ...stores, headroom, logger });
  const keyUses = new KeyUses(stores.keys);
  const connections = new Connections();
  const stopping = new AbortController();
  const consoleFiles = config.CONSOLE_DIR === undefined ? undefined : new ConsoleFiles(config.CONSOLE_DIR);
  const rules = fromSettings(() => rulesOf(config));
  const traceLog = new TraceLog(stores);
  const jobStreams = {
    ...createStores(streamed),
    places: new AccountPlaces({ perAccount: STREAMS_PER_ACCOUNT }),
    patienceMs: STREAM_PATIENCE_MS,
  };
  const handlers = createHandlers({
    ...stores,
    version: packageVersion(),
    broker,
    logger,
    rules,
    traceLog,
    jobStreams,
    jobEvents: new JobEvents({ ...stores, logger, maxStreamsPerKey: config.MAX_EVENT_STREAMS }),
    snapshotPlaces: {
      places: new AccountPlaces({ perAccount: SNAPSHOTS_PER_ACCOUNT }),
      patienceMs: SNAPSHOT_PATIENCE_MS,
    },
    extractPlaces: {
      places: new AccountPlaces({ perAccount: EXTRACTIONS_PER_ACCOUNT }),
      patienceMs: EXTRACT_PATIENCE_MS,
    },
    readPicker: async () => consoleFiles?.readPicker(),
    keeping: { retentionMs: config.SNAPSHOT_RETENTION_MS, quotaBytes: config.SNAPSHOT_QUOTA_BYTES },
    settlementGraceMs: config.SETTLEMENT_GRACE_MS,
    stopping: stopping.signal,
    secretBox: createSecretBox(config.SECRETS_KEY),
  });
  const app = createApp({
    ...stores,
    logger,
    tracer,
    broker,
    database,
    version: packageVersion(),
    publicUrl: config.PUBLIC_URL ?? '/',
    exampleUrl: config.EXAMPLE_URL,
    consoleFiles,
    hasSessions: consoleFiles !== undefined,
    corsOrigins: config.CORS_ORIGINS,
    metrics: createGatewayMetrics(metrics, connections),
    keyUses,
    credentials: new CredentialLookup({ ...stores, now: () => performance.now() }),
    allowances: allowancesOf(config),
    headroom,
    heldSlots,
    slotReleases,
    bodyBudget: new BodyBudget({ maxBytesPerAccount: config.MAX_BODY_BYTES_IN_FLIGHT }),
    valueChecks: {
      createJob: (body) => findJobUrlErrors(body, rules),
      estimate: (body) => findEstimateErrors(body, rules),
      updateSchedule: async (body) => findStatusErrors(body),
    },
    handlers,
    firecrawl:
      config.FIRECRAWL_API === 'off'
        ? undefined
        : {
            ...stores,
            handlers,
            rules,
            jobStreams,
            filters: new CrawlFilters(),
            scrapesInFlight: maxInFlight,
          },
  });
  const { MAX_CONNECTIONS: maxConnections } = config;
  const upgrades = config.FIRECRAWL_API === 'off' ? undefined : { knows: asksToWatch, take: declineWatching };
  const timeouts = timeoutsOf(config);
  const server = createHttpServer({ app, timeouts, maxConnections, connections, logger, upgrades });
  const heartbeats = broker.onBroadcast('heartbeats', (heartbeat) =>
    stores.instances.noteHeartbeat(heartbeat, stores.clock.now()),
  );
  await ensureAdminKey(config.BOOTSTRAP_API_KEY, { stores, logger, show });
  const { HOST: host, PORT: port, SWEEP_INTERVAL_MS: sweepIntervalMs } = config;
  // From the first request on, /readyz tells the truth about the broker, not about a subscription that is being made.
  await broker.whenReady(SUBSCRIBED_WITHIN_MS);
  const actualPort = await listen(server, { host, port, settings: { host: 'HOST', port: 'PORT' } });
  const stopBackgroundWork = startBackgroundWork({
    ...stores,
    heldSlots,
    keyUses,
    traceLog,
    logger,
    sweepIntervalMs,
  });
  return {
    port: actualPort,
    async stop(signal) {
      stopping.abort();
      await closeGracefully(server, connections, signal);
      await Promise.all([slotReleases.finish(), stopBackgroundWork(), heartbeats.stop(LISTEN_WITHIN_MS)]);
      await streamed.close();
    },
  };
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
  };
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
