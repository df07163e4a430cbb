import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import { connectDatabase, createStores, generateKey, type Stores } from '@gleaner/storage';
import { choosePort } from '../../stack/ports.ts';
import { serviceDefinitions } from '../../stack/services.ts';
import { RestartedProcess } from '../stack/restarted-process.ts';
import type { TestClock } from './test-clock.ts';

/** A whole Gleaner with two schedulers on a test clock and two notifiers, which may be killed. */
export interface ScheduleStack {
  readonly url: string;
  readonly apiKey: string;
  readonly schedulers: readonly RestartedProcess[];
  readonly notifiers: readonly RestartedProcess[];
  readonly stores: Stores;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const SILENT = { info() {}, warn() {} };

/** Leases of the scheduler follow its fast clock; retries of the notifier take a thousandth of the time. */
const SETTINGS = {
  RATE_LIMIT_CREATE: '1000000',
  RATE_LIMIT_READ: '1000000',
  MAX_PAGES_PER_HOST: '40',
  RUN_LEASE_MS: '60000',
  RETRY_SCALE: '0.001',
  DELIVERY_TIMEOUT_MS: '1000',
  RECONCILE_INTERVAL_MS: '500',
  OVERDUE_AFTER_MS: '2000',
};

/** Starts everything. */
export async function startScheduleStack(options: {
  readonly dataDir: string;
  readonly clock: TestClock;
  readonly egressAllow: string;
}): Promise<ScheduleStack> {
  const { dataDir, clock, egressAllow } = options;
  const free = () => choosePort({ host: HOST, port: 0, askedBy: undefined });
  const ports = { amqp: await free(), mongodb: await free(), gateway: await free() };
  await mkdir(join(dataDir, 'data'), { recursive: true });
  const backends = new RestartedProcess({
    name: 'backends',
    entry: resolve(import.meta.dirname, '../../stack/backends/backends-process.ts'),
    env: {
      BACKENDS_DATA_DIR: join(dataDir, 'data'),
      AMQP_PORT: String(ports.amqp),
      MONGODB_PORT: String(ports.mongodb),
    },
    logFile: join(dataDir, 'backends.log'),
    reach: 'process',
  });
  await backends.start();
  const mongodbUri = `mongodb://${HOST}:${ports.mongodb}/gleaner`;
  const database = await connectDatabase({ uri: mongodbUri, logger: SILENT });
  await database.ensureIndexes();
  const stores = createStores(database);
  await stores.accounts.ensureAccount({ id: DEFAULT_ACCOUNT_ID, name: 'Chaos', balance: null });

  const apiKey = generateKey();
  const amqpUrl = `amqp://guest:guest@${HOST}:${ports.amqp}`;
  const definitions = serviceDefinitions({
    ...{ host: HOST, port: ports.gateway, apiKey, amqpUrl, mongodbUri, egressAllow },
    ...{ logLevel: 'info', settings: SETTINGS },
  });
  function start(name: string, count: number, env: Readonly<Record<string, string>> = {}) {
    const definition = definitions.find((one) => one.name === name);
    if (!definition) throw new Error(`There is no service ${name}.`);
    return Array.from({ length: count }, (_, index) => {
      const instance = `${name}-${index + 1}`;
      const logFile = join(dataDir, `${instance}.log`);
      return new RestartedProcess({
        ...definition,
        name: instance,
        env: { ...definition.env, ...env },
        reach: 'process',
        logFile,
      });
    });
  }
  const hello = await startHelloProxy(ports.mongodb, clock);
  const schedulers = start('scheduler', 2, {
    ...clock.env,
    MONGODB_URI: `mongodb://${HOST}:${hello.port}/gleaner`,
  });
  const notifiers = start('webhook-notifier', 2);
  const others = ['scraper', 'job-orchestrator', 'gateway'].flatMap((name) => start(name, 1));
  const services = [...others, ...schedulers, ...notifiers];
  await Promise.all(services.map((service) => service.start()));
  return {
    url: `http://${HOST}:${ports.gateway}`,
    apiKey,
    schedulers,
    notifiers,
    stores,
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await hello.close();
      await database.close();
      await backends.stop();
    },
  };
}

/** Name and type of the server's time in its answer to `hello`; eight bytes of milliseconds follow. */
const LOCAL_TIME = Buffer.from('\x09localTime\0');

/** Starts a proxy of the database that tells the time of the test clock, which its clients go by. */
async function startHelloProxy(databasePort: number, clock: TestClock) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(databasePort, HOST);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        database.destroy();
        sockets.delete(socket);
      });
    }
    client.pipe(database);
    database.on('data', (answer) => {
      const at = answer.indexOf(LOCAL_TIME) + LOCAL_TIME.length;
      if (at >= LOCAL_TIME.length && at + 8 <= answer.length) answer.writeBigInt64LE(BigInt(clock.now()), at);
      client.write(answer);
    });
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
