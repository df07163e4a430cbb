import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import type { Broker } from '@gleaner/broker';
import type { ConfigTable } from '@gleaner/config';
import { type InstanceFacts, untilAborted } from '@gleaner/contracts';
import type { ServiceConfig } from '../common-settings.ts';
import { createHealthServer, type HealthServerDeps } from '../health/health-server.ts';
import { listen } from '../health/listen.ts';
import type { Readiness } from '../health/readiness.ts';
import type { Logger } from '../logger/create-logger.ts';
import { createMetrics, type Metrics } from '../metrics/create-metrics.ts';
import { watchEventLoop } from '../metrics/watch-event-loop.ts';
import { TurnWatch } from '../metrics/watch-turns.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { ClosingSteps } from './closing-steps.ts';
import { openBackends } from './open-backends.ts';
import { repeatAtIntervals } from './repeat-at-intervals.ts';
import type { Backends, RunningService, Service, ServiceContext } from './service.ts';
import { untilReady } from './until-ready.ts';

interface OpeningDeps {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly readiness: Readiness;
  readonly closing: ClosingSteps;
  readonly stopSignal: AbortSignal;
}

/**
 * Opens everything that a service depends on, in order, and starts it. Health and metrics are served first. Throws when a
 * part is not ready within STARTUP_TIMEOUT_MS, or when the stop signal aborts.
 */
export async function openService<Table extends ConfigTable, Uses extends keyof Backends>(
  service: Service<Table, Uses>,
  { config, logger, tracer, readiness, closing, stopSignal }: OpeningDeps,
): Promise<Required<Pick<RunningService, 'stop' | 'ports'>>> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(config.STARTUP_TIMEOUT_MS)]);
  const metrics = createMetrics(service.name);
  closing.add({ name: 'the event loop watch', close: watchEventLoop({ logger, metrics }) });
  const turns = new TurnWatch({ logger, metrics });
  closing.add({ name: 'the watch of turns', close: () => turns.close() });
  showChecks(metrics, readiness);
  const reports = new Map<string, () => Promise<object>>();
  const metricsPort = await openHealthServer({ metrics, readiness, logger, reports }, { config, closing });
  const deps = { service: service.name, config, logger, metrics, turns, tracer, readiness, closing, signal };
  const backends = await openBackends(service.uses, deps);
  // `openBackends` opened what `uses` names, and `config` was read from the service's own table.
  const noteWork = (name: string) => turns.note(name);
  const context = {
    config,
    logger,
    metrics,
    noteWork,
    tracer,
    signal: stopSignal,
    ...backends,
  } as ServiceContext<Table, Uses>;
  const {
    stop,
    checks = {},
    reports: ownReports = {},
    facts = () => ({}),
    ports,
  } = await untilReady(start(service, context), {
    signal,
    what: `The start of the ${service.name}`,
    suggestion: 'See the log lines above for the cause of the delay, or raise STARTUP_TIMEOUT_MS.',
  });
  readiness.add(checks);
  for (const [path, report] of Object.entries(ownReports)) reports.set(path, report);
  if (backends.broker) {
    const { name } = service;
    const heartbeat = {
      broker: backends.broker,
      logger,
      facts,
      service: name,
      instance: config.INSTANCE,
    };
    closing.add({ name: 'the heartbeats', close: startHeartbeats(heartbeat) });
  }
  return { stop, ports: { ...ports, metrics: metricsPort } };
}

/** Shows the result of each readiness check as a metric. */
function showChecks(metrics: Metrics, readiness: Readiness): void {
  metrics.gauge({
    name: 'check_ok',
    help: 'Readiness checks of the process, such as its connections to broker and database: passed (1) or failed (0).',
    labelNames: ['check'],
    async collect() {
      const { checks } = await readiness.report();
      for (const [check, { ok }] of Object.entries(checks)) this.set({ check }, Number(ok));
    },
  });
}

async function start<Table extends ConfigTable, Uses extends keyof Backends>(
  service: Service<Table, Uses>,
  context: ServiceContext<Table, Uses>,
): Promise<RunningService> {
  return service.start(context);
}

async function openHealthServer(
  deps: HealthServerDeps,
  { config, closing }: Pick<OpeningDeps, 'config' | 'closing'>,
): Promise<number> {
  const server = createHealthServer(deps);
  closing.add({
    name: 'the health server',
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
  const port = await listen(server, {
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    settings: { host: 'METRICS_HOST', port: 'METRICS_PORT' },
  });
  deps.logger.info({ host: config.METRICS_HOST, port }, 'Health and metrics are served.');
  return port;
}

/** Collaborators of the heartbeats. */
interface HeartbeatDeps {
  readonly broker: Pick<Broker, 'broadcast'>;
  readonly logger: Logger;
  readonly service: string;
  /** Name of this replica; by default the host name and process ID. */
  readonly instance: string | undefined;
  /** Returns the facts that the process reports. */
  readonly facts: () => InstanceFacts;
}

/** A process without a heartbeat for several of these is forgotten. */
const HEARTBEAT_MS = 10_000;
const LAST_WITHIN_MS = 1000;

/**
 * Sends a heartbeat to the gateways every few seconds. Returns a function that stops them and sends the last one; it
 * never rejects, and takes a second at most.
 */
function startHeartbeats(deps: HeartbeatDeps): () => Promise<void> {
  const { broker, logger, service, instance, facts } = deps;
  const identity = {
    id: randomUUID(),
    service,
    name: instance ?? `${hostname()}-${process.pid}`,
    version: ownVersion(),
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
  };
  const send = (isLast: boolean, signal: AbortSignal) =>
    untilAborted(broker.broadcast('heartbeats', { ...identity, facts: facts(), isLast }), signal);
  const stop = repeatAtIntervals(
    async (signal) => {
      await send(false, signal);
    },
    {
      intervalMs: HEARTBEAT_MS,
      logger,
      onFailure: 'A heartbeat was not sent; the next one follows.',
    },
  );
  return async () => {
    await stop();
    await send(true, AbortSignal.timeout(LAST_WITHIN_MS)).catch((err: unknown) => {
      logger.debug({ err }, 'The last heartbeat was not sent; the process is forgotten within a minute.');
    });
  };
}

function ownVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('../../package.json');
  return manifest.version;
}
