import type { Broker } from '@gleaner/broker';
import type { Config, ConfigTable } from '@gleaner/config';
import type { Database } from '@gleaner/storage';
import type { COMMON_SETTINGS } from '../config/common-settings.ts';
import type { Check } from '../health/readiness.ts';
import type { Logger } from '../logger/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';

/** A service as `runService` takes it. */
export interface Service<Table extends ConfigTable, Uses extends keyof Backends> {
  /** As logs and metrics name it. */
  readonly name: string;
  /** Its own settings; a row with the name of a common one replaces it, to change its default. */
  readonly config: Table;
  /** The backends that are connected before `start` and closed after `stop`. */
  readonly uses: readonly Uses[];
  /** Begins the work and resolves when the service is ready for it. */
  readonly start: (context: ServiceContext<Table, Uses>) => Promise<RunningService> | RunningService;
}

/** What `start` gets. */
export type ServiceContext<Table extends ConfigTable, Uses extends keyof Backends> = {
  readonly config: Config<typeof COMMON_SETTINGS> & Config<Table>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Aborted when the process is asked to stop, or when the start takes too long. */
  readonly signal: AbortSignal;
} & Pick<Backends, Uses>;

/** What a service may use besides its own. */
export interface Backends {
  readonly broker: Broker;
  readonly database: Database;
}

/** What `start` gives back. */
export interface RunningService {
  /** Takes no new work and resolves when the rest is done; what still runs when the signal aborts is abandoned. */
  readonly stop: (signal: AbortSignal) => Promise<void>;
  /** What must hold, besides its backends, for work to be sent to this process. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** The ports that it listens on, by purpose; told to the parent process. */
  readonly ports?: Readonly<Record<string, number>>;
}

/** What a service tells the process that forked it, once, when it is ready. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly ports: Readonly<Record<string, number>>;
}
