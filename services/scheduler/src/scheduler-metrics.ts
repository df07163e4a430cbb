import type { Counter, Histogram, Metrics } from '@gleaner/service-kit';

/** Metrics of the scheduler. */
export interface SchedulerMetrics {
  readonly runs: Counter<'outcome'>;
  readonly lag: Histogram;
}

/** Registers the metrics of the scheduler. */
export function createSchedulerMetrics(metrics: Metrics): SchedulerMetrics {
  return {
    runs: metrics.counter({
      name: 'schedule_runs_total',
      help: 'Due runs by outcome: started, skipped, refused, repeated (the tick already had a job), or postponed to another attempt.',
      labelNames: ['outcome'],
    }),
    lag: metrics.histogram({
      name: 'schedule_lag_seconds',
      help: 'Time from when a run was due until its job was created.',
    }),
  };
}
