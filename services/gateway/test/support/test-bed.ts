import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, connectBroker } from '@gleaner/broker';
import { readConfig } from '@gleaner/config';
import { createId, SCOPES, type Scope } from '@gleaner/contracts';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';
import { createLogger, createMetrics, type Metrics } from '@gleaner/service-kit';
import { connectDatabase, createStores, type Database, type Stores } from '@gleaner/storage';
import { GATEWAY_SETTINGS } from '../../src/config.ts';
import { type Gateway, startGateway } from '../../src/start-gateway.ts';

/** Embedded broker and database of one test file, and gateways on them. */
export interface TestBed extends AsyncDisposable {
  readonly broker: Broker;
  /** The database of the gateways; its client tells of the commands that it sends. */
  readonly database: Database;
  readonly stores: Stores;
  /** Settings of a process that uses the same backends. */
  readonly env: Readonly<Record<'AMQP_URL' | 'MONGODB_URI', string>>;
  /** Log lines of all gateways, one JSON object each. */
  readonly logLines: string[];
  /** Starts a gateway as `main.ts` does, on a free port; it is stopped with the test bed. */
  startGateway(env?: Readonly<Record<string, string>>): Promise<TestGateway>;
  /** Opens another connection to the broker, for a worker that is to die alone. */
  connectBroker(): Promise<Broker>;
  /** Stops the broker's server. */
  stopBroker(): Promise<void>;
  /** Stops the database's server. */
  stopDatabase(): Promise<void>;
  /** Creates an account with one key; a balance of null is unlimited. */
  createKey(options?: KeyOptions): Promise<TestKey>;
}

export interface TestGateway extends Gateway {
  readonly url: string;
  readonly metrics: Metrics;
  /** Texts that it showed to the operator. */
  readonly shown: string[];
}

export interface KeyOptions {
  readonly accountId?: string;
  readonly balance?: number | null;
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: Date;
}

export interface TestKey {
  readonly key: string;
  readonly keyId: string;
  readonly accountId: string;
}

/** Starts the backends; disposing stops everything. */
export async function startTestBed(): Promise<TestBed> {
  const backends = await startBackends();
  const logLines: string[] = [];
  const stream = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'gateway', level: 'debug', format: 'json', stream });
  const connect = () => connectBroker({ url: backends.amqpUrl, name: 'gateway-test', logger });
  const [broker, database] = await Promise.all([
    connect(),
    connectDatabase({ uri: monitored(backends.mongodbUri), logger }),
  ]);
  await database.ensureIndexes();
  const stores = createStores(database);
  const gateways: Gateway[] = [];
  const brokers: Broker[] = [broker];
  return {
    broker,
    database,
    stores,
    env: { AMQP_URL: backends.amqpUrl, MONGODB_URI: backends.mongodbUri },
    logLines,
    async startGateway(env = {}) {
      const shown: string[] = [];
      const metrics = createMetrics('gateway');
      const config = readConfig(GATEWAY_SETTINGS, { PORT: '0', ...env });
      const show = (text: string) => void shown.push(text);
      const gateway = await startGateway({ config, logger, metrics, broker, database, show });
      gateways.push(gateway);
      return { ...gateway, url: `http://127.0.0.1:${gateway.port}`, metrics, shown };
    },
    async connectBroker() {
      const another = await connect();
      brokers.push(another);
      return another;
    },
    stopBroker: backends.stopBroker,
    stopDatabase: backends.stopDatabase,
    createKey: (options) => createKey(stores, options),
    async [Symbol.asyncDispose]() {
      await Promise.all(gateways.map((gateway) => gateway.stop(AbortSignal.timeout(30_000))));
      await Promise.all([...brokers.map((each) => each.close(100)), database.close()]);
      await backends.stop();
    },
  };
}

function monitored(mongodbUri: string): string {
  const uri = new URL(mongodbUri);
  uri.searchParams.set('monitorCommands', 'true');
  return uri.href;
}

async function startBackends() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-gateway-'));
  const [amqp, mongo] = await Promise.all([
    startAmqpServer({ dataDir: join(dataDir, 'broker') }),
    startMongoServer({ dataDir: join(dataDir, 'database') }),
  ]);
  return {
    amqpUrl: amqp.url,
    mongodbUri: mongo.uri,
    stopBroker: () => amqp.close(),
    stopDatabase: () => mongo.close(),
    async stop() {
      await Promise.all([amqp.close(), mongo.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function createKey({ accounts, keys }: Stores, options: KeyOptions = {}): Promise<TestKey> {
  const { accountId = createId('acc'), balance = null, scopes = SCOPES, expiresAt } = options;
  await accounts.ensureAccount({ id: accountId, name: 'Test account', balance });
  const { key, id: keyId } = await keys.createKey({ accountId, scopes, expiresAt });
  return { key, keyId, accountId };
}
