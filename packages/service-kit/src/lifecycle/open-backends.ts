import type { Broker } from '@gleaner/broker';
import { defined, EXCHANGES } from '@gleaner/contracts';
import type { Database } from '@gleaner/storage';
import type { ServiceConfig } from '../common-settings.ts';
import type { Readiness } from '../health/readiness.ts';
import type { Logger } from '../logger/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { RecentMaxima } from '../metrics/recent-maxima.ts';
import type { TurnWatch } from '../metrics/watch-turns.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { ClosingSteps } from './closing-steps.ts';
import type { Backends } from './service.ts';
import { untilReady } from './until-ready.ts';

/** Collaborators of `openBackends`. */
export interface BackendDeps {
  readonly service: string;
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly turns: Pick<TurnWatch, 'note'>;
  readonly tracer: Tracer;
  readonly readiness: Readiness;
  readonly closing: ClosingSteps;
  /** Aborted when the start takes too long or is canceled. */
  readonly signal: AbortSignal;
}

/** Interval at which the wait for the broker checks its signal. */
const BROKER_POLL_MS = 250;
/** Time limit for deliveries that are still in progress after `stop`, before they are requeued. */
const BROKER_DRAIN_MS = 500;

/**
 * Connects the backends of a service, waits until they are up, and adds them to the readiness checks and the
 * closing steps. The database is opened first, so that the broker closes first: its last deliveries need the
 * database.
 */
export async function openBackends(
  uses: readonly (keyof Backends)[],
  deps: BackendDeps,
): Promise<Partial<Backends>> {
  const database = uses.includes('database') ? await openDatabase(deps) : undefined;
  const broker = uses.includes('broker') ? await openBroker(deps) : undefined;
  return defined({ database, broker });
}

async function openDatabase({
  service,
  config,
  logger,
  readiness,
  closing,
  signal,
}: BackendDeps): Promise<Database> {
  // Loaded only where it is used: the driver takes time and memory.
  const { connectDatabase } = await import('@gleaner/storage');
  const connecting = connectDatabase({
    uri: config.MONGODB_URI,
    logger,
    appName: `gleaner-${service}`,
    connectTimeoutMs: Number.POSITIVE_INFINITY, // The signal is the bound.
    signal,
  });
  const database = await untilReady(connecting, {
    signal,
    what: 'The database',
    suggestion:
      'Start MongoDB, or correct host and port in MONGODB_URI; the log lines above show what failed.',
  });
  closing.add({ name: 'the database', close: () => database.close() });
  readiness.add({ database: (checkSignal) => database.ping({ signal: checkSignal }) });
  await untilReady(database.migrate(signal), {
    signal,
    what: 'The migration of the database',
    suggestion: 'Raise STARTUP_TIMEOUT_MS: a migration of large collections can take a long time.',
  });
  await untilReady(database.ensureIndexes(), {
    signal,
    what: 'The index build of the database',
    suggestion: 'Raise STARTUP_TIMEOUT_MS: the indexes of large collections can take a long time.',
  });
  return database;
}

async function openBroker({
  service,
  config,
  logger,
  metrics,
  turns,
  tracer,
  readiness,
  closing,
  signal,
}: BackendDeps): Promise<Broker> {
  const events = metrics.counter({
    name: 'broker_events_total',
    help: 'Connections to the broker by role, and outcomes of messages by queue or exchange.',
    labelNames: ['event', 'subject'],
  });
  const waits = new RecentMaxima();
  metrics.gauge({
    name: 'queue_oldest_seconds',
    help: 'Longest time that a message of each queue had waited when it came to this process, within the last minute.',
    labelNames: ['queue'],
    collect() {
      for (const [queue, seconds] of waits.read()) this.set({ queue }, seconds);
    },
  });
  const { connectBroker } = await import('@gleaner/broker');
  const broker = await connectBroker({
    url: config.AMQP_URL,
    name: `gleaner-${service}`,
    logger,
    tracing: tracer,
    observeWait: (queue, seconds) => waits.note(queue, seconds),
    observe: (event, subject) => {
      events.inc({ event, subject });
      const work = workOf(event, subject);
      if (work !== undefined) turns.note(work);
    },
    connectTimeoutMs: 0, // The wait follows below, where the signal ends it.
  });
  closing.add({ name: 'the broker', close: () => broker.close(BROKER_DRAIN_MS) });
  readiness.add({ broker: () => requireConnected(broker) });
  await untilReady(connected(broker, signal), {
    signal,
    what: 'The broker',
    suggestion: 'Start RabbitMQ, or correct host and port in AMQP_URL; the log lines above show what failed.',
  });
  return broker;
}

/** Returns the queue of an incoming or answered message; heartbeats keep an idle process idle. */
function workOf(event: string, subject: string): string | undefined {
  if (event === 'consumed') return subject === EXCHANGES.heartbeats.name ? undefined : subject;
  return event === 'published' && subject.endsWith(REPLIES) ? subject.slice(0, -REPLIES.length) : undefined;
}

const REPLIES = ' replies';

function requireConnected(broker: Broker): void {
  if (!broker.isReady) throw new Error('The broker is not connected.');
}

async function connected(broker: Broker, signal: AbortSignal): Promise<void> {
  while (!(await broker.whenReady(BROKER_POLL_MS))) signal.throwIfAborted();
}
