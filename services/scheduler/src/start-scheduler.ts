import type { Broker } from '@gleaner/broker';
import { AppError, type CreateJobCommand } from '@gleaner/contracts';
import type { Logger, Metrics, RunningService } from '@gleaner/service-kit';
import { createStores, type Database } from '@gleaner/storage';
import { obeyCommand } from './commands/obey-command.ts';
import type { SchedulerConfig } from './config.ts';
import { TimeZones } from './cron/time-zones.ts';
import { createSchedulerMetrics } from './scheduler-metrics.ts';
import { runTick } from './tick/run-tick.ts';
import { startTicking } from './tick/start-ticking.ts';

/** What the scheduler works with, as `runService` hands it over. */
export interface SchedulerDeps {
  readonly config: SchedulerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly broker: Broker;
  readonly database: Database;
}

const COMMANDS_AT_ONCE = 20;
const JOB_TIMEOUT_MS = 10_000;
const STOP_WITHIN_MS = 15_000;

/** Takes commands, and starts the runs that are due, until it is stopped. */
export function startScheduler(deps: SchedulerDeps): RunningService {
  const { config, logger, metrics, broker, database } = deps;
  const { schedules, scheduleRuns, jobs } = createStores(database);
  const shared = {
    schedules,
    runs: scheduleRuns,
    jobs,
    zones: new TimeZones(),
    now: () => new Date(),
    ...jobCreationBy(broker),
    logger,
    metrics: createSchedulerMetrics(metrics),
    ...optionsOf(config),
  };
  const commands = broker.respond(
    'schedules.commands',
    ({ body, signal }) => obeyCommand(body, shared, signal),
    { concurrency: COMMANDS_AT_ONCE },
  );
  const stopTicking = startTicking({ tick: (signal) => runTick(shared, signal), logger });
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

/** Without anybody who creates jobs the answer is known at once; a request would wait for its deadline. */
function jobCreationBy(broker: Broker) {
  async function requireTaker(queue: 'jobs.commands' | 'jobs.runs'): Promise<void> {
    if ((await broker.consumerCount(queue)) > 0) return;
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: 'Nobody takes care of jobs at the moment.',
      suggestion: 'Try again in a moment. If this service is yours, start a job-orchestrator.',
      retryAfterSeconds: 5,
    });
  }
  return {
    async createJob(command: CreateJobCommand, signal: AbortSignal) {
      await requireTaker('jobs.commands');
      return (await broker.request('jobs.commands', command, { timeoutMs: JOB_TIMEOUT_MS, signal })).job;
    },
    async createJobs(commands: readonly CreateJobCommand[], signal: AbortSignal) {
      await requireTaker('jobs.runs');
      const options = { timeoutMs: JOB_TIMEOUT_MS, signal };
      return (await broker.request('jobs.runs', { runs: [...commands] }, options)).outcomes;
    },
  };
}
