import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongoServer } from '@gleaner/embedded';
import mongoose from 'mongoose';
import { connectDatabase, type Database } from '../src/index.ts';

/** Server to test on. */
export interface Backend {
  readonly name: string;
  start(): Promise<RunningBackend>;
}

/** Database of one test; each `connect` acts as another replica of a service. */
export interface RunningBackend {
  readonly uri: string;
  connect(): Promise<Database>;
  /** Connects as well, and records the commands that are sent over this connection. */
  connectWatched(): Promise<WatchedDatabase>;
  stop(): Promise<void>;
}

/** A database, and the commands that were sent to it since it was connected. */
export interface WatchedDatabase {
  readonly database: Database;
  readonly commands: readonly mongoose.mongo.CommandStartedEvent[];
}

/** The embedded server, and a real one if MONGODB_URI names it. */
export const BACKENDS: readonly Backend[] = [
  { name: 'the embedded server', start: startEmbedded },
  ...(process.env.MONGODB_URI ? [realBackend(process.env.MONGODB_URI)] : []),
];

/** Discards log lines. */
export const SILENT_LOGGER = { info() {}, warn() {} };

async function startEmbedded(): Promise<RunningBackend> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-storage-'));
  const server = await startMongoServer({ dataDir });
  return running(server.uri, async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  });
}

function realBackend(serverUri: string): Backend {
  return {
    name: 'MONGODB_URI',
    async start() {
      const uri = new URL(serverUri);
      uri.pathname = `/gleaner_test_${randomBytes(6).toString('hex')}`;
      return running(uri.href, async () => {
        const connection = await mongoose.createConnection(uri.href).asPromise();
        await connection.dropDatabase();
        await connection.destroy();
      });
    },
  };
}

function running(uri: string, stop: () => Promise<void>): RunningBackend {
  const databases: Database[] = [];
  const connect = async (address: string) => {
    const database = await connectDatabase({ uri: address, logger: SILENT_LOGGER });
    databases.push(database);
    await database.ensureIndexes();
    return database;
  };
  return {
    uri,
    connect: () => connect(uri),
    async connectWatched() {
      const watched = new URL(uri);
      watched.searchParams.set('monitorCommands', 'true');
      const database = await connect(watched.href);
      const commands: mongoose.mongo.CommandStartedEvent[] = [];
      database.models.jobs.db.getClient().on('commandStarted', (event) => void commands.push(event));
      return { database, commands };
    },
    async stop() {
      await Promise.all(databases.map((database) => database.close()));
      await stop();
    },
  };
}
