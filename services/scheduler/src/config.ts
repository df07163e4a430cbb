import { type Config, defineConfig, setting } from '@gleaner/config';

/** What the scheduler can be told, beside what every service can. */
export const SCHEDULER_SETTINGS = defineConfig({
  RUNS_AT_ONCE: {
    type: setting.integer({ minimum: 1, maximum: 500 }),
    default: 100,
    meaning: 'How many runs one scheduler starts together.',
  },
  RUN_LEASE_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 600_000 }),
    default: 30_000,
    meaning: 'How long after the death of a scheduler another starts the runs that it had taken.',
  },
  RUN_RETRY_DELAY_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 600_000 }),
    default: 5000,
    meaning:
      'The wait before a run is tried again that could not be started; it doubles up to 5 minutes with every further try.',
  },
});

/** The scheduler's settings, read and checked. */
export type SchedulerConfig = Config<typeof SCHEDULER_SETTINGS>;
