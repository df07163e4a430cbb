import { randomUUID } from 'node:crypto';
import type { Broker } from '@gleaner/broker';
import { type DispatchHint, MAX_PAUSED_HOSTS, type PausedHost } from '@gleaner/contracts';
import { type Logger, type Metrics, NO_TRACER, type RunningService, type Tracer } from '@gleaner/service-kit';
import { createStores, type Database, type Stores } from '@gleaner/storage';
import type { CollectDeps } from './collect/collect-outcomes.ts';
import { JobTermsCache } from './collect/job-terms-cache.ts';
import { KeptLinks } from './compare/kept-links.ts';
import { dispatchSettingsOf, keepingOf, type OrchestratorConfig, retryRulesOf } from './config.ts';
import { KnownKeys } from './crawl/known-keys.ts';
import { PatternWatch } from './crawl/pattern-watch.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { startBatching } from './finish/add-batches.ts';
import { Finisher } from './finish/finisher.ts';
import { SnapshotKeeper } from './keeping/snapshot-keeper.ts';
import { startLogins } from './logins/start-logins.ts';
import { readDemand, reportDemand, startMeasuring } from './measure/start-measuring.ts';
import { createOrchestratorMetrics } from './orchestrator-metrics.ts';
import { startReconciler } from './reconcile/reconciler.ts';
import { startDeleting } from './reconcile/start-deleting.ts';
import { RepeatedTexts } from './review/repeated-texts.ts';
import { Reviewer } from './review/reviewer.ts';
import { startIntakes } from './start-intakes.ts';

/** Collaborators of the orchestrator, as `runService` provides them. */
export interface OrchestratorDeps {
  readonly config: OrchestratorConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly noteWork?: (name: string) => void;
  readonly tracer?: Tracer;
  readonly broker: Broker;
  readonly database: Database;
  /** Those of the database unless given. */
  readonly stores?: Stores;
}

/** Rounds of the reconciler for one of deleting jobs. */
const DELETION_ROUNDS = 2;
const STOP_WITHIN_MS = 15_000;

/** Takes commands, dispatches pages, collects their outcomes and reconciles, until it is stopped. */
export function startOrchestrator(deps: OrchestratorDeps): RunningService {
  const { stores = createStores(deps.database), ...given } = deps;
  const parts = createParts({ noteWork: () => {}, tracer: NO_TRACER, ...given, stores });
  const { dispatcher, finisher } = parts;
  dispatcher.start();
  const intakes = startIntakes(parts);
  const stopTasks = startTasks(parts);
  return {
    facts: () => ({ pausedHosts: describePauses(dispatcher.pauses) }),
    reports: { '/dispatchable': () => reportDemand(stores) },
    async stop() {
      await dispatcher.stop();
      const finisherStops = finisher.stop();
      await Promise.all([
        ...stopTasks.map((stop) => stop()),
        ...intakes.map((intake) => intake.stop(STOP_WITHIN_MS)),
      ]);
      await finisherStops;
    },
  };
}

/** Parts of an orchestrator, and the collaborators that they share. */
interface Parts extends CollectDeps {
  readonly config: OrchestratorConfig;
  readonly noteWork: (name: string) => void;
  readonly tracer: Tracer;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly dispatcher: Dispatcher;
  readonly finisher: Finisher;
}

function createParts(deps: Omit<Required<OrchestratorDeps>, 'database'>): Parts {
  const { config, stores, broker, logger, noteWork, tracer } = deps;
  const retentionMs = config.JOB_RETENTION_MS;
  const owner = randomUUID();
  const terms = new JobTermsCache(stores);
  const metrics = createOrchestratorMetrics(deps.metrics, {
    state: () => dispatcher.state,
    countMessages: (queue) => broker.messageCount(queue),
    countConsumers: (queue) => broker.consumerCount(queue),
    readDemand: () => readDemand(stores),
  });
  const datasetQuotaBytes = config.DATASET_QUOTA_BYTES;
  const shared = { stores, broker, logger, noteWork, tracer, retentionMs, datasetQuotaBytes, terms, metrics };
  const finisher = new Finisher({
    ...shared,
    reviewer: new Reviewer({ ...shared, evidenceMs: config.HEALTH_RETENTION_MS }),
    hint,
    recheckAfterMs: config.RECHECK_AFTER_MS,
    recountAfterMs: config.RECOUNT_AFTER_MS,
  });
  const dispatcher = new Dispatcher({ ...shared, ...dispatchSettingsOf(config), owner, finisher });

  /** Hints this dispatcher and, if another orchestrator may be dispatching, all of them. */
  function hint(some: Partial<DispatchHint>): void {
    dispatcher.hint(some);
    if (dispatcher.isDispatching) return;
    broker.broadcast('dispatchHints', { ...EMPTY_HINT, ...some }).catch((err: unknown) => {
      logger.debug({ err }, 'A hint was not sent; the dispatcher reads the same from the database soon.');
    });
  }

  return {
    ...shared,
    config,
    owner,
    dispatcher,
    finisher,
    hint,
    rules: retryRulesOf(config),
    knownKeys: new KnownKeys(),
    keptLinks: new KeptLinks(stores),
    patterns: new PatternWatch(),
    repeatedTexts: new RepeatedTexts(shared),
    keeper: new SnapshotKeeper({ ...stores, keeping: keepingOf(config).snapshots }),
  };
}

const EMPTY_HINT: DispatchHint = {
  hasNewWork: false,
  endedPageIds: [],
  strainedPageIds: [],
  unstartedPageIds: [],
  grownJobIds: [],
  slowHosts: [],
};

/** Starts the work at intervals; returns the functions that stop it. */
function startTasks(parts: Parts): (() => Promise<void>)[] {
  const { config, hint } = parts;
  return [
    startReconciler({
      ...parts,
      intervalMs: config.RECONCILE_INTERVAL_MS,
      recheckAfterMs: config.RECHECK_AFTER_MS,
    }),
    startBatching({ ...parts, batchAfterMs: config.RESULT_BATCH_MS }),
    startLogins({ ...parts, onDone: () => hint({ hasNewWork: true }) }),
    startMeasuring({
      ...parts,
      maxPagesPerJob: config.MAX_PAGES_PER_JOB,
      maxPagesPerHost: config.MAX_PAGES_PER_HOST,
    }),
    startDeleting({
      ...parts,
      leaseMs: config.DISPATCH_LEASE_MS,
      intervalMs: DELETION_ROUNDS * config.RECONCILE_INTERVAL_MS,
    }),
  ];
}

function describePauses(pauses: Dispatcher['pauses']): PausedHost[] {
  return pauses
    .slice(0, MAX_PAUSED_HOSTS)
    .map(({ host, untilMs }) => ({ host, until: new Date(untilMs).toISOString() }));
}
