import { StartupError } from '@gleaner/config';
import {
  type CheckedArchive,
  checkArchive,
  createArchive,
  createStores,
  type Database,
  restoreArchive,
} from '@gleaner/storage';
import { openDatabase } from '../keys/open-database.ts';
import { readRunFile } from '../stack/folder/run-file.ts';
import { readArchiveFile, writeArchive } from './archive-file.ts';
import { BACKUP_HELP, type BackupCommand } from './read-command.ts';

/** Place of the database. */
export interface DatabasePlace {
  readonly dataDir: string;
  readonly mongodbUri: string | undefined;
}

/** Carries out a command and returns what to print. */
export async function runCommand(command: BackupCommand, place: DatabasePlace): Promise<string> {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  switch (command.action) {
    case 'help':
      return BACKUP_HELP;
    case 'create': {
      const bytes = await withDatabase(place, (database) =>
        writeArchive(command.file, createArchive(database)),
      );
      const checked = await checkArchive(readArchiveFile(command.file));
      return `${command.file}: ${contentsOf(checked)}, ${(bytes / 1_000_000).toFixed(1)} MB, in ${seconds()} s`;
    }
    case 'verify':
      return `${command.file}: ${contentsOf(await checkArchive(readArchiveFile(command.file)))}. It is whole.`;
    case 'restore': {
      const archive = await checkArchive(readArchiveFile(command.file));
      await requireStopped(place);
      await withDatabase(place, async (database) => {
        await requireNoDispatcher(database);
        await restoreArchive(archive, () => readArchiveFile(command.file), database);
      });
      return `Restored ${contentsOf(archive)} of ${archive.header.createdAt} in ${seconds()} s. Jobs go on when Gleaner starts.`;
    }
  }
}

async function withDatabase<Result>(
  { dataDir, mongodbUri }: DatabasePlace,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const opened = await openDatabase(dataDir, mongodbUri);
  try {
    return await work(opened.database);
  } finally {
    await opened.close();
  }
}

function contentsOf({ collections }: CheckedArchive): string {
  const filled = Object.values(collections).filter(({ documents }) => documents > 0);
  const documents = filled.reduce((sum, collection) => sum + collection.documents, 0);
  return `${documents.toLocaleString('en')} documents in ${filled.length} collections`;
}

async function requireStopped({ dataDir, mongodbUri }: DatabasePlace): Promise<void> {
  if (mongodbUri !== undefined || !(await readRunFile(dataDir))) return;
  throw new StartupError(`Gleaner runs on the data folder ${dataDir}.`, {
    suggestion:
      'Stop it first, and restore into a new folder: GLEANER_DATA_DIR=… npm run backup -- restore <file>',
  });
}

async function requireNoDispatcher(database: Database): Promise<void> {
  const { leases } = createStores(database);
  const isFree = await leases.acquire({ role: 'dispatch', owner: 'restore', leaseMs: 0 });
  if (isFree) return leases.release('dispatch', 'restore');
  throw new StartupError('A job-orchestrator works on this database.', {
    suggestion: 'Stop every service first, and restore into a new database.',
  });
}
