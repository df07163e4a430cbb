import { randomUUID } from 'node:crypto';
import type { Broker } from '@gleaner/broker';
import type {
  CreateRunsCommand,
  CreateRunsReply,
  DispatchHint,
  JobCommand,
  JobReply,
  PageOutcome,
} from '@gleaner/contracts';
import type { Logger, Metrics, RunningService } from '@gleaner/service-kit';
import { createStores, type Database } from '@gleaner/storage';
import { Batch } from './collect/batch.ts';
import { type CollectDeps, collectOutcomes } from './collect/collect-outcomes.ts';
import { JobTermsCache } from './collect/job-terms-cache.ts';
import { type CollectedOutcome, keepScreenshot } from './collect/keep-screenshot.ts';
import { cancelJob } from './commands/cancel-job.ts';
import { createJob, createJobs } from './commands/create-jobs.ts';
import type { OrchestratorConfig } from './config.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { createOrchestratorMetrics } from './orchestrator-metrics.ts';
import { startReconciler } from './reconcile/reconciler.ts';

/** What the orchestrator works with, as `runService` hands it over. */
export interface OrchestratorDeps {
  readonly config: OrchestratorConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly broker: Broker;
  readonly database: Database;
}

const COMMANDS_AT_ONCE = 4;
/** Messages that hold megabytes each. */
const SCREENSHOTS_IN_HAND = 4;
const RUN_BATCHES_AT_ONCE = 2;
/** Small batches cost more than they hurry: every one takes six commands to the database. */
const BATCH_RULES = { maxItems: 100, paceMs: 75 };
const STOP_WITHIN_MS = 15_000;

/** Takes commands, dispatches pages, collects what comes of them, and reconciles, until it is stopped. */
export function startOrchestrator({
  config,
  logger,
  metrics,
  broker,
  database,
}: OrchestratorDeps): RunningService {
  const stores = createStores(database);
  const ownMetrics = createOrchestratorMetrics(metrics, {
    state: () => dispatcher.state,
    countDeadLetters: () => broker.messageCount('dead-letters'),
  });
  const terms = new JobTermsCache(stores);
  const shared = { stores, broker, logger, retentionMs: config.JOB_RETENTION_MS };
  const dispatcher = new Dispatcher({ ...shared, ...dispatchOptionsOf(config), terms, metrics: ownMetrics });

  /** Tells this dispatcher, and where another one may be dispatching, all of them. */
  function hint(about: DispatchHint): void {
    dispatcher.hint(about);
    if (dispatcher.isDispatching) return;
    broker.broadcast('dispatchHints', about).catch((err: unknown) => {
      logger.debug({ err }, 'A hint was not given; the dispatcher finds out by itself.');
    });
  }

  async function obey({ body }: { body: JobCommand }): Promise<JobReply> {
    if (body.type === 'cancel') return { job: await cancelJob(body, shared) };
    const job = await createJob(body, shared);
    hint({ hasNewWork: true, endedPageIds: [], slowHosts: [] });
    return { job };
  }

  async function createRuns({ body }: { body: CreateRunsCommand }): Promise<CreateRunsReply> {
    const outcomes = await createJobs(body.runs, shared);
    hint({ hasNewWork: true, endedPageIds: [], slowHosts: [] });
    return { outcomes };
  }

  const collecting: CollectDeps = {
    ...shared,
    rules: retryRulesOf(config),
    terms,
    metrics: ownMetrics,
    hint,
  };
  const batch = new Batch<CollectedOutcome>((outcomes) => collectOutcomes(outcomes, collecting), {
    ...BATCH_RULES,
    // With its first page a small job may be complete.
    isPressing: ({ jobId }) => !terms.knows(jobId),
  });

  /**
   * Resolves when it is collected. A page that was found leaves its place in flight to the next one at once; after a failure
   * it may be that its host has to be left alone.
   */
  function collect(outcome: PageOutcome): Promise<void> {
    if (outcome.outcome.kind === 'found') {
      dispatcher.hint({ hasNewWork: false, endedPageIds: [outcome.pageId], slowHosts: [] });
    }
    return batch.add(outcome);
  }

  dispatcher.start();
  const intakes = [
    broker.respond('jobs.commands', obey, { concurrency: COMMANDS_AT_ONCE }),
    broker.respond('jobs.runs', createRuns, { concurrency: RUN_BATCHES_AT_ONCE }),
    broker.consumeWork('pages.results', ({ body }) => collect(body), { concurrency: config.RESULTS_IN_HAND }),
    broker.consumeWork(
      'pages.screenshots',
      async ({ body }) => batch.add(await keepScreenshot(body, stores)),
      { concurrency: SCREENSHOTS_IN_HAND },
    ),
    broker.onBroadcast('dispatchHints', (about) => dispatcher.hint(about)),
  ];
  const stopReconciler = startReconciler({
    ...collecting,
    intervalMs: config.RECONCILE_INTERVAL_MS,
    recheckAfterMs: config.RECHECK_AFTER_MS,
    recountAfterMs: config.RECOUNT_AFTER_MS,
  });
  return {
    async stop() {
      await dispatcher.stop();
      await Promise.all([stopReconciler(), ...intakes.map((intake) => intake.stop(STOP_WITHIN_MS))]);
    },
  };
}

function dispatchOptionsOf(config: OrchestratorConfig) {
  return {
    owner: randomUUID(),
    leaseMs: config.DISPATCH_LEASE_MS,
    queuePatienceMs: config.QUEUE_PATIENCE_MS,
    pagesPerScraper: config.PAGES_PER_SCRAPER,
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
