import { type Engine, QUEUES, type QueueName } from '@gleaner/contracts';
import type { Counter, Metrics } from '@gleaner/service-kit';
import type { DispatchState } from './dispatch/dispatcher.ts';
import type { Demand } from './measure/start-measuring.ts';

/** Counters of the orchestrator. */
export interface OrchestratorMetrics {
  readonly pages: Counter<'outcome'>;
  readonly dispatched: Counter;
  readonly repaired: Counter<'what'>;
}

/** Sources of the gauges. */
export interface OrchestratorReadings {
  readonly state: () => DispatchState;
  /** Returns the number of messages that wait in a queue. */
  readonly countMessages: (queue: QueueName) => Promise<number>;
  readonly countConsumers: (queue: QueueName) => Promise<number>;
  /** Returns the demand for scrapers; undefined while no orchestrator dispatches. */
  readonly readDemand: () => Promise<Demand | undefined>;
}

const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];
const ENGINES: readonly Engine[] = ['http', 'browser'];
/** A reading of the database serves the gauges of one scrape and the scrapes of a few seconds. */
const FRESH_MS = 5000;

/** Declares the orchestrator's own metrics. */
export function createOrchestratorMetrics(
  metrics: Metrics,
  readings: OrchestratorReadings,
): OrchestratorMetrics {
  declareStateGauges(metrics, readings.state);
  declareQueueGauges(metrics, readings);
  declareDemandGauges(metrics, readings);
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

function declareStateGauges(metrics: Metrics, state: () => DispatchState): void {
  const gauge = (name: string, help: string, read: (current: DispatchState) => number) =>
    metrics.gauge({
      name,
      help,
      collect() {
        this.set(read(state()));
      },
    });
  gauge(
    'dispatching',
    '1 in the one orchestrator that dispatches; with several planners, the part of them that it runs.',
    ({ planners }) => planners,
  );
  gauge('active_jobs', 'Jobs whose pages the dispatcher sends.', ({ activeJobs }) => activeJobs);
  gauge('running_pages', 'Pages of jobs in flight.', ({ runningPages }) => runningPages);
  gauge(
    'paused_hosts',
    'Hosts that are paused after a 429, or a 503 with Retry-After.',
    ({ pausedHosts }) => pausedHosts,
  );
}

function declareQueueGauges(
  metrics: Metrics,
  { countMessages, countConsumers }: Pick<OrchestratorReadings, 'countMessages' | 'countConsumers'>,
): void {
  const gauge = (name: string, help: string, count: (queue: QueueName) => Promise<number>) =>
    metrics.gauge({
      name,
      help,
      labelNames: ['queue'],
      async collect() {
        const counts = await Promise.all(QUEUE_NAMES.map((queue) => count(queue).catch(() => undefined)));
        for (const [place, queue] of QUEUE_NAMES.entries()) {
          const known = counts[place];
          if (known !== undefined) this.set({ queue }, known);
        }
      },
    });
  const lastKnown = 'while the broker is unreachable, their last known number.';
  gauge('queue_messages', `Messages that wait in each queue; ${lastKnown}`, countMessages);
  gauge('queue_consumers', `Consumers of each queue; ${lastKnown}`, countConsumers);
  metrics.gauge({
    name: 'dead_letters',
    help: `Messages that no worker could handle; ${lastKnown}`,
    async collect() {
      const count = await countMessages('dead-letters').catch(() => undefined);
      if (count !== undefined) this.set(count);
    },
  });
}

function declareDemandGauges(
  metrics: Metrics,
  { readDemand }: Pick<OrchestratorReadings, 'readDemand'>,
): void {
  const read = keepFor(FRESH_MS, () => readDemand().catch(() => undefined));
  const gauge = (name: string, help: string, pick: (demand: Demand) => Readonly<Record<Engine, number>>) =>
    metrics.gauge({
      name,
      help,
      labelNames: ['engine'],
      async collect() {
        const demand = await read();
        this.reset();
        if (demand) for (const engine of ENGINES) this.set({ engine }, pick(demand)[engine]);
      },
    });
  gauge(
    'dispatchable_pages',
    'Pages of jobs that could be in flight if there were any number of scrapers, within the limits of jobs and hosts; missing while no orchestrator dispatches.',
    ({ dispatchablePages }) => dispatchablePages,
  );
  gauge(
    'oldest_waiting_page_seconds',
    'Longest time for which a job has had pages that may be fetched, and none in flight.',
    ({ longestWaitSeconds }) => longestWaitSeconds,
  );
}

/** Returns a function that calls the source at most once in this time. */
function keepFor<Value>(ms: number, source: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly untilMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (!kept || kept.untilMs < nowMs) kept = { value: source(), untilMs: nowMs + ms };
    return kept.value;
  };
}
