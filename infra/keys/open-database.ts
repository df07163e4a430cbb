import { join } from 'node:path';
import { startMongoServer } from '@gleaner/embedded';
import { connectDatabase, createStores, type Stores } from '@gleaner/storage';
import { openDataFolder } from '../stack/data-folder.ts';
import { readRunFile } from '../stack/run-file.ts';

/** The stores of the database that this machine's Gleaner uses. */
export interface OpenDatabase {
  readonly stores: Stores;
  close(): Promise<void>;
}

const SILENT = { info() {}, warn() {} };

/**
 * Opens the database that MONGODB_URI names, else that of the stack which runs on the data folder, else the
 * embedded one in the data folder itself.
 */
export async function openDatabase(dataDir: string, mongodbUri: string | undefined): Promise<OpenDatabase> {
  const running = mongodbUri ?? (await readRunFile(dataDir))?.mongodbUri;
  if (running) return connect(running, async () => {});
  const dataFolder = await openDataFolder(dataDir);
  const server = await startMongoServer({ dataDir: join(await dataFolder.folder('data'), 'database') });
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
