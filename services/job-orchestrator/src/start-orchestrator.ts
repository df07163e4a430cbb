import { randomUUID } from 'node:crypto';
import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type CreateRunsCommand,
  type CreateRunsReply,
  type DispatchHint,
  type JobCommand,
  type JobReply,
  MAX_PAUSED_HOSTS,
  type PageOutcome,
  type PausedHost,
} from '@gleaner/contracts';
import { type Logger, type Metrics, NO_TRACER, type RunningService, type Tracer } from '@gleaner/service-kit';
import { createStores, type Database, type Stores } from '@gleaner/storage';
import { type CollectDeps, collectOutcomes } from './collect/collect-outcomes.ts';
import { NO_NEWS } from './collect/end-pages.ts';
import { JobTermsCache } from './collect/job-terms-cache.ts';
import { keepScreenshot } from './collect/keep-screenshot.ts';
import { type Keeping, SnapshotKeeper } from './collect/keep-snapshots.ts';
import { batchOutcomes } from './collect/outcome-batches.ts';
import { cancelJob, tellWhichAreOver } from './commands/cancel-job.ts';
import { createJob, createJobs } from './commands/create-jobs.ts';
import { Comparer } from './compare/comparer.ts';
import { KeptLinks } from './compare/kept-links.ts';
import { RepeatedTexts } from './compare/repeated-texts.ts';
import type { OrchestratorConfig } from './config.ts';
import { KnownKeys } from './crawl/known-keys.ts';
import { PatternWatch } from './crawl/pattern-watch.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { serveFiles } from './files/serve-files.ts';
import { startBatching } from './finish/add-batches.ts';
import { Finisher } from './finish/finisher.ts';
import { startLogins } from './logins/start-logins.ts';
import { type Demand, readDemand, startMeasuring } from './measure/start-measuring.ts';
import { createOrchestratorMetrics } from './orchestrator-metrics.ts';
import { startReconciler } from './reconcile/reconciler.ts';
import { startDeleting } from './reconcile/start-deleting.ts';

/** Collaborators of the orchestrator, as `runService` provides them. */
export interface OrchestratorDeps {
  readonly config: OrchestratorConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  readonly broker: Broker;
  readonly database: Database;
  /** Those of the database unless given. */
  readonly stores?: Stores;
}

/** For commands that are small or cancel a job. */
const COMMAND_CONCURRENCY = 8;
/** For commands that create large jobs, which take long. */
const LARGE_COMMAND_CONCURRENCY = 2;
const RUNS_CONCURRENCY = 2;
/** For messages that have megabytes each. */
const LARGE_MESSAGE_CONCURRENCY = 4;
/** Rounds of the reconciler for one of deleting jobs. */
const DELETION_ROUNDS = 10;
const STOP_WITHIN_MS = 15_000;
/** The active jobs have changed. */
const NEW_JOBS: DispatchHint = { ...NO_NEWS, hasNewWork: true };

/** Takes commands, dispatches pages, collects their outcomes and reconciles, until it is stopped. */
export function startOrchestrator({
  config,
  logger,
  metrics,
  tracer = NO_TRACER,
  broker,
  database,
  stores = createStores(database),
}: OrchestratorDeps): RunningService {
  const ownMetrics = createOrchestratorMetrics(metrics, {
    state: () => dispatcher.state,
    countMessages: (queue) => broker.messageCount(queue),
    countConsumers: (queue) => broker.consumerCount(queue),
    readDemand: () => readDemand(stores),
  });
  const terms = new JobTermsCache(stores);
  const retentionMs = config.JOB_RETENTION_MS;
  const comparer = new Comparer({
    ...{ stores, logger, retentionMs },
    evidenceMs: config.HEALTH_RETENTION_MS,
    async onCompared(jobId) {
      const [job] = await stores.jobs.findJobs([jobId]);
      if (job) await finisher.finish(job);
    },
  });
  const shared = { stores, broker, logger, tracer, retentionMs, comparer };
  const finisher = new Finisher({
    ...shared,
    hint: (news) => hint({ ...NO_NEWS, ...news }),
    recheckAfterMs: config.RECHECK_AFTER_MS,
    recountAfterMs: config.RECOUNT_AFTER_MS,
  });
  const dispatchOptions = dispatchOptionsOf(config);
  const dispatcher = new Dispatcher({ ...shared, ...dispatchOptions, terms, finisher, metrics: ownMetrics });

  /** Passes news to this dispatcher and, if another orchestrator may be dispatching, to all of them. */
  function hint(news: DispatchHint): void {
    dispatcher.hint(news);
    if (dispatcher.isDispatching) return;
    broker.broadcast('dispatchHints', news).catch((err: unknown) => {
      logger.debug({ err }, 'A hint was not sent; the dispatcher reads the same from the database soon.');
    });
  }

  async function handleCommand({ body }: { body: JobCommand }): Promise<JobReply> {
    const isCancel = body.type === 'cancel';
    const job = isCancel ? await cancelJob(body, { ...shared, finisher }) : await createJob(body, shared);
    hint(NEW_JOBS);
    return { job };
  }

  async function createRuns({ body }: { body: CreateRunsCommand }): Promise<CreateRunsReply> {
    const outcomes = await createJobs(body.runs, shared);
    hint(NEW_JOBS);
    return { outcomes };
  }

  const collecting: CollectDeps = {
    ...shared,
    rules: retryRulesOf(config),
    ...{ terms, finisher },
    metrics: ownMetrics,
    hint,
    knownKeys: new KnownKeys(),
    keptLinks: new KeptLinks(stores),
    patterns: new PatternWatch(),
    repeatedTexts: new RepeatedTexts({ stores, terms, retentionMs }),
    keeper: new SnapshotKeeper({ ...stores, keeping: keepingOf(config) }),
  };
  const addToBatch = batchOutcomes((outcomes) => collectOutcomes(outcomes, collecting), {
    terms,
    isDrained: (jobId) => dispatcher.isDrained(jobId),
  });

  /**
   * Resolves when the outcome is stored. A page that was found makes room for the next one on arrival, which the hint
   * after the batch only repeats; after a failure its host may have to be left alone, which is known after the batch.
   */
  function collect(outcome: PageOutcome): Promise<void> {
    // The next page of a profile begins with what this one has left, once that is stored.
    if (outcome.outcome.kind === 'found' && !outcome.outcome.leftState) {
      dispatcher.hint({ ...NO_NEWS, endedPageIds: [outcome.pageId] });
    }
    return addToBatch(outcome);
  }

  dispatcher.start();
  const intakes = [
    broker.respond('jobs.commands', handleCommand, { concurrency: COMMAND_CONCURRENCY }),
    broker.respond('jobs.large-commands', handleCommand, { concurrency: LARGE_COMMAND_CONCURRENCY }),
    broker.respond('jobs.runs', createRuns, { concurrency: RUNS_CONCURRENCY }),
    serveFiles({ broker, stores, keeping: fileKeepingOf(config) }),
    broker.consumeWork('pages.results', ({ body }) => collect(body), { concurrency: config.RESULTS_IN_HAND }),
    broker.consumeWork('pages.large-results', ({ body }) => collect(body), {
      concurrency: LARGE_MESSAGE_CONCURRENCY,
    }),
    broker.consumeWork(
      'pages.screenshots',
      async ({ body }) => addToBatch(await keepScreenshot(body, stores)),
      { concurrency: LARGE_MESSAGE_CONCURRENCY },
    ),
    broker.onBroadcast('dispatchHints', (news) => dispatcher.hint(news)),
    broker.onBroadcast('pageClaims', ({ jobs = [] }) => tellWhichAreOver(jobs, shared)),
  ];
  const stopReconciler = startReconciler({
    ...collecting,
    intervalMs: config.RECONCILE_INTERVAL_MS,
    recheckAfterMs: config.RECHECK_AFTER_MS,
  });
  const stopBatching = startBatching({ ...shared, batchAfterMs: config.RESULT_BATCH_MS });
  const stopLogins = startLogins({ ...{ stores, broker, logger }, onDone: () => hint(NEW_JOBS) });
  const { owner, leaseMs } = dispatchOptions;
  const stopDeleting = startDeleting({
    ...{ ...shared, finisher, owner, leaseMs },
    intervalMs: DELETION_ROUNDS * config.RECONCILE_INTERVAL_MS,
  });
  const stopMeasuring = startMeasuring({
    ...{ stores, logger, dispatcher },
    owner,
    maxPagesPerJob: config.MAX_PAGES_PER_JOB,
    maxPagesPerHost: config.MAX_PAGES_PER_HOST,
  });
  return {
    facts: () => ({ pausedHosts: describePauses(dispatcher.pauses) }),
    reports: { '/dispatchable': () => reportDemand(stores) },
    async stop() {
      await dispatcher.stop();
      const finisherStops = finisher.stop();
      await Promise.all([
        comparer.stop(),
        stopReconciler(),
        stopBatching(),
        stopLogins(),
        stopMeasuring(),
        stopDeleting(),
        ...intakes.map((intake) => intake.stop(STOP_WITHIN_MS)),
      ]);
      await finisherStops;
    },
  };
}

function describePauses(pauses: Dispatcher['pauses']): PausedHost[] {
  return pauses
    .slice(0, MAX_PAUSED_HOSTS)
    .map(({ host, untilMs }) => ({ host, until: new Date(untilMs).toISOString() }));
}

/** Returns the demand for autoscalers; throws SERVICE_UNAVAILABLE while no orchestrator dispatches. */
async function reportDemand(stores: Pick<Stores, 'clock' | 'leases'>): Promise<Demand> {
  const demand = await readDemand(stores);
  if (demand) return demand;
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'No job-orchestrator dispatches at the moment.' });
}

function keepingOf(config: OrchestratorConfig): Keeping {
  return { retentionMs: config.SNAPSHOT_RETENTION_MS, quotaBytes: config.SNAPSHOT_QUOTA_BYTES };
}

function fileKeepingOf(config: OrchestratorConfig): Keeping {
  return { retentionMs: config.FILE_RETENTION_MS, quotaBytes: config.FILE_QUOTA_BYTES };
}

function dispatchOptionsOf(config: OrchestratorConfig) {
  return {
    owner: randomUUID(),
    leaseMs: config.DISPATCH_LEASE_MS,
    queuePatienceMs: config.QUEUE_PATIENCE_MS,
    pagesPerScraper: { http: config.PAGES_PER_SCRAPER, browser: config.BROWSER_PAGES_PER_SCRAPER },
    maxPagesPerJob: config.MAX_PAGES_PER_JOB,
    pace: {
      maxPagesPerHost: config.MAX_PAGES_PER_HOST,
      hostDelayMs: config.HOST_DELAY_MS,
      maxPauseMs: config.MAX_HOST_PAUSE_MS,
    },
  };
}

function retryRulesOf(config: OrchestratorConfig) {
  return {
    maxAttempts: config.PAGE_ATTEMPTS,
    retryDelayMs: config.RETRY_DELAY_MS,
    maxPauseMs: config.MAX_HOST_PAUSE_MS,
  };
}
