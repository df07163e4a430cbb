import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import { readConfig } from '@gleaner/config';
import {
  AppError,
  createId,
  defined,
  type JobEvent,
  type JobEventType,
  type JobState,
  LARGE_RESULT_LENGTH,
  type SinkOptions,
  type StoredWebhook,
  toFailure,
  type WebhookCommand,
  type WebhookReply,
} from '@gleaner/contracts';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';
import { createLogger, createMetrics } from '@gleaner/service-kit';
import {
  connectDatabase,
  createStores,
  pageIdOf,
  type StoredJob,
  type Stores,
  type ToldByRun,
} from '@gleaner/storage';
import { eventually, untilReady } from '@gleaner/test-kit';
import { NOTIFIER_SETTINGS } from '../src/config.ts';
import { startNotifier } from '../src/start-notifier.ts';

type Env = Readonly<Record<string, string>>;

/** A broker (embedded, or the one of AMQP_URL), a database, and notifiers in this process or in others. */
export interface TestBed extends AsyncDisposable {
  readonly stores: Stores;
  /** Settings of a process that uses the same backends. */
  readonly env: Env;
  /** Log lines of the notifiers in this process. */
  readonly logLines: string[];
  /** Starts a notifier in this process; its retry delays are a thousandth of the usual ones. */
  startNotifier(env?: Env): Promise<void>;
  /** Forks a notifier as the stack does; resolves when it is ready. */
  forkNotifier(env?: Env, clockAheadMs?: number): Promise<ChildProcess>;
  /** Stores a finished job, as the orchestrator leaves it. */
  seedJob(about: JobAbout): Promise<string>;
  /** Stores and queues one delivery for each URL. */
  queue(urls: readonly string[]): Promise<void>;
  /** Announces that a job changed its state. */
  announce(jobId: string, type?: JobEventType, id?: string, batch?: number): Promise<JobEvent>;
  command(command: WebhookCommand): Promise<WebhookReply>;
  /** Lets all messages that were sent count as sent long ago. */
  forgetSent(): Promise<void>;
}

export interface JobAbout {
  readonly webhook?: string | StoredWebhook;
  readonly accountId?: string;
  readonly scheduleId?: string;
  readonly status?: JobState;
  /** The data of each page, as JSON. */
  readonly data?: readonly string[];
  /** Member that the data are in; pages without data have `formats`. */
  readonly member?: 'data' | 'formats';
  /** Changes that it found; without them it was not compared. */
  readonly changes?: readonly object[];
  /** Change of the health of its schedule by the run. */
  readonly health?: object;
  /** Revisions that the job has added to its dataset `books`. */
  readonly datasetChange?: { readonly from: number; readonly to: number };
  /** Its sink, and the selectors of its pages. */
  readonly sink?: SinkOptions;
  readonly selectors?: object;
  /** Messages of the rules of its schedule. */
  readonly told?: ToldByRun;
  /** State of a crawl; other jobs have none. */
  readonly crawl?: NonNullable<StoredJob['crawl']>;
  /** Profile whose loss has ended it. */
  readonly profileId?: string;
  /** Indexes of the pages in each batch of results. */
  readonly batches?: readonly (readonly number[])[];
}

export const ACCOUNT = 'acc_test';
// No attempt is repeated because a busy machine answers it late.
const ENV: Env = { EGRESS_ALLOW: '127.0.0.1', RETRY_SCALE: '0.001', DELIVERY_TIMEOUT_MS: '60000' };
const RECONCILE_SOON: Env = { RECONCILE_INTERVAL_MS: '200', OVERDUE_AFTER_MS: '1000' };

/** Starts the backends; notifiers get these settings. Dispose the bed to stop everything. */
export async function startTestBed(common: Env = {}): Promise<TestBed> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-notifier-'));
  const [amqp, mongo] = await Promise.all([
    startBroker(join(dataDir, 'broker')),
    startMongoServer({ dataDir: join(dataDir, 'database') }),
  ]);
  const logLines: string[] = [];
  const stream = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'webhook-notifier', level: 'debug', format: 'json', stream });
  const database = await connectDatabase({ uri: mongo.uri, logger });
  await database.ensureIndexes();
  const stores = createStores(database);
  const broker = await connectBroker({ url: amqp.url, name: 'test', logger });
  const closers: (() => Promise<unknown>)[] = [];
  const children = new Set<ChildProcess>();

  const backends = { ...ENV, AMQP_URL: amqp.url, MONGODB_URI: mongo.uri, STARTUP_TIMEOUT_MS: '240000' };
  return {
    stores,
    env: backends,
    logLines,
    async startNotifier(env = {}) {
      const config = readConfig(NOTIFIER_SETTINGS, { ...ENV, ...RECONCILE_SOON, ...common, ...env });
      const own = await connectBroker({ url: amqp.url, name: 'notifier', logger });
      const metrics = createMetrics('webhook-notifier');
      const notifier = startNotifier({ config, logger, metrics, broker: own, database });
      closers.push(async () => {
        await notifier.stop(AbortSignal.timeout(30_000));
        await own.close(0);
      });
      await untilReady(own);
    },
    async forkNotifier(env = {}, clockAheadMs = 0) {
      const settings = {
        ...backends,
        ...RECONCILE_SOON,
        ...common,
        METRICS_PORT: '0',
        LOG_LEVEL: 'warn',
        ...env,
      };
      const child = fork(join(import.meta.dirname, '../src/main.ts'), [], {
        env: settings,
        execArgv: clockAheadMs === 0 ? [] : ['--import', shiftedClock(clockAheadMs)],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.add(child);
      child.once('exit', () => children.delete(child));
      await once(child, 'message');
      return child;
    },
    seedJob: (about) => seedJob(stores, about),
    queue: (urls) => queueDeliveries(urls, broker, stores),
    announce: (jobId, type, id, batch) => announce(broker, { jobId, type, id, batch }),
    command: (command) => broker.request('webhooks.commands', command, { timeoutMs: 240_000 }),
    async forgetSent() {
      await database.models.deliveries.updateMany({ sentKey: { $exists: true } }, { $unset: { sentKey: 1 } });
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(closers.map((close) => close()));
      await Promise.all([broker.close(0), database.close()]);
      await Promise.all([amqp.close(), mongo.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns a module that moves the clock of a process. */
function shiftedClock(byMs: number): string {
  const code = `
    const RightDate = Date;
    globalThis.Date = class Date extends RightDate {
      static now() { return RightDate.now() + ${byMs}; }
      constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given); }
    };`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

async function startBroker(dataDir: string) {
  const url = process.env.AMQP_URL;
  return url === undefined ? await startAmqpServer({ dataDir }) : { url, close: async () => {} };
}

async function queueDeliveries(
  urls: readonly string[],
  broker: Broker,
  { deliveries }: Stores,
): Promise<void> {
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + 3_600_000);
  const ids: string[] = [];
  // One after the other, and tried again: on a slow machine, the writes of notifiers can hold all connections for seconds.
  for (const url of urls) {
    const about = { accountId: ACCOUNT, eventId: createId('evt'), type: 'job.completed' as const };
    const delivery = { id: createId('del'), ...about, url, body: '{}', createdAt, expiresAt };
    ids.push((await eventually(() => deliveries.insertDelivery(delivery))).id);
  }
  const faults = await broker.publishWork(
    'webhooks.deliveries',
    ids.map((deliveryId) => ({ deliveryId, attempt: 1, deferrals: 0 })),
  );
  for (const fault of faults) if (fault) throw fault;
}

interface Announced {
  readonly jobId: string;
  readonly type: JobEventType | undefined;
  readonly id: string | undefined;
  readonly batch: number | undefined;
}

async function announce(
  broker: Broker,
  { jobId, type = 'job.completed', id = createId('evt'), batch }: Announced,
): Promise<JobEvent> {
  const about = { id, type, jobId, accountId: ACCOUNT, at: new Date().toISOString() };
  const event = { ...about, ...defined({ batch }) };
  const [fault] = await broker.publishEvents([event]);
  if (fault) throw fault;
  return event;
}

async function seedJob({ jobs, pages, results, changes }: Stores, about: JobAbout): Promise<string> {
  const { webhook, accountId = ACCOUNT, scheduleId, crawl, status = 'completed', member = 'data' } = about;
  const { data = ['{"title":"A page"}'], batches } = about;
  const id = createId('job');
  const at = new Date();
  const expiresAt = new Date(at.getTime() + 3_600_000);
  const webhookJson = webhook === undefined ? {} : { webhookJson: JSON.stringify(webhook) };
  const job = {
    id,
    accountId,
    keyId: null,
    name: 'A job',
    totalUrls: data.length,
    optionsJson: JSON.stringify({ profile: about.profileId, selectors: about.selectors }),
  };
  const optional = {
    ...webhookJson,
    ...(about.sink && { sinkJson: JSON.stringify(about.sink) }),
    ...(scheduleId && { scheduleId }),
    ...defined({ crawl }),
    ...(batches && { resultBatches: { count: 0, last: [] } }),
  };
  await jobs.insertDraft({ ...job, ...optional, createdAt: at });
  const urls = data.map((_, index) => ({ index, url: `https://example.com/${index}`, host: 'example.com' }));
  await pages.insertPagesOfJobs([{ jobId: id, pages: urls, isBatched: batches !== undefined }], expiresAt);
  await jobs.publishDrafts([id]);
  const tries = urls.map(({ index }) => ({ id: pageIdOf(id, index), attempt: 1 }));
  await pages.claim(
    tries.map((page) => page.id),
    expiresAt,
  );
  const json = (index: number) => `{"url":"https://example.com/${index}","${member}":${data[index]}}`;
  const rows = tries.map((page, index) => ({ ...page, json: json(index) }));
  const isLarge = (row: { readonly json: string }) => row.json.length > LARGE_RESULT_LENGTH;
  await results.insertResults(
    rows.filter((row) => !isLarge(row)),
    expiresAt,
  );
  for (const row of rows.filter(isLarge)) await results.insertResults([row], expiresAt);
  await pages.end(
    tries.map((page) => ({ ...page, state: 'succeeded' as const, price: { base: 1 } })),
    at,
  );
  for (const [index, indexes] of (batches ?? []).entries()) {
    await pages.markBatch(id, batches?.[index - 1] ?? [], index);
    const event = { id: createId('evt'), type: 'job.pages' as const, at, batch: index + 1 };
    await jobs.addBatch(id, { number: index + 1, indexes, event });
  }
  const found = about.changes?.map((change) => JSON.stringify(change));
  if (found) await changes.put(id, found, expiresAt);
  const comparison = found && {
    since: 'job_0',
    added: 0,
    removed: 0,
    changed: found.length,
    stored: found.length,
    omitted: 0,
    keysJson: '{}',
  };
  const set = {
    completedUrls: data.length,
    failedUrls: 0,
    creditsUsed: data.length,
    completedAt: at,
    verdicts: { content: data.length },
    ...defined({ comparison }),
    ...(about.datasetChange && {
      datasetJson: JSON.stringify({ name: 'books', id: 'dst_1' }),
      datasetChange: about.datasetChange,
    }),
    ...(about.health && { healthJson: JSON.stringify(about.health) }),
    ...defined({ told: about.told }),
  };
  if (about.profileId) await jobs.failRest(id, toFailure(new AppError('PROFILE_EXPIRED')));
  const event = { id: createId('evt'), type: 'job.completed' as const, at };
  await jobs.transition(id, { from: ['pending'], to: status, set, event });
  return id;
}
