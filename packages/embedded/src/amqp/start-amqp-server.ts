import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { isDiskFull } from '../disk-full.ts';
import { namingDamage } from '../lmdb-file.ts';
import { type FolderLock, lockFolder } from '../lock-folder.ts';
import { Broker } from './broker/broker.ts';
import type { AmqpCredentials, AmqpLimits, AmqpLogger, ServerContext } from './channels/server-context.ts';
import { Connection } from './connections/connection.ts';
import { MemoryGauge } from './messages/memory-gauge.ts';
import { DiskAlarm } from './store/disk-alarm.ts';
import { LmdbStore } from './store/lmdb-store.ts';

/** Options of the server; only `dataDir` has no default. */
export interface AmqpServerOptions {
  /** A folder for durable data, created when missing; one server at a time may use it. */
  readonly dataDir: string;
  /** Defaults to 127.0.0.1. */
  readonly host?: string;
  /** Defaults to 0, any free port. */
  readonly port?: number;
  /** Defaults to guest/guest. */
  readonly credentials?: AmqpCredentials;
  readonly limits?: Partial<AmqpLimits>;
  /** No log by default. */
  readonly logger?: AmqpLogger;
}

/** A running server. */
export interface AmqpServer {
  /** URL with the credentials, as amqplib expects it. */
  readonly url: string;
  /** Closes all connections, writes pending data, and closes the files. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: AmqpLimits = {
  maxMessageBytes: 16 * 1024 * 1024,
  maxFrameBytes: 131_072,
  maxChannels: 2_047,
  heartbeatSeconds: 60,
  handshakeTimeoutMs: 10_000,
  maxMemoryBytes: 1024 * 1024 * 1024,
};
/** Bytes waiting for the disk above which publishers wait. */
const MAX_DISK_BACKLOG_BYTES = 64 * 1024 * 1024;
const SILENT: AmqpLogger = { info() {}, warn() {}, error() {} };

/**
 * Starts an AMQP 0-9-1 server that behaves like RabbitMQ 4 on one machine. Durable exchanges, queues,
 * bindings and messages are kept in `dataDir` and survive kill -9. Rejects when it cannot listen or write.
 */
export async function startAmqpServer(options: AmqpServerOptions): Promise<AmqpServer> {
  const lock = lockFolder(options.dataDir);
  try {
    return await startServer(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startServer(options: AmqpServerOptions, lock: FolderLock): Promise<AmqpServer> {
  const { dataDir, host = '127.0.0.1', port = 0, logger = SILENT } = options;
  const credentials = options.credentials ?? { username: 'guest', password: 'guest' };
  const diskAlarm = new DiskAlarm();
  const store = openStore(dataDir, diskAlarm, logger);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const memory = new MemoryGauge(limits.maxMemoryBytes);
  const broker = namingDamage(store.dataFile, () => new Broker({ store, memory, now: Date.now }));
  const context: ServerContext = {
    broker,
    credentials,
    logger,
    limits,
    memory,
    diskAlarm,
    now: Date.now,
    afterFlush: (listener) => store.afterFlush(listener),
    isDiskBehind: () => store.backlogBytes > MAX_DISK_BACKLOG_BYTES,
  };
  const connections = new Set<Connection>();
  const server = createServer((socket) => {
    connections.add(new Connection(socket, context, (connection) => connections.delete(connection)));
  });
  const closeBroker = async () => {
    broker.close();
    const unwrittenCount = await store.close();
    if (unwrittenCount > 0) {
      logger.error(
        { dataDir, unwrittenCount },
        'Closed the AMQP store without its last writes: the disk does not take them.',
      );
    }
  };
  try {
    await listen(server, host, port);
  } catch (error) {
    await closeBroker();
    throw error;
  }
  const { port: boundPort } = server.address() as AddressInfo;
  logger.info({ host, port: boundPort, dataDir }, 'The AMQP server is listening.');
  return {
    url: urlOf(credentials, host, boundPort),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.shutDown('shutdown');
      await closed;
      await closeBroker();
      lock.release();
    },
  };
}

function openStore(dataDir: string, diskAlarm: DiskAlarm, logger: AmqpLogger): LmdbStore {
  return new LmdbStore({
    path: join(dataDir, 'amqp'),
    onWriteFailure: (error) => {
      diskAlarm.raise();
      const reason = isDiskFull(error, dataDir)
        ? 'the disk is full. Free some space'
        : 'a write failed. Check the disk';
      logger.error(
        { err: error, dataDir },
        `Publishers are blocked: ${reason}; messages are accepted again when a write succeeds.`,
      );
    },
    onWriteRecovery: () => {
      diskAlarm.clear();
      logger.info({ dataDir }, 'Messages can be written to disk again; publishers are no longer blocked.');
    },
  });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf({ username, password }: AmqpCredentials, host: string, port: number): string {
  const authority = host.includes(':') ? `[${host}]` : host;
  return `amqp://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${authority}:${port}`;
}
