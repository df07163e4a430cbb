import { AccountStore } from './accounts/account-store.ts';
import { SecretStore } from './accounts/secret-store.ts';
import { AnswerStore } from './blobs/answer-store.ts';
import { FileStore } from './blobs/file-store.ts';
import { PageCache } from './blobs/page-cache.ts';
import { ScreenshotStore } from './blobs/screenshot-store.ts';
import { SnapshotStore } from './blobs/snapshot-store.ts';
import { ChannelStore } from './channels/channel-store.ts';
import type { Database } from './connect-database.ts';
import { FingerprintStore } from './crawls/fingerprint-store.ts';
import { RobotsStore } from './crawls/robots-store.ts';
import { createCreditSteps } from './credits/credit-steps.ts';
import { CreditStore } from './credits/credit-store.ts';
import type { Clock } from './database/database-clock.ts';
import { guarded, methodsOf } from './database/guarded.ts';
import { DatasetReader } from './datasets/dataset-reader.ts';
import { createDatasetSteps } from './datasets/dataset-steps.ts';
import { DatasetStore } from './datasets/dataset-store.ts';
import { type DriverCollection, driverCollection } from './document-schema.ts';
import { CrawlStates } from './jobs/crawl-states.ts';
import { JobDrafts } from './jobs/job-drafts.ts';
import type { JobDocument } from './jobs/job-model.ts';
import { JobQueries } from './jobs/job-queries.ts';
import { JobStates } from './jobs/job-states.ts';
import { ResultBatches } from './jobs/result-batches.ts';
import { KeyStore } from './keys/key-store.ts';
import { SessionStore } from './keys/session-store.ts';
import { CrawlPages } from './pages/crawl-pages.ts';
import { PageBatches } from './pages/page-batches.ts';
import { PageInserts } from './pages/page-inserts.ts';
import { PageQueries } from './pages/page-queries.ts';
import { PageStates } from './pages/page-states.ts';
import { WaitingPlaces } from './pages/waiting-places.ts';
import { InstanceStore } from './processes/instance-store.ts';
import { LeaseStore } from './processes/lease-store.ts';
import { PlannerBoard } from './processes/planner-board.ts';
import { ProfileSessions } from './profiles/profile-sessions.ts';
import { ProfileStore } from './profiles/profile-store.ts';
import { RateLimitStore } from './rate-limits/rate-limit-store.ts';
import { RecipePages } from './recipes/recipe-pages.ts';
import { RecipeStore } from './recipes/recipe-store.ts';
import { ChangeStore } from './results/change-store.ts';
import { RepeatedTextStore } from './results/repeated-text-store.ts';
import { ResultStore, ResultStream } from './results/result-store.ts';
import { TraceStore } from './results/trace-store.ts';
import { FeedStore } from './schedules/feed-store.ts';
import { HealthStore } from './schedules/health-store.ts';
import { RulesStore } from './schedules/rules-store.ts';
import { ScheduleRunStore } from './schedules/schedule-run-store.ts';
import { ScheduleStore } from './schedules/schedule-store.ts';
import { ChargedMonths } from './usage/charged-months.ts';
import { LedgerTrimmer } from './usage/trim-ledger.ts';
import { UsageCounter } from './usage/usage-counter.ts';
import { type UsageDeps, UsageStore } from './usage/usage-store.ts';
import { DeliveryAttempts } from './webhooks/delivery-attempts.ts';
import { DeliveryStore } from './webhooks/delivery-store.ts';
import { MessageLanes } from './webhooks/message-lanes.ts';
import { WebhookSecretStore } from './webhooks/webhook-secret-store.ts';

export type Stores = ReturnType<typeof createStores>;

/** Creates every store on one database, and the clock that times are written and compared by. */
export function createStores(database: Pick<Database, 'models' | 'clock'>) {
  const { models, clock } = database;
  const accounts = guarded(new AccountStore(models.accounts));
  const charged = new ChargedMonths();
  const jobs = driverCollection(models.jobs);
  const pages = driverCollection(models.pages);
  const results = driverCollection(models.results);
  return {
    clock,
    accounts,
    keys: guarded(new KeyStore(models.keys, clock)),
    rateLimits: guarded(new RateLimitStore(driverCollection(models.rateLimits))),
    credits: methodsOf(new CreditStore(createCreditSteps(models, charged))),
    jobs: createJobStores(jobs, clock),
    pages: {
      ...methodsOf(new PageInserts(pages)),
      ...guarded(new PageQueries(pages)),
      ...guarded(new PageStates(pages)),
      ...guarded(new CrawlPages(pages)),
      ...guarded(new PageBatches(pages)),
      ...guarded(new WaitingPlaces(pages)),
    },
    answers: guarded(new AnswerStore(driverCollection(models.answers))),
    repeatedTexts: guarded(new RepeatedTextStore(models.repeatedTexts)),
    profiles: {
      ...guarded(new ProfileStore(models.profiles)),
      ...guarded(new ProfileSessions(models.profiles)),
    },
    results: { ...guarded(new ResultStore(results)), ...methodsOf(new ResultStream(results)) },
    changes: methodsOf(new ChangeStore(models.changes)),
    datasets: createDatasets(models),
    fingerprints: guarded(new FingerprintStore(driverCollection(models.fingerprints))),
    robots: guarded(new RobotsStore(models.robots)),
    screenshots: guarded(new ScreenshotStore(models.screenshots)),
    snapshots: guarded(new SnapshotStore(driverCollection(models.snapshots))),
    cachedPages: guarded(new PageCache(driverCollection(models.cachedPages))),
    files: guarded(new FileStore(driverCollection(models.files), driverCollection(models.fileParts))),
    traces: guarded(new TraceStore(models.traces)),
    health: guarded(new HealthStore(models.health)),
    feeds: guarded(new FeedStore(models.feeds)),
    ruleReports: guarded(new RulesStore(models.rules)),
    tellings: methodsOf(new ChangeStore(models.tellings)),
    ...processStores(models, clock),
    schedules: guarded(new ScheduleStore(models.schedules)),
    scheduleRuns: guarded(new ScheduleRunStore(models.schedules, models.jobs)),
    deliveries: deliveryStores(models),
    webhookSecrets: guarded(new WebhookSecretStore(models.webhookSecrets)),
    channels: guarded(new ChannelStore(models.channels)),
    recipes: createRecipes(models),
    secrets: guarded(new SecretStore(models.secrets)),
    sessions: guarded(new SessionStore(models.sessions)),
    usage: createUsage({ database, accounts, charged }),
  };
}

function createUsage(deps: UsageDeps) {
  const counter = new UsageCounter(deps);
  return {
    ...guarded(new UsageStore(deps)),
    ...methodsOf(counter),
    ...methodsOf(new LedgerTrimmer({ ...deps, counter })),
  };
}

function createJobStores(jobs: DriverCollection<JobDocument>, clock: Clock) {
  return {
    ...guarded(new JobDrafts(jobs)),
    ...guarded(new JobQueries(jobs)),
    ...guarded(new JobStates(jobs)),
    ...guarded(new CrawlStates(jobs, clock)),
    ...guarded(new ResultBatches(jobs)),
  };
}

function createDatasets(models: Database['models']) {
  return {
    ...methodsOf(new DatasetStore(createDatasetSteps(models))),
    ...methodsOf(new DatasetReader(models)),
  };
}

function createRecipes(models: Database['models']) {
  const recipes = driverCollection(models.recipes);
  const versions = driverCollection(models.recipeVersions);
  const pages = driverCollection(models.recipePages);
  return {
    ...guarded(new RecipeStore(recipes, versions)),
    ...guarded(new RecipePages(pages, recipes, versions)),
  };
}

function processStores({ boards, leases, instances }: Database['models'], clock: Database['clock']) {
  return {
    board: guarded(new PlannerBoard(driverCollection(boards))),
    leases: guarded(new LeaseStore(leases, clock)),
    instances: guarded(new InstanceStore(instances)),
  };
}

function deliveryStores({ deliveries }: Database['models']) {
  return {
    ...guarded(new DeliveryStore(deliveries)),
    ...guarded(new DeliveryAttempts(deliveries)),
    ...guarded(new MessageLanes(deliveries)),
  };
}
