import { mkdirSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Broker } from './broker/broker.ts';
import { MemoryGauge } from './broker/memory-gauge.ts';
import { Connection } from './session/connection.ts';
import type { AmqpCredentials, AmqpLimits, AmqpLogger, ServerContext } from './session/server-context.ts';
import { LmdbStore } from './store/lmdb-store.ts';

/** How the server is to be run; only `dataDir` has no default. */
export interface AmqpServerOptions {
  /** A folder for the durable part, made if it is not there; one server at a time may use it. */
  readonly dataDir: string;
  /** Defaults to 127.0.0.1. */
  readonly host?: string;
  /** Defaults to 0, any free port. */
  readonly port?: number;
  /** Defaults to guest/guest. */
  readonly credentials?: AmqpCredentials;
  readonly limits?: Partial<AmqpLimits>;
  /** Defaults to silence. */
  readonly logger?: AmqpLogger;
}

/** A running server. */
export interface AmqpServer {
  /** With the credentials in it, ready for amqplib. */
  readonly url: string;
  /** Says goodbye to all clients, writes what is left, and closes the files. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: AmqpLimits = {
  maxMessageBytes: 16 * 1024 * 1024,
  maxFrameBytes: 131_072,
  maxChannels: 2_047,
  heartbeatSeconds: 60,
  handshakeTimeoutMs: 10_000,
  maxMemoryBytes: 1024 * 1024 * 1024,
  consumerTimeoutMs: 30 * 60_000,
};
/** Publishers wait when this much has been published and is not yet on the disk. */
const MAX_DISK_BACKLOG_BYTES = 64 * 1024 * 1024;
const SILENT: AmqpLogger = { info() {}, warn() {}, error() {} };

/**
 * Starts an AMQP 0-9-1 server that behaves like RabbitMQ 4 on one machine. Durable exchanges, queues,
 * bindings and messages are kept in `dataDir` and survive kill -9. Rejects when it cannot listen or write.
 */
export async function startAmqpServer(options: AmqpServerOptions): Promise<AmqpServer> {
  const { dataDir, host = '127.0.0.1', port = 0, logger = SILENT } = options;
  const credentials = options.credentials ?? { username: 'guest', password: 'guest' };
  const store = openStore(dataDir, logger);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const memory = new MemoryGauge(limits.maxMemoryBytes);
  const broker = new Broker({ store, memory, now: Date.now });
  const context: ServerContext = {
    broker,
    credentials,
    logger,
    limits,
    memory,
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
    await store.close();
  };
  try {
    await listen(server, host, port);
  } catch (error) {
    await closeBroker();
    throw error;
  }
  const { port: boundPort } = server.address() as AddressInfo;
  logger.info({ host, port: boundPort, dataDir }, 'AMQP server is listening');
  return {
    url: urlOf(credentials, host, boundPort),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.shutDown('shutdown');
      await closed;
      await closeBroker();
    },
  };
}

function openStore(dataDir: string, logger: AmqpLogger): LmdbStore {
  mkdirSync(dataDir, { recursive: true });
  return new LmdbStore({
    path: join(dataDir, 'amqp'),
    onWriteFailure: (error) =>
      logger.error({ err: error, dataDir }, 'AMQP messages could not be written to the disk'),
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
