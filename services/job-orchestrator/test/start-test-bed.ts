import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import { readConfig } from '@gleaner/config';
import {
  type CreateJobRequest,
  createId,
  type Job,
  type JobCommand,
  type JobEvent,
  type PageCommand,
  type ScrapeOptions,
} from '@gleaner/contracts';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';
import { createLogger, createMetrics, type Logger, type RunningService } from '@gleaner/service-kit';
import { connectDatabase, createStores, type Database, describeJob, type Stores } from '@gleaner/storage';
import { eventually, untilReady } from '@gleaner/test-kit';
import { ORCHESTRATOR_SETTINGS } from '../src/config.ts';
import { Finisher, type FinisherDeps } from '../src/finish/finisher.ts';
import { Reviewer } from '../src/review/reviewer.ts';
import { startOrchestrator } from '../src/start-orchestrator.ts';
import { type ScriptedScraper, startScriptedScraper } from './scripted-scraper.ts';

/** A broker and a database of the test's own, with orchestrators and scripted scrapers on them. */
export interface TestBed extends AsyncDisposable {
  readonly broker: Broker;
  readonly database: Database;
  readonly stores: Stores;
  readonly logger: Logger;
  /** Settings of a process that uses the same backends. */
  readonly env: Readonly<Record<string, string>>;
  readonly accountId: string;
  /** Events that were sent, in order. */
  readonly events: JobEvent[];
  /** Names of the work that orchestrators did without a message. */
  readonly works: ReadonlySet<string>;
  /** Starts an orchestrator, with these stores instead of its own. */
  startOrchestrator(env?: Readonly<Record<string, string>>, stores?: Stores): Promise<RunningService>;
  startScraper(concurrency?: number): Promise<ScriptedScraper>;
  /** Returns a finisher as an orchestrator has one, with these stores and this broker instead of its own. */
  finisher(own?: Partial<Pick<FinisherDeps, 'stores' | 'broker'>>): Finisher;
  create(request: Partial<CreateJobRequest> & { urls: string[] }, more?: Partial<JobCommand>): Promise<Job>;
  cancel(jobId: string): Promise<Job>;
  /** Stores a running job without an orchestrator, and returns its id; none of its pages has been dispatched. */
  storeJob(pageCount: number, options?: ScrapeOptions): Promise<string>;
  /** Stores another unlimited account, and returns its id. */
  addAccount(): Promise<string>;
  /** Deletes the results of all jobs, as their expiry does. */
  removeResults(): Promise<void>;
  /** Counts the documents of a collection. */
  count(collection: string): Promise<number>;
  /** Resolves with the job when it is in this state. */
  untilJob(jobId: string, status: Job['status'], timeoutMs?: number): Promise<Job>;
}

/** Short enough for a test. */
const SETTINGS = {
  RECONCILE_INTERVAL_MS: '100',
  RECHECK_AFTER_MS: '300',
  RETRY_DELAY_MS: '50',
  DISPATCH_LEASE_MS: '1000',
};

export interface TestBedOptions {
  /** Balance of the account; null is unlimited. */
  readonly balance?: number | null;
  /** Lead of the clock of the database over that of the orchestrators. */
  readonly serverAheadMs?: number;
}

/** Starts the backends; dispose of it to stop everything. */
export async function startTestBed({
  balance = null,
  serverAheadMs = 0,
}: TestBedOptions = {}): Promise<TestBed> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-jobs-'));
  const [amqp, mongo] = await Promise.all([
    startAmqpServer({ dataDir: join(dataDir, 'broker') }),
    startMongoServer({
      dataDir: join(dataDir, 'database'),
      clock: () => new Date(Date.now() + serverAheadMs),
    }),
  ]);
  const logger = createLogger({ service: 'job-orchestrator', level: 'silent', format: 'json' });
  // Tests count the commands of a run.
  const database = await connectDatabase({ uri: `${mongo.uri}/?monitorCommands=true`, logger });
  await database.ensureIndexes();
  const stores = createStores(database);
  const accountId = createId('acc');
  await stores.accounts.ensureAccount({ id: accountId, name: 'Test', balance });
  const works = new Set<string>();
  const events: JobEvent[] = [];
  const brokers: Broker[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  async function connect(name: string): Promise<Broker> {
    const connected = await connectBroker({ url: amqp.url, name, logger });
    brokers.push(connected);
    return {
      ...connected,
      publishEvents: (batch) => {
        events.push(...batch);
        return connected.publishEvents(batch);
      },
    };
  }
  const broker = await connect('test');
  return {
    broker,
    database,
    stores,
    logger,
    env: { ...SETTINGS, AMQP_URL: amqp.url, MONGODB_URI: mongo.uri },
    accountId,
    events,
    works,
    async startOrchestrator(env = {}, ownStores = stores) {
      const own = await connect('job-orchestrator');
      const service = startOrchestrator({
        config: readConfig(ORCHESTRATOR_SETTINGS, { ...SETTINGS, ...env }),
        logger,
        metrics: createMetrics('job-orchestrator'),
        noteWork: (name) => works.add(name),
        broker: own,
        database,
        stores: ownStores,
      });
      await untilReady(own);
      stops.unshift(() => service.stop(AbortSignal.timeout(30_000)));
      return service;
    },
    async startScraper(concurrency = 20) {
      const own = await connect('scraper');
      const scraper = await startScriptedScraper(own, concurrency);
      stops.unshift(() => scraper.stop());
      return scraper;
    },
    finisher(own = {}) {
      const kept = { retentionMs: 60_000, datasetQuotaBytes: 1024 ** 3 };
      const terms = { ...kept, recheckAfterMs: 10_000, recountAfterMs: 60_000 };
      const reviewer = new Reviewer({ stores, broker, logger, ...kept, evidenceMs: 60_000 });
      const finisher = new Finisher({ stores, broker, logger, reviewer, hint: () => {}, ...terms, ...own });
      stops.unshift(() => finisher.stop());
      return finisher;
    },
    async create({ urls, ...request }, more = {}) {
      const ids = { jobId: createId('job'), accountId, keyId: 'key_1' };
      const command = { type: 'create', ...ids, request: { urls, ...request }, ...more } as JobCommand;
      return (await broker.request('jobs.commands', command, { timeoutMs: 240_000 })).job;
    },
    async cancel(jobId) {
      const command = { type: 'cancel', jobId, accountId } as const;
      return (await broker.request('jobs.commands', command, { timeoutMs: 240_000 })).job;
    },
    async storeJob(pageCount, options = {}) {
      const id = createId('job');
      const draft = { id, accountId, keyId: null, name: 'Stored', totalUrls: pageCount };
      const optionsJson = JSON.stringify(options);
      await stores.jobs.insertDraft({ ...draft, optionsJson, createdAt: new Date() });
      const pages = urlsOf(pageCount).map((url, index) => ({ index, url, host: 'a.test' }));
      await stores.pages.insertPages(id, pages, new Date(Date.now() + 3_600_000));
      await stores.jobs.publishDrafts([id]);
      const event = { id: createId('evt'), type: 'job.started', at: new Date() } as const;
      await stores.jobs.transition(id, { from: ['pending'], to: 'running', set: {}, event });
      return id;
    },
    async addAccount() {
      const id = createId('acc');
      await stores.accounts.ensureAccount({ id, name: 'Another', balance: null });
      return id;
    },
    removeResults: async () => {
      await database.models.results.deleteMany({});
    },
    count: (collection) => database.models.jobs.db.collection(collection).countDocuments(),
    untilJob: (jobId, status, timeoutMs = 240_000) =>
      eventually(
        async () => {
          const job = await stores.jobs.findJob(accountId, jobId);
          if (job?.status !== status) throw new Error(`The job is ${job?.status}, not ${status}.`);
          return describeJob(job);
        },
        { timeoutMs },
      ),
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop();
      await Promise.all(brokers.map((each) => each.close(100)));
      await database.close();
      await Promise.all([amqp.close(), mongo.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes the check of every complete screenshot due now. */
export async function checkScreenshotsNow({ stores: { screenshots } }: TestBed): Promise<void> {
  for (const { id } of await screenshots.findUnchecked(new Date(Date.now() + 3_600_000), 100)) {
    if (await screenshots.findScreenshot(id)) await screenshots.checkLater(id, new Date(0));
  }
}

/** Returns so many URLs of a site. */
export function urlsOf(count: number, host = 'a.test'): string[] {
  return Array.from({ length: count }, (_, index) => `http://${host}/${index}`);
}

/** Returns the path of a command's page. */
export function pathOf({ request }: PageCommand): string {
  return new URL(request.url).pathname;
}
