import type { Counter, Metrics } from '@gleaner/service-kit';

/** Values of the dispatcher's gauges. */
export interface DispatchState {
  readonly isDispatching: boolean;
  readonly activeJobs: number;
  readonly runningPages: number;
  readonly pausedHosts: number;
}

/** Counters of the orchestrator. */
export interface OrchestratorMetrics {
  readonly pages: Counter<'outcome'>;
  readonly dispatched: Counter;
  readonly repaired: Counter<'what'>;
}

/** Sources of the gauges. */
export interface OrchestratorReadings {
  readonly state: () => DispatchState;
  /** Returns the number of messages that no worker could handle and that wait for a person. */
  readonly countDeadLetters: () => Promise<number>;
}

/** Declares the orchestrator's own metrics. */
export function createOrchestratorMetrics(
  metrics: Metrics,
  { state, countDeadLetters }: OrchestratorReadings,
): OrchestratorMetrics {
  const gauge = (name: string, help: string, read: (current: DispatchState) => number) =>
    metrics.gauge({
      name,
      help,
      collect() {
        this.set(read(state()));
      },
    });
  gauge('dispatching', '1 in the one orchestrator that dispatches.', ({ isDispatching }) =>
    Number(isDispatching),
  );
  gauge('active_jobs', 'Jobs whose pages the dispatcher sends.', ({ activeJobs }) => activeJobs);
  gauge('running_pages', 'Pages of jobs in flight.', ({ runningPages }) => runningPages);
  gauge('paused_hosts', 'Hosts that are paused after a 429 answer.', ({ pausedHosts }) => pausedHosts);
  metrics.gauge({
    name: 'dead_letters',
    help: 'Messages that no worker could handle; while the broker is unreachable, their last known number.',
    async collect() {
      const count = await countDeadLetters().catch(() => undefined);
      if (count !== undefined) this.set(count);
    },
  });
  return {
    pages: metrics.counter({
      name: 'page_tries_total',
      help: 'Attempts at pages by outcome: success, an error code, or the reason for another attempt.',
      labelNames: ['outcome'],
    }),
    dispatched: metrics.counter({
      name: 'pages_dispatched_total',
      help: 'Attempts at pages that were sent to scrapers.',
    }),
    repaired: metrics.counter({
      name: 'reconciled_total',
      help: 'Repairs of the reconciler: overdue pages, unfinished jobs, unwanted screenshots.',
      labelNames: ['what'],
    }),
  };
}
