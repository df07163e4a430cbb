import { type Config, defineConfig, setting } from '@gleaner/config';

const DAY_MS = 24 * 3600 * 1000;

/** What the job-orchestrator can be told, beside what every service can. */
export const ORCHESTRATOR_SETTINGS = defineConfig({
  PAGES_PER_SCRAPER: {
    type: setting.integer({ minimum: 1, maximum: 10_000 }),
    default: 40,
    meaning:
      'Pages of jobs in flight for each scraper that listens; a little more than its PAGE_CONCURRENCY.',
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
    meaning: 'How long at least between the starts of two pages of one host.',
  },
  MAX_HOST_PAUSE_MS: {
    type: setting.durationMs({ minimum: 0, maximum: DAY_MS }),
    default: 300_000,
    meaning: 'The longest Retry-After of a host that is honoured in full.',
  },
  PAGE_ATTEMPTS: {
    type: setting.integer({ minimum: 1, maximum: 20 }),
    default: 3,
    meaning: 'How often a page is tried whose error may pass.',
  },
  RETRY_DELAY_MS: {
    type: setting.durationMs({ minimum: 1, maximum: 3_600_000 }),
    default: 2000,
    meaning: 'The wait before the second try at a page; it doubles with every further one.',
  },
  QUEUE_PATIENCE_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 30_000,
    meaning: 'How long a page may wait for a scraper, beyond its own timeout, before it is dispatched anew.',
  },
  RESULTS_IN_HAND: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 100,
    meaning: 'Results of pages that one orchestrator holds at once; bounds its memory.',
  },
  RECONCILE_INTERVAL_MS: {
    type: setting.durationMs({ minimum: 50, maximum: 3_600_000 }),
    default: 1000,
    meaning: 'How often what was lost on the way is looked for.',
  },
  RECHECK_AFTER_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 10_000,
    meaning: 'How long after the last check a job that is not finished is checked again.',
  },
  RECOUNT_AFTER_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 3_600_000 }),
    default: 60_000,
    meaning:
      'How long after the last time the counters of a job that goes on are held against its pages again.',
  },
  DISPATCH_LEASE_MS: {
    type: setting.durationMs({ minimum: 500, maximum: 600_000 }),
    default: 6000,
    meaning: 'How long after the death of the orchestrator that dispatches another takes over.',
  },
  JOB_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 3650 * DAY_MS }),
    default: 30 * DAY_MS,
    meaning: 'How long a job and its results are kept after it has ended.',
  },
});

/** The orchestrator's settings, read and checked. */
export type OrchestratorConfig = Config<typeof ORCHESTRATOR_SETTINGS>;
