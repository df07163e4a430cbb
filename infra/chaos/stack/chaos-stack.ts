import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import type { ReadyMessage } from '@gleaner/service-kit';
import { connectDatabase, createStores, generateKey, type Stores } from '@gleaner/storage';
import { freePort } from '@gleaner/test-kit';
import { compileModules } from '../../stack/processes/compile-modules.ts';
import { memorySettings } from '../../stack/processes/memory-settings.ts';
import { serviceDefinitions } from '../../stack/services.ts';
import { type BrokerKind, type DatabaseKind, startBackends } from './backends.ts';
import { type Addresses, type Backend, closeLinks, type Links, settingsOf, startLinks } from './links.ts';
import { RestartedProcess } from './restarted-process.ts';

/** A process of a service and its own proxies to the backends. */
export interface Replica {
  readonly service: string;
  readonly process: RestartedProcess;
  readonly links: Links;
  /** Only gateways answer there. */
  readonly url: string;
}

/** A whole Gleaner in processes that may be killed, each behind proxies that may fail. */
export interface ChaosStack {
  /** Address of a gateway; each that is ready has its turn. */
  readonly url: string;
  readonly apiKey: string;
  readonly replicas: readonly Replica[];
  /** External ones are absent. */
  readonly backends: Readonly<Partial<Record<Backend, RestartedProcess>>>;
  /** Set in the environment of every service process and of its child processes. */
  readonly mark: string;
  /** Folder of their browsers. */
  readonly browserFolder: string;
  /** Direct connections for the checker and the faults, without the proxies. */
  readonly stores: Stores;
  readonly broker: Broker;
  /** Starts one more replica of a service, of this version unless a folder is named. Throws when it does not start. */
  start(service: string, own?: ReplicaOptions): Promise<Replica>;
  /** Ends a replica for good. */
  end(replica: Replica): Promise<void>;
  /** Ends the services, calls `look` to inspect what is left, and ends the rest. */
  stop(look: () => Promise<void>): Promise<void>;
}

export interface ReplicaOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of the version that it runs. */
  readonly folder?: string;
}

export interface ChaosStackOptions {
  readonly dataDir: string;
  /** Private addresses that scrapes may reach, as `host:port`. */
  readonly egressAllow: readonly string[];
  readonly brokerKind: BrokerKind;
  readonly databaseKind: DatabaseKind;
  /** Number of replicas by service; two of each that shares its work by default. */
  readonly replicas?: Readonly<Record<string, number>>;
  /** Settings of every service. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Clock of the schedulers; by default that of the machine. */
  readonly clock?: { readonly env: Readonly<Record<string, string>>; now(): number };
  /** Folder of the version that it starts with; by default that of this version. */
  readonly folder?: string;
}

/** Credits of the default account at the start. */
export const CREDITS = 10_000_000;

const HOST = '127.0.0.1';
const REPLICAS = { scraper: 2, 'job-orchestrator': 2, scheduler: 2 };
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const MARK_NAME = 'GLEANER_CHAOS_RUN';

/** Shorter intervals than in production, so that a run takes minutes. */
export const SETTINGS = {
  RATE_LIMIT_CREATE: '1000000',
  RATE_LIMIT_READ: '1000000',
  RATE_LIMIT_SCRAPE: '1000000',
  MAX_PAGES_PER_HOST: '40',
  QUEUE_PATIENCE_MS: '3000',
  DISPATCH_LEASE_MS: '4000',
  RETRY_DELAY_MS: '200',
  PAGE_ATTEMPTS: '8',
  RECHECK_AFTER_MS: '3000',
  RECOUNT_AFTER_MS: '3000',
  RETRY_SCALE: '0.1',
  OVERDUE_AFTER_MS: '5000',
  RESULT_BATCH_MS: '1000',
};

/** Starts everything and gives the default account its credits. */
export async function startChaosStack(options: ChaosStackOptions): Promise<ChaosStack> {
  const { dataDir, egressAllow, clock, settings = SETTINGS } = options;
  const mark = `${process.pid}-${Date.now()}`;
  const browserFolder = join(dataDir, 'browsers');
  const { addresses, processes } = await startBackends(options);
  const direct = await connectDirectly(addresses);
  await compileModules(() => {});
  const shared = {
    ...{
      host: HOST,
      apiKey: generateKey(),
      secretsKey: generateKey(),
      egressAllow: egressAllow.join(','),
      logLevel: 'info',
    },
    ...{ amqpUrl: addresses.amqpUrl.href, mongodbUri: addresses.mongodbUrl.href },
    settings: {
      ...memorySettings(process.env.NODE_OPTIONS),
      ...settings,
      ...{ [MARK_NAME]: mark, BROWSER_DIR: browserFolder },
    },
  };
  const replicas: Replica[] = [];
  let started = 0;
  let turn = 0;

  async function start(service: string, { env = {}, folder }: ReplicaOptions = {}): Promise<Replica> {
    const port = await freePort();
    const definition = serviceDefinitions({ ...shared, port }).find(({ name }) => name === service);
    if (!definition) throw new Error(`There is no service ${service}.`);
    started += 1;
    const name = `${service}-${started}${folder === undefined ? '' : '-old'}`;
    const ownClock = service === 'scheduler' ? clock : undefined;
    const links = await startLinks(addresses, ownClock?.now);
    const child = new RestartedProcess({
      name,
      entry: folder === undefined ? definition.entry : join(folder, 'services', service, 'src/main.ts'),
      env: { ...definition.env, ...settingsOf(links, addresses), ...ownClock?.env, ...env },
      logFile: join(dataDir, `${name}.log`),
      reach: 'process',
    });
    const replica = { service, process: child, links, url: `http://${HOST}:${port}` };
    replicas.push(replica);
    const said = (await child.start()) as ReadyMessage | number | null;
    // A process that ends says nothing but its exit code.
    if (typeof said === 'number' || said === null)
      throw new Error(`${name} did not start. Its log is in ${dataDir}.`);
    return replica;
  }

  async function end(replica: Replica): Promise<void> {
    replicas.splice(replicas.indexOf(replica), 1);
    await replica.process.stop();
    await closeLinks(replica.links);
  }

  async function stop(look: () => Promise<void>): Promise<void> {
    await Promise.all([...replicas].map(end));
    try {
      await look();
    } finally {
      await direct.close({ drop: !processes.database });
      await Promise.all([processes.broker?.stop(), processes.database?.stop()]);
    }
  }

  const counts: Readonly<Record<string, number>> = options.replicas ?? REPLICAS;
  const { folder } = options;
  const starting = serviceDefinitions({ ...shared, port: 0 }).flatMap(({ name }) =>
    Array.from({ length: counts[name] ?? 1 }, () => start(name, folder === undefined ? {} : { folder })),
  );
  try {
    await Promise.all(starting);
  } catch (error) {
    await Promise.allSettled(starting);
    await stop(async () => {});
    throw error;
  }
  return {
    get url() {
      const gateways = replicas.filter(({ service }) => service === 'gateway');
      const ready = gateways.filter(({ process }) => process.isReady);
      // With none ready, clients learn that the service is away.
      const asked = ready.length > 0 ? ready : gateways;
      turn += 1;
      return asked[turn % asked.length]?.url ?? '';
    },
    ...{ apiKey: shared.apiKey, replicas, backends: processes, browserFolder },
    mark: `${MARK_NAME}=${mark}`,
    ...{ stores: direct.stores, broker: direct.broker, start, end, stop },
  };
}

/** Connects the checker to the backends, and gives the default account its credits. */
async function connectDirectly({ amqpUrl, mongodbUrl }: Addresses) {
  const database = await connectDatabase({ uri: mongodbUrl.href, logger: SILENT });
  await database.ensureIndexes();
  const stores = createStores(database);
  await stores.accounts.ensureAccount({ id: DEFAULT_ACCOUNT_ID, name: 'Chaos', balance: CREDITS });
  const broker = await connectBroker({ url: amqpUrl.href, name: 'chaos', logger: SILENT });
  const close = async ({ drop }: { readonly drop: boolean }) => {
    await broker.close(100);
    if (drop) await database.models.jobs.db.dropDatabase();
    await database.close();
  };
  return { stores, broker, close };
}
