import type { Random } from '@gleaner/test-kit';
import type { ClientJob, JobClient } from './job-client.ts';
import type { ScenarioName } from './jobs/scenarios.ts';
import type { Receiver } from './receiver.ts';
import type { Findings, Row } from './report.ts';
import type { BrokerKind, DatabaseKind } from './stack/backends.ts';
import type { ChaosStack, ChaosStackOptions } from './stack/chaos-stack.ts';
import type { TokenOrigin } from './token-origin.ts';

export type WorkloadKind = 'jobs' | 'crawls' | 'schedules' | 'profiles' | 'upgrade';

/** Options of a run; the same seed chooses the same work and faults. */
export interface ChaosOptions {
  readonly kind: WorkloadKind;
  readonly seed: number;
  readonly faults: number;
  /** URLs of the jobs, pages of the crawled site, or number of schedules. */
  readonly urls: number;
  /** Planners that the orchestrators share. */
  readonly planners: number;
  readonly brokerKind: BrokerKind;
  readonly databaseKind: DatabaseKind;
  /** Only of jobs. */
  readonly scenarios: readonly ScenarioName[];
  /** Version that an upgrade starts from: a folder, or a commit of this repository. */
  readonly from: string;
  readonly print: (line: string) => void;
}

/** A running stack, its clients and sites, and the findings so far. */
export interface ChaosRun extends ChaosOptions {
  readonly stack: ChaosStack;
  readonly client: JobClient;
  readonly origin: TokenOrigin;
  readonly receiver: Receiver;
  readonly random: Random;
  /** All jobs of the run so far that a client created. */
  readonly jobs: ClientJob[];
  readonly findings: Findings;
  /** Number of injected faults by name. */
  readonly injected: Record<string, number>;
}

/** Work under which faults are injected, and its checks. */
export interface Workload {
  /** Site of its pages; one that anyone may read by default. */
  readonly origin?: TokenOrigin;
  /** Settings of its stack. */
  readonly stack: Partial<ChaosStackOptions>;
  /** Works, injects faults, and checks the promises. Returns the rows of the report. */
  run(run: ChaosRun): Promise<Row[]>;
}

/** Prepares a workload; `scope` frees at the end of the run what it acquires. */
export type PrepareWorkload = (
  options: ChaosOptions & { readonly dataDir: string },
  scope: AsyncDisposableStack,
) => Promise<Workload>;
