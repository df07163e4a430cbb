import type { Counter, Metrics } from '@gleaner/service-kit';

/** What the gauges show, read when they are asked for. */
export interface DispatchState {
  readonly isDispatching: boolean;
  readonly activeJobs: number;
  readonly runningPages: number;
  readonly pausedHosts: number;
}

/** What the orchestrator counts. */
export interface OrchestratorMetrics {
  readonly pages: Counter<'outcome'>;
  readonly dispatched: Counter;
  readonly repaired: Counter<'what'>;
}

/** Where the gauges are read from. */
export interface OrchestratorReadings {
  readonly state: () => DispatchState;
  /** How many messages nobody could work on wait for a person to look at them. */
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
  gauge('active_jobs', 'Jobs that the dispatcher has pages of.', ({ activeJobs }) => activeJobs);
  gauge(
    'running_pages',
    'Pages of jobs in flight, as the dispatcher knows.',
    ({ runningPages }) => runningPages,
  );
  gauge('paused_hosts', 'Hosts that asked to be left alone for now.', ({ pausedHosts }) => pausedHosts);
  metrics.gauge({
    name: 'dead_letters',
    help: 'Messages that nobody could work on; while the broker is away, as many as it last had.',
    async collect() {
      const count = await countDeadLetters().catch(() => undefined);
      if (count !== undefined) this.set(count);
    },
  });
  return {
    pages: metrics.counter({
      name: 'page_tries_total',
      help: 'Tries at pages by what came of them: success, an error code, or why there is another one.',
      labelNames: ['outcome'],
    }),
    dispatched: metrics.counter({
      name: 'pages_dispatched_total',
      help: 'Tries at pages that were sent out.',
    }),
    repaired: metrics.counter({
      name: 'reconciled_total',
      help: 'What the reconciler found undone and did: overdue pages, unfinished jobs, unwanted screenshots.',
      labelNames: ['what'],
    }),
  };
}
