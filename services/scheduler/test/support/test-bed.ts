import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import {
  type CreateScheduleRequest,
  createId,
  type Schedule,
  type ScheduleCommand,
  type ScheduleReply,
  settingsOf,
} from '@gleaner/contracts';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';
import { createLogger, createMetrics, type Logger } from '@gleaner/service-kit';
import {
  checkDocuments,
  connectDatabase,
  createStores,
  type Database,
  type StoredSchedule,
  type Stores,
} from '@gleaner/storage';
import { NextRuns } from '../../src/cron/next-run.ts';
import { type CommandDeps, handleCommand } from '../../src/handle-command.ts';
import { createSchedulerMetrics } from '../../src/scheduler-metrics.ts';
import { runTick, type TickDeps } from '../../src/tick/run-tick.ts';
import { type ScriptedOrchestrator, startScriptedOrchestrator } from './scripted-orchestrator.ts';

/** Collaborators of a scheduler. */
export type SchedulerParts = TickDeps & CommandDeps;

/** Embedded broker and database, a clock that only the test moves, and an orchestrator that stores jobs. */
export interface TestBed extends AsyncDisposable {
  readonly broker: Broker;
  readonly database: Database;
  readonly stores: Stores;
  readonly logger: Logger;
  /** Settings of a process that uses the same backends. */
  readonly env: Readonly<Record<'AMQP_URL' | 'MONGODB_URI', string>>;
  readonly orchestrator: ScriptedOrchestrator;
  /** Starts another orchestrator, such as after the first was stopped. */
  startOrchestrator(): Promise<ScriptedOrchestrator>;
  /** Returns the collaborators of another scheduler on the test's clock. */
  parts(): SchedulerParts;
  setClock(moment: string | Date): void;
  now(): Date;
  /** Sets the clock to a moment and runs one tick. */
  tickAt(moment: string | Date): Promise<void>;
  command(command: ScheduleCommand): Promise<ScheduleReply>;
  create(request: Partial<CreateScheduleRequest>, accountId?: string): Promise<Schedule>;
  find(id: string, accountId?: string): Promise<StoredSchedule>;
}

export const ACCOUNT = 'acc_test';
export const PAGE = 'https://example.com/';

/** Starts the test bed; disposing of it stops everything and removes its data. */
export async function startTestBed(): Promise<TestBed> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-scheduler-'));
  const [amqp, mongo] = await Promise.all([
    startAmqpServer({ dataDir: join(dataDir, 'broker') }),
    startMongoServer({ dataDir: join(dataDir, 'database') }),
  ]);
  const logger = createLogger({ service: 'scheduler', level: 'silent', format: 'json', instance: undefined });
  const [broker, database] = await Promise.all([
    connectBroker({ url: amqp.url, name: 'scheduler-test', logger }),
    connectDatabase({ uri: mongo.uri, logger }),
  ]);
  await database.ensureIndexes();
  const stores = createStores(database);
  const orchestrator = await startScriptedOrchestrator(broker, stores);
  let clock = new Date('2026-01-01T00:00:00Z');
  const parts = () => createParts({ broker, stores, logger, now: () => clock });

  const bed: TestBed = {
    broker,
    database,
    stores,
    logger,
    env: { AMQP_URL: amqp.url, MONGODB_URI: mongo.uri },
    orchestrator,
    startOrchestrator: () => startScriptedOrchestrator(broker, stores),
    parts,
    setClock: (moment) => {
      clock = new Date(moment);
    },
    now: () => clock,
    async tickAt(moment) {
      bed.setClock(moment);
      await runTick(parts(), new AbortController().signal);
    },
    command: (command) => handleCommand(command, parts(), new AbortController().signal),
    async create(request, accountId = ACCOUNT) {
      const page = request.urls === undefined ? { url: PAGE } : {};
      const settings = settingsOf({ ...page, cron: '* * * * *', ...request } as CreateScheduleRequest);
      const command = { type: 'create' as const, scheduleId: createId('sch'), accountId, settings };
      const reply = await bed.command(command);
      if (reply.outcome !== 'stored') throw new Error(`The schedule is ${reply.outcome}.`);
      return reply.schedule;
    },
    async find(id, accountId = ACCOUNT) {
      const schedule = await stores.schedules.findSchedule({ id, accountId });
      if (!schedule) throw new Error(`There is no schedule ${id}.`);
      return schedule;
    },
    async [Symbol.asyncDispose]() {
      await checkDocuments(database.models);
      await Promise.all([broker.close(100), database.close()]);
      await Promise.all([amqp.close(), mongo.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return bed;
}

interface PartsOf {
  readonly broker: Broker;
  readonly stores: Stores;
  readonly logger: Logger;
  readonly now: () => Date;
}

function createParts({ broker, stores, logger, now }: PartsOf): SchedulerParts {
  return {
    schedules: stores.schedules,
    runs: stores.scheduleRuns,
    jobs: stores.jobs,
    nextRuns: new NextRuns(),
    now,
    async createJob(command, signal) {
      const { job } = await broker.request('jobs.commands', command, { timeoutMs: 240_000, signal });
      return job;
    },
    async createJobs(commands, signal) {
      const runs = [...commands];
      return (await broker.request('jobs.runs', { runs }, { timeoutMs: 240_000, signal })).outcomes;
    },
    logger,
    metrics: createSchedulerMetrics(createMetrics('scheduler')),
    leaseMs: 30_000,
    runsAtOnce: 100,
    retryDelayMs: 5000,
  };
}
