import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import { connectDatabase, createStores, generateKey, type Stores } from '@gleaner/storage';
import { compileModules } from '../../stack/processes/compile-modules.ts';
import { memorySettings } from '../../stack/processes/memory-settings.ts';
import { serviceDefinitions } from '../../stack/services.ts';
import { type BrokerKind, type DatabaseKind, startBackends } from './backends.ts';
import type { Addresses, Backend } from './links.ts';
import { type Clock, type Replica, type ReplicaOptions, Replicas } from './replicas.ts';
import type { RestartedProcess } from './restarted-process.ts';

/** A whole Gleaner in killable processes, each behind proxies with injected faults. */
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
  readonly clock?: Clock;
  /** Folder of the version to start with; default: this version. */
  readonly folder?: string;
}

/** Credits of the default account at the start. */
export const CREDITS = 10_000_000;

const HOST = '127.0.0.1';
const REPLICAS: Readonly<Record<string, number>> = { scraper: 2, 'job-orchestrator': 2, scheduler: 2 };
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
  const { dataDir, clock } = options;
  const mark = `${process.pid}-${Date.now()}`;
  const browserFolder = join(dataDir, 'browsers');
  const { addresses, processes } = await startBackends(options);
  const direct = await connectDirectly(addresses);
  await compileModules(() => {});
  const shared = sharedDefinition(options, addresses, { [MARK_NAME]: mark, BROWSER_DIR: browserFolder });
  const replicas = new Replicas({ addresses, shared, clock, dataDir });

  async function stop(look: () => Promise<void>): Promise<void> {
    await replicas.endAll();
    try {
      await look();
    } finally {
      await direct.close({ drop: !processes.database });
      await Promise.all([processes.broker?.stop(), processes.database?.stop()]);
    }
  }

  const starting = startServices(replicas, options, shared);
  try {
    await Promise.all(starting);
  } catch (error) {
    await Promise.allSettled(starting);
    await stop(async () => {});
    throw error;
  }
  return {
    get url() {
      return replicas.url;
    },
    apiKey: shared.apiKey,
    replicas: replicas.list,
    backends: processes,
    browserFolder,
    mark: `${MARK_NAME}=${mark}`,
    stores: direct.stores,
    broker: direct.broker,
    start: (service, own) => replicas.start(service, own),
    end: (replica) => replicas.end(replica),
    stop,
  };
}

/** Returns the definition that all services share, with settings of this run. */
function sharedDefinition(
  { egressAllow, settings = SETTINGS }: ChaosStackOptions,
  { amqpUrl, mongodbUrl }: Addresses,
  own: Readonly<Record<string, string>>,
) {
  return {
    host: HOST,
    apiKey: generateKey(),
    secretsKey: generateKey(),
    egressAllow: egressAllow.join(','),
    logLevel: 'info',
    amqpUrl: amqpUrl.href,
    mongodbUri: mongodbUrl.href,
    settings: { ...memorySettings(process.env.NODE_OPTIONS), ...settings, ...own },
  };
}

/** Starts the replicas of all services at once. */
function startServices(
  replicas: Replicas,
  { replicas: counts = REPLICAS, folder }: ChaosStackOptions,
  shared: ReturnType<typeof sharedDefinition>,
): Promise<Replica>[] {
  const own = folder === undefined ? {} : { folder };
  return Object.keys(serviceDefinitions({ ...shared, port: 0 })).flatMap((name) =>
    Array.from({ length: counts[name] ?? 1 }, () => replicas.start(name, own)),
  );
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
