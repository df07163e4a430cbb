import { createRequire } from 'node:module';
import { defined } from '@gleaner/contracts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter, Gauge, Histogram } from 'prom-client';

/** Metrics of one process; every name gets the prefix `gleaner_`. */
export interface Metrics {
  /** Creates a counter of events; labels must have few values, never URLs or identifiers. */
  counter<Label extends string = never>(
    definition: MetricDefinition<`${string}_total`, Label>,
  ): Counter<Label>;
  /** Creates a gauge of a state that rises and falls; `collect` reads it at each scrape. */
  gauge<Label extends string = never>(
    definition: MetricDefinition<string, Label> & {
      readonly collect?: (this: Gauge<Label>) => void | Promise<void>;
    },
  ): Gauge<Label>;
  /** Creates a histogram of durations in seconds or sizes in bytes. */
  histogram<Label extends string = never>(
    definition: MetricDefinition<`${string}_${keyof typeof BUCKETS}`, Label>,
  ): Histogram<Label>;
  /** Renders all metrics in the text format of Prometheus. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface MetricDefinition<Name extends string, Label extends string> {
  readonly name: Name;
  readonly help: string;
  readonly labelNames?: readonly Label[];
}

const PREFIX = 'gleaner_';

/** Cover durations from a broker round trip to the longest scrape, and sizes from a header to the largest page. */
const BUCKETS = {
  seconds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  bytes: [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 10_485_760, 16_777_216],
} as const;

/** Sampling interval of Node's own event loop delay; a shorter one wakes an idle process more often. */
const EVENT_LOOP_SAMPLE_MS = 500;

/** Creates a registry with Node's default metrics; all metrics are labeled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  declareBuildInfo(registry);
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  const complete = <Label extends string>({
    name,
    help,
    labelNames = [],
  }: MetricDefinition<string, Label>) => ({
    name: PREFIX + name,
    help,
    labelNames,
    registers: [registry],
  });
  return {
    counter: (definition) => new Counter(complete(definition)),
    gauge: ({ collect, ...definition }) => new Gauge({ ...complete(definition), ...defined({ collect }) }),
    histogram: (definition) =>
      new Histogram({ ...complete(definition), buckets: bucketsFor(definition.name) }),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** Declares the gauge that tells versions apart, of Gleaner and of Node. */
function declareBuildInfo(registry: Registry): void {
  const manifest: { version: string } = createRequire(import.meta.url)('../../package.json');
  const info = new Gauge({
    name: `${PREFIX}build_info`,
    help: 'Always 1; the labels are the versions of Gleaner and of Node that the process runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  info.set({ version: manifest.version, node: process.versions.node }, 1);
}

function bucketsFor(name: string): number[] {
  return [...(name.endsWith('_seconds') ? BUCKETS.seconds : BUCKETS.bytes)];
}
