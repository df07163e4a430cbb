import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import { connectDatabase, createStores, generateKey, type Stores } from '@gleaner/storage';
import { choosePort } from '../../stack/ports.ts';
import { serviceDefinitions } from '../../stack/services.ts';
import { type BrokerKind, brokerProcess } from './choose-broker.ts';
import { type DatabaseKind, databaseProcess, externalDatabase } from './choose-database.ts';
import { type Addresses, type Backend, closeLinks, type Links, settingsOf, startLinks } from './links.ts';
import { RestartedProcess } from './restarted-process.ts';

/** A process of a service and its own proxies to the backends. */
export interface Replica {
  readonly service: string;
  readonly process: RestartedProcess;
  readonly links: Links;
}

/** A whole Gleaner in processes that may be killed, each behind proxies that may fail. */
export interface ChaosStack {
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
  /** Ends the services, calls `look` to inspect what is left, and ends the rest. */
  stop(look: () => Promise<void>): Promise<void>;
}

export interface ChaosStackOptions {
  readonly dataDir: string;
  /** Private addresses that scrapes may reach, as `host:port`. */
  readonly egressAllow: readonly string[];
  readonly credits: number;
  readonly brokerKind: BrokerKind;
  readonly databaseKind: DatabaseKind;
}

const HOST = '127.0.0.1';
/** Replicas of each service; one of the others. */
const REPLICAS: Readonly<Record<string, number>> = { scraper: 2, 'job-orchestrator': 2, scheduler: 2 };
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const MARK_NAME = 'GLEANER_CHAOS_RUN';

/** Shorter intervals than in production, so that a run takes minutes. */
export const SETTINGS = {
  RATE_LIMIT_CREATE: '1000000',
  RATE_LIMIT_READ: '1000000',
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
  const mark = `${MARK_NAME}=${process.pid}-${Date.now()}`;
  const env = { [MARK_NAME]: mark.slice(MARK_NAME.length + 1) };
  const { addresses, processes } = await startBackends(options);
  const direct = await connectDirectly(addresses, options.credits);
  const apiKey = generateKey();
  const port = await freePort();
  const browserFolder = join(options.dataDir, 'browsers');
  const replicas = await startServices({ ...options, addresses, apiKey, port, env, browserFolder });
  return {
    url: `http://${HOST}:${port}`,
    apiKey,
    replicas,
    backends: processes,
    mark,
    browserFolder,
    stores: direct.stores,
    broker: direct.broker,
    async stop(look) {
      await Promise.all(replicas.map(({ process }) => process.stop()));
      try {
        await look();
      } finally {
        await direct.close({ drop: !processes.database });
        await Promise.all(replicas.map(({ links }) => closeLinks(links)));
        await Promise.all([processes.broker?.stop(), processes.database?.stop()]);
      }
    },
  };
}

/** Starts the broker and the database of a run, as far as they are its own. */
export async function startBackends({
  dataDir,
  brokerKind,
  databaseKind,
}: Pick<ChaosStackOptions, 'dataDir' | 'brokerKind' | 'databaseKind'>): Promise<{
  addresses: Addresses;
  processes: Partial<Record<Backend, RestartedProcess>>;
}> {
  const [amqpPort, mongodbPort] = [await freePort(), await freePort()];
  await mkdir(join(dataDir, 'broker'), { recursive: true });
  const database =
    databaseKind === 'url'
      ? undefined
      : new RestartedProcess(databaseProcess({ dataDir, port: mongodbPort }));
  const broker =
    brokerKind === 'url'
      ? undefined
      : new RestartedProcess(brokerProcess(brokerKind, { dataDir, port: amqpPort }));
  await Promise.all([database?.start(), broker?.start()]);
  const ownUrl = `amqp://guest:guest@${HOST}:${amqpPort}`;
  const addresses = {
    amqpUrl: new URL(brokerKind === 'url' ? (process.env.AMQP_URL ?? '') : ownUrl),
    mongodbUrl: database
      ? new URL(`mongodb://${HOST}:${mongodbPort}/gleaner`)
      : externalDatabase(process.env.MONGODB_URI ?? ''),
  };
  return { addresses, processes: { ...(broker && { broker }), ...(database && { database }) } };
}

interface ServicesToStart extends Pick<ChaosStackOptions, 'dataDir' | 'egressAllow'> {
  readonly addresses: Addresses;
  readonly apiKey: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly browserFolder: string;
}

async function startServices(options: ServicesToStart): Promise<Replica[]> {
  const { addresses, apiKey, port, egressAllow, dataDir, env, browserFolder } = options;
  const definitions = serviceDefinitions({
    host: HOST,
    port,
    apiKey,
    amqpUrl: addresses.amqpUrl.href,
    mongodbUri: addresses.mongodbUrl.href,
    egressAllow: egressAllow.join(','),
    logLevel: 'info',
    settings: { ...SETTINGS, ...env, BROWSER_DIR: browserFolder },
  });
  const replicas = definitions.flatMap(({ name, entry, env: settings }) =>
    Array.from({ length: REPLICAS[name] ?? 1 }, async (_, index): Promise<Replica> => {
      const links = await startLinks(addresses);
      const instance = `${name}-${index + 1}`;
      const definition = {
        name: instance,
        entry,
        env: { ...settings, ...settingsOf(links, addresses) },
        logFile: join(dataDir, `${instance}.log`),
        reach: 'process' as const,
      };
      return { service: name, process: new RestartedProcess(definition), links };
    }),
  );
  const started = await Promise.all(replicas);
  await Promise.all(started.map(({ process }) => process.start()));
  return started;
}

/** Connects the checker to the backends, and gives the default account its credits. */
export async function connectDirectly({ amqpUrl, mongodbUrl }: Addresses, credits: number) {
  const database = await connectDatabase({ uri: mongodbUrl.href, logger: SILENT });
  await database.ensureIndexes();
  const stores = createStores(database);
  await stores.accounts.ensureAccount({ id: DEFAULT_ACCOUNT_ID, name: 'Chaos', balance: credits });
  const broker = await connectBroker({ url: amqpUrl.href, name: 'chaos', logger: SILENT });
  const close = async ({ drop }: { readonly drop: boolean }) => {
    await broker.close(100);
    if (drop) await database.models.jobs.db.dropDatabase();
    await database.close();
  };
  return { stores, broker, close };
}

function freePort(): Promise<number> {
  return choosePort({ host: HOST, port: 0, askedBy: undefined });
}
