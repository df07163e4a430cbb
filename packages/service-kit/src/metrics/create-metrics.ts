import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter, Gauge, Histogram } from 'prom-client';

/** The metrics of one process; every name gets the prefix `gleaner_`. */
export interface Metrics {
  /** Counts what happened; labels must have few values, never URLs or identifiers. */
  counter<Label extends string = never>(about: About<`${string}_total`, Label>): Counter<Label>;
  /** Shows a state that rises and falls; with `collect`, read at each scrape. */
  gauge<Label extends string = never>(
    about: About<string, Label> & { readonly collect?: (this: Gauge<Label>) => void | Promise<void> },
  ): Gauge<Label>;
  /** Shows how durations in seconds, or sizes in bytes, are spread. */
  histogram<Label extends string = never>(
    about: About<`${string}_${keyof typeof BUCKETS}`, Label>,
  ): Histogram<Label>;
  /** Everything in the text format of Prometheus. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface About<Name extends string, Label extends string> {
  readonly name: Name;
  readonly help: string;
  readonly labelNames?: readonly Label[];
}

const PREFIX = 'gleaner_';

/** From what a reply costs to the longest scrape, and from a header to the largest page. */
const BUCKETS = {
  seconds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  bytes: [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 10_485_760, 16_777_216],
} as const;

/** How finely Node's own event loop delay is sampled; finer costs more wake-ups in an idle process. */
const EVENT_LOOP_SAMPLE_MS = 500;

/** A registry of its own for the process, with Node's default metrics, all labelled with the service. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  const complete = <Label extends string>({ name, help, labelNames = [] }: About<string, Label>) => ({
    name: PREFIX + name,
    help,
    labelNames,
    registers: [registry],
  });
  return {
    counter: (about) => new Counter(complete(about)),
    gauge: ({ collect, ...about }) => new Gauge({ ...complete(about), ...(collect && { collect }) }),
    histogram: (about) => new Histogram({ ...complete(about), buckets: bucketsFor(about.name) }),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function bucketsFor(name: string): number[] {
  return [...(name.endsWith('_seconds') ? BUCKETS.seconds : BUCKETS.bytes)];
}
