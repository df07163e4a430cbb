import type { Broker } from '@gleaner/broker';
import { fromSettings } from '@gleaner/config';
import { createEgressPolicy, createHttpClient } from '@gleaner/egress';
import {
  createSecretBox,
  inBackground,
  type Logger,
  type Metrics,
  NO_TRACER,
  type RunningService,
  repeatAtIntervals,
  type Tracer,
} from '@gleaner/service-kit';
import { createStores, type Database, type Stores } from '@gleaner/storage';
import type { NotifierConfig } from './config.ts';
import { type AnnounceDeps, announceDelivery } from './delivery/announce-delivery.ts';
import { RETRY_DELAYS_MS } from './delivery/decide-verdict.ts';
import { EndpointGate } from './delivery/endpoint-gate.ts';
import { onTurn, type TurnDeps } from './delivery/on-turn.ts';
import { onJobEvent } from './events/on-job-event.ts';
import { handleCommand } from './handle-command.ts';
import { declareDueGauges } from './notifier-metrics.ts';

/** Collaborators of the notifier, as `runService` provides them. */
export interface NotifierDeps {
  readonly config: NotifierConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly noteWork?: (name: string) => void;
  readonly tracer?: Tracer;
  readonly broker: Broker;
  readonly database: Database;
}

const EVENT_CONCURRENCY = 4;
const COMMAND_CONCURRENCY = 20;
/** Part of a response that is read, for the log of the delivery. */
const MAX_RESPONSE_BYTES = 4096;
/** Longer than an attempt and its record take, so that attempts under way can finish. */
const STOP_WITHIN_MS = 15_000;

/** Turns events into deliveries, sends them, and handles commands, until it is stopped. */
export function startNotifier(deps: NotifierDeps): RunningService {
  const { config, logger, broker } = deps;
  const stores = createStores(deps.database);
  const stopping = new AbortController();
  declareDueGauges(deps.metrics, stores);
  const writing = new Set<Promise<unknown>>();
  const runOn = (work: Promise<unknown>) => {
    const ended = work.finally(() => writing.delete(ended));
    writing.add(ended);
    inBackground(ended, logger, 'A sink was not written; it is tried again.');
  };
  const { sending, httpClients } = senderOf(deps, stores, { stopping: stopping.signal, runOn });
  const { tracer = NO_TRACER } = deps;
  const shared = { stores, broker, logger, tracer, retentionMs: config.DELIVERY_RETENTION_MS };
  const eventDeps = { ...shared, publicUrl: (config.PUBLIC_URL ?? '').replace(/(?<!\/)\/+$/, '') };
  const commandDeps = { ...shared, sending, secretGraceMs: config.SECRET_GRACE_MS };

  const intakes = [
    broker.consumeWork('webhooks.events', ({ body }) => onJobEvent(body, eventDeps), {
      concurrency: EVENT_CONCURRENCY,
    }),
    broker.consumeWork('webhooks.deliveries', ({ body }) => onTurn(body, sending), {
      concurrency: config.DELIVERY_CONCURRENCY,
    }),
    broker.respond('webhooks.commands', ({ body }) => handleCommand(body, commandDeps), {
      concurrency: COMMAND_CONCURRENCY,
    }),
  ];
  const stopReconciler = startReconciler({
    ...shared,
    noteRound: () => deps.noteWork?.('reconcile'),
    intervalMs: config.RECONCILE_INTERVAL_MS,
    overdueAfterMs: config.OVERDUE_AFTER_MS,
  });
  return {
    async stop(signal) {
      signal.addEventListener('abort', () => stopping.abort(signal.reason), { once: true });
      await Promise.all([stopReconciler(), ...intakes.map((intake) => intake.stop(STOP_WITHIN_MS))]);
      stopping.abort(new Error('The notifier has stopped.'));
      await Promise.allSettled(writing);
      for (const client of httpClients) client.close();
    },
  };
}

function senderOf(
  { config, logger, metrics, tracer = NO_TRACER, broker }: NotifierDeps,
  stores: ReturnType<typeof createStores>,
  { stopping, runOn }: Pick<TurnDeps, 'stopping' | 'runOn'>,
) {
  const clientFor = (allow: readonly string[]) =>
    createHttpClient({
      policy: fromSettings(() => createEgressPolicy({ allow: [...allow] })),
      redirects: 'answer',
      longBodies: 'cut',
      maxBodyBytes: MAX_RESPONSE_BYTES,
      maxAttempts: 1,
    });
  const httpClient = clientFor(config.EGRESS_ALLOW);
  const { APPRISE_URL: appriseUrl, SMTP_URL: smtpUrl, SMTP_FROM: from } = config;
  const apprise = appriseUrl && { url: appriseUrl, httpClient: clientFor([new URL(appriseUrl).host]) };
  const sending = {
    stores,
    broker,
    logger,
    tracer,
    httpClient,
    secretBox: createSecretBox(config.SECRETS_KEY),
    mail: smtpUrl === undefined ? undefined : { smtpUrl, from },
    apprise: apprise || undefined,
    stopping,
    runOn,
    sinks: config.SINKS,
    sinkTimeoutMs: config.SINK_TIMEOUT_MS,
    sinkLeaseMs: config.OVERDUE_AFTER_MS,
    sinkGate: new EndpointGate({ places: config.SINK_CONCURRENCY, perEndpoint: config.SINK_CONCURRENCY }),
    gate: new EndpointGate({ places: config.DELIVERY_CONCURRENCY, perEndpoint: config.ENDPOINT_CONCURRENCY }),
    attempts: metrics.counter({
      name: 'webhook_tries_total',
      help: 'Attempts at webhook deliveries by the resulting state: delivered, pending, failed or gone.',
      labelNames: ['outcome'],
    }),
    timeoutMs: config.DELIVERY_TIMEOUT_MS,
    retryDelaysMs: RETRY_DELAYS_MS.map((delayMs) => delayMs * config.RETRY_SCALE),
    giveUpAfterMs: config.GIVE_UP_AFTER_MS,
  };
  return { sending, httpClients: [httpClient, ...(apprise ? [apprise.httpClient] : [])] };
}

/** Collaborators and settings of the reconciler. */
interface ReconcilerDeps extends AnnounceDeps {
  readonly stores: Pick<Stores, 'clock' | 'deliveries'>;
  readonly intervalMs: number;
  readonly noteRound: () => void;
  /** Time after which a due delivery counts as lost. */
  readonly overdueAfterMs: number;
}

const MAX_PER_ROUND = 500;

/**
 * Queues overdue deliveries again, at intervals: their message was lost, or their notifier died. Any number of
 * notifiers may do so. Returns a function that stops it.
 */
function startReconciler(deps: ReconcilerDeps): () => Promise<void> {
  return repeatAtIntervals((signal) => reconcileOnce(deps, signal), {
    intervalMs: deps.intervalMs,
    logger: deps.logger,
    noteRound: deps.noteRound,
    onFailure: 'Reconciling was interrupted; the next round does the rest.',
  });
}

async function reconcileOnce(deps: ReconcilerDeps, signal: AbortSignal): Promise<void> {
  let found = 0;
  while (found < MAX_PER_ROUND && !signal.aborted) {
    const now = deps.stores.clock.now();
    const since = new Date(now.getTime() - deps.overdueAfterMs);
    const delivery = await deps.stores.deliveries.claimOverdue(since, now);
    if (!delivery) break;
    await announceDelivery(delivery, deps);
    found += 1;
  }
  if (found > 0) deps.logger.warn({ deliveries: found }, 'Overdue deliveries were queued again.');
}
