import type { Broker } from '@gleaner/broker';
import type { CreateJobCommand } from '@gleaner/contracts';
import { type Logger, type Metrics, type RunningService, sendCommand } from '@gleaner/service-kit';
import { createStores, type Database } from '@gleaner/storage';
import type { SchedulerConfig } from './config.ts';
import { NextRuns } from './cron/next-run.ts';
import { handleCommand } from './handle-command.ts';
import { createSchedulerMetrics } from './scheduler-metrics.ts';
import { createTicks } from './tick/run-tick.ts';
import { startTicking } from './tick/start-ticking.ts';

/** Collaborators of the scheduler, which `runService` passes in. */
export interface SchedulerDeps {
  readonly config: SchedulerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly noteWork?: (name: string) => void;
  readonly broker: Broker;
  readonly database: Database;
}

const COMMANDS_AT_ONCE = 20;
const JOB_TIMEOUT_MS = 10_000;
/** The orchestrator stores every URL of a new job before it replies. */
const JOB_TIMEOUT_MS_PER_URL = 1.5;
const STOP_WITHIN_MS = 15_000;

/** Starts to carry out commands and to run schedules that are due, until it is stopped. */
export function startScheduler(deps: SchedulerDeps): RunningService {
  const { config, logger, metrics, broker, database } = deps;
  const { clock, schedules, scheduleRuns, jobs } = createStores(database);
  const shared = {
    schedules,
    runs: scheduleRuns,
    jobs,
    nextRuns: new NextRuns(),
    now: () => clock.now(),
    ...jobCreationBy(broker),
    logger,
    noteWork: deps.noteWork,
    metrics: createSchedulerMetrics(metrics),
    ...optionsOf(config),
  };
  const ticks = createTicks(shared);
  const commands = broker.respond(
    'schedules.commands',
    ({ body, signal }) => handleCommand(body, shared, signal).finally(() => ticks.wake()),
    { concurrency: COMMANDS_AT_ONCE },
  );
  const stopTicking = startTicking({ tick: (signal) => ticks.tick(signal), logger });
  return {
    async stop() {
      await Promise.all([stopTicking(), commands.stop(STOP_WITHIN_MS)]);
    },
  };
}

function optionsOf(config: SchedulerConfig) {
  return {
    runsAtOnce: config.RUNS_AT_ONCE,
    leaseMs: config.RUN_LEASE_MS,
    retryDelayMs: config.RUN_RETRY_DELAY_MS,
  };
}

/** Creates jobs by the job-orchestrator. Rejects at once, and not after a timeout, when none is running. */
function jobCreationBy(broker: Broker) {
  const optionsWith = (commands: readonly CreateJobCommand[], signal: AbortSignal) => ({
    service: 'job-orchestrator',
    timeoutMs: JOB_TIMEOUT_MS + Math.ceil(countUrls(commands) * JOB_TIMEOUT_MS_PER_URL),
    timeoutSuggestion: 'Try again in a moment; GET /v1/jobs shows whether the job was created.',
    signal,
  });
  return {
    async createJob(command: CreateJobCommand, signal: AbortSignal) {
      return (await sendCommand({ broker }, 'jobs.commands', command, optionsWith([command], signal))).job;
    },
    async createJobs(commands: readonly CreateJobCommand[], signal: AbortSignal) {
      const { outcomes } = await sendCommand(
        { broker },
        'jobs.runs',
        { runs: [...commands] },
        optionsWith(commands, signal),
      );
      return outcomes;
    },
  };
}

function countUrls(commands: readonly CreateJobCommand[]): number {
  return commands.reduce((sum, { request }) => sum + request.urls.length, 0);
}
