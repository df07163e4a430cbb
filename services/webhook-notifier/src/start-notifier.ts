import type { Broker } from '@gleaner/broker';
import { fromSettings } from '@gleaner/config';
import { createEgressPolicy, createHttpClient } from '@gleaner/egress';
import type { Logger, Metrics, RunningService } from '@gleaner/service-kit';
import { createStores, type Database } from '@gleaner/storage';
import { obeyCommand } from './commands/obey-command.ts';
import type { NotifierConfig } from './config.ts';
import { RETRY_DELAYS_MS } from './delivery/decide-verdict.ts';
import { onTurn } from './delivery/on-turn.ts';
import { EndpointGate } from './endpoints/endpoint-gate.ts';
import { onJobEvent } from './events/on-job-event.ts';
import { startReconciler } from './reconcile/start-reconciler.ts';

/** What the notifier works with, as `runService` hands it over. */
export interface NotifierDeps {
  readonly config: NotifierConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly broker: Broker;
  readonly database: Database;
}

const EVENTS_AT_ONCE = 4;
const COMMANDS_AT_ONCE = 20;
/** A response is looked at no further: it goes into the log of the delivery. */
const MAX_RESPONSE_BYTES = 4096;
/** Longer than a try may take, with its writing: tries under way come to their end. */
const STOP_WITHIN_MS = 15_000;

/** Turns events into deliveries, sends them, and obeys commands, until it is stopped. */
export function startNotifier(deps: NotifierDeps): RunningService {
  const { config, logger, broker } = deps;
  const stores = createStores(deps.database);
  const stopping = new AbortController();
  const { sending, httpClient } = senderOf(deps, stores, stopping.signal);
  const shared = { stores, broker, logger, retentionMs: config.DELIVERY_RETENTION_MS };
  const making = { ...shared, publicUrl: (config.PUBLIC_URL ?? '').replace(/\/+$/, '') };
  const obeying = { ...shared, sending, secretGraceMs: config.SECRET_GRACE_MS };

  const intakes = [
    broker.consumeWork('webhooks.events', ({ body }) => onJobEvent(body, making), {
      concurrency: EVENTS_AT_ONCE,
    }),
    broker.consumeWork('webhooks.deliveries', ({ body }) => onTurn(body, sending), {
      concurrency: config.DELIVERY_CONCURRENCY,
    }),
    broker.respond('webhooks.commands', ({ body }) => obeyCommand(body, obeying), {
      concurrency: COMMANDS_AT_ONCE,
    }),
  ];
  const stopReconciler = startReconciler({
    ...shared,
    intervalMs: config.RECONCILE_INTERVAL_MS,
    overdueAfterMs: config.OVERDUE_AFTER_MS,
  });
  return {
    async stop(signal) {
      signal.addEventListener('abort', () => stopping.abort(signal.reason), { once: true });
      await Promise.all([stopReconciler(), ...intakes.map((intake) => intake.stop(STOP_WITHIN_MS))]);
      stopping.abort(new Error('The notifier has stopped.'));
      httpClient.close();
    },
  };
}

function senderOf(
  { config, logger, metrics, broker }: NotifierDeps,
  stores: ReturnType<typeof createStores>,
  stopping: AbortSignal,
) {
  const httpClient = createHttpClient({
    policy: fromSettings(() => createEgressPolicy({ allow: config.EGRESS_ALLOW })),
    redirects: 'answer',
    longBodies: 'cut',
    maxBodyBytes: MAX_RESPONSE_BYTES,
    maxAttempts: 1,
  });
  const sending = {
    stores,
    broker,
    logger,
    httpClient,
    stopping,
    gate: new EndpointGate({ places: config.DELIVERY_CONCURRENCY, perEndpoint: config.ENDPOINT_CONCURRENCY }),
    tries: metrics.counter({
      name: 'webhook_tries_total',
      help: 'Tries at webhook deliveries by what became of the delivery: delivered, pending, failed or gone.',
      labelNames: ['outcome'],
    }),
    timeoutMs: config.DELIVERY_TIMEOUT_MS,
    retryDelaysMs: RETRY_DELAYS_MS.map((delayMs) => delayMs * config.RETRY_SCALE),
    giveUpAfterMs: config.GIVE_UP_AFTER_MS,
  };
  return { sending, httpClient };
}
