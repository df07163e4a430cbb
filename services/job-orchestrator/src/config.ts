import { type Config, defineConfig, setting } from '@gleaner/config';
import { LIMITS } from '@gleaner/contracts';

const DAY_MS = 24 * 3600 * 1000;

/** Settings of the job-orchestrator besides those of every service. */
export const ORCHESTRATOR_SETTINGS = defineConfig({
  PAGES_PER_SCRAPER: {
    type: setting.integer({ minimum: 1, maximum: 10_000 }),
    default: 40,
    meaning:
      'Pages of jobs in flight for each scraper of plain pages; a little more than its PAGE_CONCURRENCY.',
  },
  BROWSER_PAGES_PER_SCRAPER: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 6,
    meaning:
      'Pages of jobs in flight for each scraper of rendered pages; a little more than its BROWSER_PAGE_CONCURRENCY.',
  },
  MAX_PAGES_PER_JOB: {
    type: setting.integer({ minimum: 1, maximum: 10_000 }),
    default: 200,
    meaning: 'Pages of one job in flight at once.',
  },
  MAX_PAGES_PER_HOST: {
    type: setting.integer({ minimum: 1, maximum: 10_000 }),
    default: 8,
    meaning: 'Pages of one host in flight at once, over all jobs.',
  },
  HOST_DELAY_MS: {
    type: setting.durationMs({ minimum: 0, maximum: 3_600_000 }),
    default: 0,
    meaning: 'Shortest time between the starts of two pages of one host.',
  },
  MAX_HOST_PAUSE_MS: {
    type: setting.durationMs({ minimum: 0, maximum: DAY_MS }),
    default: 300_000,
    meaning: 'The longest Retry-After of a host that is honored in full.',
  },
  PAGE_ATTEMPTS: {
    type: setting.integer({ minimum: 1, maximum: 20 }),
    default: 3,
    meaning: 'Attempts at a page whose error may pass.',
  },
  RETRY_DELAY_MS: {
    type: setting.durationMs({ minimum: 1, maximum: 3_600_000 }),
    default: 2000,
    meaning: 'Delay before the second attempt at a page; it doubles with every further one.',
  },
  QUEUE_PATIENCE_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 30_000,
    meaning:
      'Time that a page may wait for a scraper, beyond its own timeout, before it is dispatched again.',
  },
  RESULTS_IN_HAND: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 100,
    meaning:
      'Results of up to 256 KiB that one orchestrator holds at once, beside four larger ones; bounds its memory.',
  },
  RECONCILE_INTERVAL_MS: {
    type: setting.durationMs({ minimum: 50, maximum: 3_600_000 }),
    default: 5000,
    meaning: 'Interval between two searches for overdue pages and unfinished jobs.',
  },
  RECHECK_AFTER_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 10_000,
    meaning: 'Time after which an unfinished job is checked again.',
  },
  RECOUNT_AFTER_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 60_000,
    meaning: 'Time after which the counters of a running job are compared with its pages again.',
  },
  RESULT_BATCH_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 60_000 }),
    default: 5000,
    meaning: 'Longest time that a result waits for others before its `job.pages` event.',
  },
  DISPATCH_LEASE_MS: {
    type: setting.durationMs({ minimum: 500, maximum: 600_000 }),
    default: 6000,
    meaning: 'Time after which another orchestrator takes over from one that dispatched and died.',
  },
  DISPATCH_PLANNERS: {
    type: setting.integer({ minimum: 1, maximum: 64 }),
    default: 1,
    meaning:
      'Planners that divide the hosts of pages among all orchestrators; one with another number than those that dispatch waits.',
  },
  JOB_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 3650 * DAY_MS }),
    default: 30 * DAY_MS,
    meaning:
      'Time for which a finished job is kept with its pages, results, screenshots, snapshots and files.',
  },
  SNAPSHOT_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 30 * DAY_MS }),
    default: DAY_MS,
    meaning: 'How long pages of jobs with `snapshot` are kept.',
  },
  SNAPSHOT_QUOTA_BYTES: {
    type: setting.integer({ minimum: 1024 * 1024, maximum: 1024 ** 4 }),
    default: 256 * 1024 * 1024,
    meaning: 'Bytes of compressed snapshots that an account may keep; the oldest give way to new ones.',
  },
  CACHE_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: LIMITS.maxReuseMs }),
    default: DAY_MS,
    meaning:
      'How long pages of requests with `maxAge` are kept at most, to be taken instead of fetched ones.',
  },
  CACHE_QUOTA_BYTES: {
    type: setting.integer({ minimum: 1024 * 1024, maximum: 1024 ** 4 }),
    default: 64 * 1024 * 1024,
    meaning:
      'Bytes of compressed pages that are kept for `maxAge` of an account; the oldest give way to new ones.',
  },
  FILE_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 30 * DAY_MS }),
    default: DAY_MS,
    meaning: 'How long files of scrapes and jobs with `download` are kept.',
  },
  FILE_QUOTA_BYTES: {
    type: setting.integer({ minimum: 1024 * 1024, maximum: 1024 ** 4 }),
    default: 1024 ** 3,
    meaning: 'Bytes of files that an account may keep; the oldest give way to new ones.',
  },
  DATASET_QUOTA_BYTES: {
    type: setting.integer({ minimum: 1024 * 1024, maximum: 1024 ** 4 }),
    default: 1024 ** 3,
    meaning:
      'Bytes of records that an account may keep in all its datasets, as JSON; records beyond that are left out.',
  },
  HEALTH_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 365 * DAY_MS }),
    default: 30 * DAY_MS,
    meaning:
      'How long the last good and the first bad page of a schedule are kept, up to three of each, to propose selectors.',
  },
});

/** Validated settings of the job-orchestrator. */
export type OrchestratorConfig = Config<typeof ORCHESTRATOR_SETTINGS>;

/** Returns the retention and the quota of what accounts keep. */
export function keepingOf(config: OrchestratorConfig) {
  return {
    snapshots: { retentionMs: config.SNAPSHOT_RETENTION_MS, quotaBytes: config.SNAPSHOT_QUOTA_BYTES },
    cache: { retentionMs: config.CACHE_RETENTION_MS, quotaBytes: config.CACHE_QUOTA_BYTES },
    files: { retentionMs: config.FILE_RETENTION_MS, quotaBytes: config.FILE_QUOTA_BYTES },
  };
}

/** Returns the settings of the dispatcher. */
export function dispatchSettingsOf(config: OrchestratorConfig) {
  return {
    leaseMs: config.DISPATCH_LEASE_MS,
    planners: config.DISPATCH_PLANNERS,
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

/** Returns the rules for another attempt at a page. */
export function retryRulesOf(config: OrchestratorConfig) {
  return {
    maxAttempts: config.PAGE_ATTEMPTS,
    retryDelayMs: config.RETRY_DELAY_MS,
    maxPauseMs: config.MAX_HOST_PAUSE_MS,
  };
}
