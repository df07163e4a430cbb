import { randomUUID } from 'node:crypto';
import type { Broker } from '@gleaner/broker';
import { type DispatchHint, MAX_PAUSED_HOSTS, type PausedHost } from '@gleaner/contracts';
import { type Logger, type Metrics, NO_TRACER, type RunningService, type Tracer } from '@gleaner/service-kit';
import { CacheKeeper, createStores, type Database, type Stores } from '@gleaner/storage';
import type { CollectDeps } from './collect/collect-outcomes.ts';
import { JobTermsCache } from './collect/job-terms-cache.ts';
import { KeptLinks } from './compare/kept-links.ts';
import { dispatchSettingsOf, keepingOf, type OrchestratorConfig, retryRulesOf } from './config.ts';
import { KnownKeys } from './crawl/known-keys.ts';
import { PatternWatch } from './crawl/pattern-watch.ts';
import { startBatching } from './finish/add-batches.ts';
import { Finisher } from './finish/finisher.ts';
import { SnapshotKeeper } from './keeping/snapshot-keeper.ts';
import { startLogins } from './logins/start-logins.ts';
import { readDemand, reportDemand, startMeasuring } from './measure/start-measuring.ts';
import { createOrchestratorMetrics } from './orchestrator-metrics.ts';
import { Planners } from './planners/planners.ts';
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
  const { planners, finisher } = parts;
  planners.start();
  const intakes = startIntakes(parts);
  const stopTasks = startTasks(parts);
  return {
    facts: () => ({ pausedHosts: describePauses(planners.pauses) }),
    reports: { '/dispatchable': () => reportDemand({ stores, roles: planners.roles }) },
    async stop() {
      await planners.stop();
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
  readonly planners: Planners;
  readonly finisher: Finisher;
}

function createParts(deps: Required<OrchestratorDeps>): Parts {
  const { config, stores, database, broker, logger, noteWork, tracer } = deps;
  const retentionMs = config.JOB_RETENTION_MS;
  const owner = randomUUID();
  const terms = new JobTermsCache(stores);
  const metrics = createOrchestratorMetrics(deps.metrics, {
    state: () => planners.state,
    countMessages: (queue) => broker.messageCount(queue),
    countConsumers: (queue) => broker.consumerCount(queue),
    readDemand: () => readDemand({ stores, roles: planners.roles }),
  });
  const datasetQuotaBytes = config.DATASET_QUOTA_BYTES;
  const cache = new CacheKeeper({ ...stores, logger, keeping: keepingOf(config).cache });
  const bounds = { retentionMs, datasetQuotaBytes };
  const shared = { stores, broker, logger, noteWork, tracer, ...bounds, cache, terms, metrics };
  const finisher = new Finisher({
    ...shared,
    reviewer: new Reviewer({ ...shared, evidenceMs: config.HEALTH_RETENTION_MS }),
    hint,
    recheckAfterMs: config.RECHECK_AFTER_MS,
    recountAfterMs: config.RECOUNT_AFTER_MS,
  });
  const prepare = () => database.preparePlanners();
  const planners = new Planners({ ...shared, ...dispatchSettingsOf(config), owner, finisher, prepare });

  /** Hints the planners of this process and, if another orchestrator may be dispatching, those of all. */
  function hint(some: Partial<DispatchHint>): void {
    planners.hint(some);
    if (planners.isWhole) return;
    broker.broadcast('dispatchHints', { ...EMPTY_HINT, ...some }).catch((err: unknown) => {
      logger.debug({ err }, 'A hint was not sent; the dispatcher reads the same from the database soon.');
    });
  }

  return {
    ...shared,
    config,
    owner,
    planners,
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

function describePauses(pauses: Planners['pauses']): PausedHost[] {
  return pauses
    .slice(0, MAX_PAUSED_HOSTS)
    .map(({ host, untilMs }) => ({ host, until: new Date(untilMs).toISOString() }));
}
