import { join } from 'node:path';
import { connectDatabase, createStores, type Database, type Stores } from '@gleaner/storage';
import { chooseSocketPath } from '../stack/backends/backends.ts';
import { openDataFolder } from '../stack/folder/data-folder.ts';
import { readRunFile } from '../stack/folder/run-file.ts';

/** An open connection to the database of this machine's Gleaner. */
export interface OpenDatabase {
  readonly database: Database;
  readonly stores: Stores;
  close(): Promise<void>;
}

const SILENT = { info() {}, warn() {} };

/**
 * Opens the database at MONGODB_URI, else the one of the stack running on the data folder, else the embedded
 * one in the data folder itself.
 */
export async function openDatabase(dataDir: string, mongodbUri: string | undefined): Promise<OpenDatabase> {
  const running = mongodbUri ?? (await readRunFile(dataDir))?.mongodbUri;
  if (running) return connect(running, async () => {});
  const dataFolder = await openDataFolder(dataDir);
  // Loaded only where it is used: it takes memory that a backup of a real database does without.
  const { startMongoServer } = await import('@gleaner/embedded');
  const server = await startMongoServer({
    dataDir: join(await dataFolder.folder('data'), 'database'),
    socketPath: await chooseSocketPath(dataFolder),
  });
  return connect(server.uri, async () => {
    await server.close();
    await dataFolder.release();
  });
}

async function connect(uri: string, closeServer: () => Promise<void>): Promise<OpenDatabase> {
  try {
    const database = await connectDatabase({
      uri,
      logger: SILENT,
      appName: 'gleaner-keys',
      connectTimeoutMs: 5000,
    });
    await database.ensureIndexes();
    return {
      database,
      stores: createStores(database),
      async close() {
        await database.close();
        await closeServer();
      },
    };
  } catch (error) {
    await closeServer();
    throw error;
  }
}
