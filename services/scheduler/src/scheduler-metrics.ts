import type { Counter, Histogram, Metrics } from '@gleaner/service-kit';

/** What the scheduler counts. */
export interface SchedulerMetrics {
  readonly runs: Counter<'outcome'>;
  readonly lag: Histogram;
}

/** Declares the scheduler's own metrics. */
export function createSchedulerMetrics(metrics: Metrics): SchedulerMetrics {
  return {
    runs: metrics.counter({
      name: 'schedule_runs_total',
      help: 'Runs that were due, by what became of them: started, skipped, refused, repeated (the tick had a run before), or postponed to try again.',
      labelNames: ['outcome'],
    }),
    lag: metrics.histogram({
      name: 'schedule_lag_seconds',
      help: 'From the time of a run to its job.',
    }),
  };
}
