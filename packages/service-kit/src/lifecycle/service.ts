import type { Broker } from '@gleaner/broker';
import type { Config, ConfigTable } from '@gleaner/config';
import type { InstanceFacts } from '@gleaner/contracts';
import type { Database } from '@gleaner/storage';
import type { COMMON_SETTINGS } from '../common-settings.ts';
import type { Check } from '../health/readiness.ts';
import type { Logger } from '../logger/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Tracer } from '../tracing/tracer.ts';

/** Definition of a service for `runService`. */
export interface Service<Table extends ConfigTable, Uses extends keyof Backends> {
  /** Its name in logs and metrics. */
  readonly name: string;
  /** Its own settings; one with the name of a common setting replaces it, to change its default. */
  readonly config: Table;
  /** The backends that are connected before `start` and closed after `stop`. */
  readonly uses: readonly Uses[];
  /** True if scrapes pass through the process: their callers wait, so V8 optimizes its code sooner. */
  readonly servesScrapes?: true;
  /** Starts the service and resolves when it is ready for work. */
  readonly start: (context: ServiceContext<Table, Uses>) => Promise<RunningService> | RunningService;
}

/** Argument of `start`. */
export type ServiceContext<Table extends ConfigTable, Uses extends keyof Backends> = {
  readonly config: Config<typeof COMMON_SETTINGS> & Config<Table>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Names work that begins or ends in this turn of the event loop, for the metric of the longest turn; messages are named. */
  readonly noteWork: (name: string) => void;
  readonly tracer: Tracer;
  /** Aborted when the process is asked to stop, or when the start takes too long. */
  readonly signal: AbortSignal;
} & Pick<Backends, Uses>;

/** Backends that a service may use. */
export interface Backends {
  readonly broker: Broker;
  readonly database: Database;
}

/** Result of `start`. */
export interface RunningService {
  /** Stops taking work and resolves when the rest is done; work that still runs when the signal aborts is abandoned. */
  readonly stop: (signal: AbortSignal) => Promise<void>;
  /** Readiness checks of the service, besides those of its backends. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** Values that other programs read as JSON beside the metrics, by path; an error is answered with 503. */
  readonly reports?: Readonly<Record<string, () => Promise<object>>>;
  /** Returns the facts that the process reports with each heartbeat, for `GET /v1/system`. */
  readonly facts?: () => InstanceFacts;
  /** Ports that it listens on, by purpose; sent to the parent process. */
  readonly ports?: Readonly<Record<string, number>>;
}

/** Message to the parent process when this one is ready, sent once. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly ports: Readonly<Record<string, number>>;
}
