import { type Config, defineConfig, setting } from '@gleaner/config';

/** Settings of the scheduler besides those of every service. */
export const SCHEDULER_SETTINGS = defineConfig({
  RUNS_AT_ONCE: {
    type: setting.integer({ minimum: 1, maximum: 500 }),
    default: 100,
    meaning: 'Runs that one scheduler starts together.',
  },
  RUN_LEASE_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 600_000 }),
    default: 30_000,
    meaning: 'Time after which another scheduler starts the runs that a dead one had claimed.',
  },
  RUN_RETRY_DELAY_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 600_000 }),
    default: 5000,
    meaning:
      'Delay before the second attempt to start a run; it doubles with every further one, up to 5 minutes.',
  },
});

/** The scheduler's settings, read and checked. */
export type SchedulerConfig = Config<typeof SCHEDULER_SETTINGS>;
