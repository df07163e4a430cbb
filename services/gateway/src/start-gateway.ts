import { createRequire } from 'node:module';
import type { Broker } from '@gleaner/broker';
import { fromSettings } from '@gleaner/config';
import { createEgressPolicy, readProxies } from '@gleaner/egress';
import { type Logger, listen, type Metrics } from '@gleaner/service-kit';
import { createStores, type Database } from '@gleaner/storage';
import { Headroom } from './admission/headroom.ts';
import { HeldSlots } from './admission/held-slots.ts';
import { SlotReleases } from './admission/slot-releases.ts';
import { startSlotRenewal } from './admission/start-slot-renewal.ts';
import { createApp } from './app.ts';
import { CredentialLookup } from './authentication/credential-lookup.ts';
import { ensureAdminKey } from './bootstrap/ensure-admin-key.ts';
import type { GatewayConfig } from './config.ts';
import { startSweeper } from './credits/start-sweeper.ts';
import { startUsageCounter } from './credits/start-usage-counter.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { createHandlers } from './routes/create-handlers.ts';
import { closeGracefully } from './server/close-gracefully.ts';
import { Connections } from './server/connections.ts';
import { createHttpServer } from './server/create-http-server.ts';

/** What a gateway is started with. */
export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly broker: Broker;
  readonly database: Database;
  /** Shows a text to the operator, past the log. */
  readonly show: (text: string) => void;
}

/** A gateway that answers calls. */
export interface Gateway {
  readonly port: number;
  /** Takes no new calls, finishes those in flight, and cuts what is left when the signal aborts. */
  readonly stop: (signal: AbortSignal) => Promise<void>;
}

/** Starts the REST interface; throws a StartupError when it can't listen. */
export async function startGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, logger, metrics, broker, database, show } = deps;
  const stores = createStores(database);
  const headroom = new Headroom({
    maxInFlight: config.MAX_SCRAPES_IN_FLIGHT,
    now: () => performance.now(),
  });
  const heldSlots = new HeldSlots({ ...stores, now: Date.now });
  const slotReleases = new SlotReleases({ ...stores, headroom, logger });
  const connections = new Connections();
  const stopping = new AbortController();
  const app = createApp({
    ...stores,
    logger,
    broker,
    database,
    version: packageVersion(),
    publicUrl: config.PUBLIC_URL ?? '/',
    corsOrigins: config.CORS_ORIGINS,
    metrics: createGatewayMetrics(metrics, connections),
    credentials: new CredentialLookup({ ...stores, now: () => performance.now() }),
    allowances: allowancesOf(config),
    headroom,
    heldSlots,
    slotReleases,
    handlers: createHandlers({
      ...stores,
      broker,
      logger,
      rules: fromSettings(() => rulesOf(config)),
      settlementGraceMs: config.SETTLEMENT_GRACE_MS,
      stopping: stopping.signal,
    }),
  });
  const server = createHttpServer({ app, patience: patienceOf(config), connections, logger });
  await ensureAdminKey(config.BOOTSTRAP_API_KEY, { stores, logger, show });
  const { HOST: host, PORT: port, SWEEP_INTERVAL_MS: intervalMs } = config;
  const actualPort = await listen(server, { host, port, settings: { host: 'HOST', port: 'PORT' } });
  const stopSlotRenewal = startSlotRenewal(heldSlots, logger);
  const stopSweeper = startSweeper({ credits: stores.credits, logger, intervalMs });
  const stopUsageCounter = startUsageCounter({ usage: stores.usage, logger });
  return {
    port: actualPort,
    async stop(signal) {
      stopping.abort();
      await closeGracefully(server, connections, signal);
      await Promise.all([slotReleases.finish(), stopSlotRenewal(), stopSweeper(), stopUsageCounter()]);
    },
  };
}

function packageVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('../package.json');
  return manifest.version;
}

/** Of the proxies no more than their countries is wanted here: scrapers go out through them. */
function rulesOf(config: GatewayConfig) {
  const policy = createEgressPolicy({ allow: config.EGRESS_ALLOW });
  const countries = new Set(readProxies(config, policy).map(({ country }) => country));
  return { policy, proxyCountries: [...countries].sort() };
}

function allowancesOf(config: GatewayConfig) {
  return {
    perWindow: {
      scrape: config.RATE_LIMIT_SCRAPE,
      create: config.RATE_LIMIT_CREATE,
      read: config.RATE_LIMIT_READ,
    },
    windowMs: 60_000,
    scrapesInFlight: config.MAX_SCRAPES_IN_FLIGHT,
  };
}

function patienceOf(config: GatewayConfig) {
  return {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
  };
}
