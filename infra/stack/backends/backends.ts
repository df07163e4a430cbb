import { hash, randomBytes } from 'node:crypto';
import { lstat, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataFolder } from '../folder/data-folder.ts';
import { choosePort } from '../ports.ts';
import type { Announce } from '../processes/log-file.ts';
import { SupervisedProcess } from '../processes/supervised-process.ts';

/** Addresses of the broker and the database. */
export interface Backends {
  readonly amqpUrl: string;
  readonly mongodbUri: string;
  /** The process of the embedded servers; undefined when both servers are external. */
  readonly process: SupervisedProcess | undefined;
}

export interface BackendOptions {
  /** Address of RabbitMQ; undefined for the embedded broker. */
  readonly amqpUrl?: string | undefined;
  /** Address of MongoDB; undefined for the embedded database. */
  readonly mongodbUri?: string | undefined;
  readonly dataFolder: DataFolder;
  readonly logs: string;
  readonly announce: Announce;
}

/** Bytes that the path of a Unix socket may have on every platform; Linux takes 107 and macOS 103. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Starts the embedded servers unless external ones are given. No other user of the machine can use them: the broker asks
 * for a password that is new at each start, and the socket of the database is in a folder that only this user can open.
 * Their addresses stay the same when they are restarted.
 */
export async function startBackends(options: BackendOptions): Promise<Backends> {
  const { amqpUrl, mongodbUri, dataFolder, logs, announce } = options;
  if (amqpUrl && mongodbUri) return { amqpUrl, mongodbUri, process: undefined };
  const host = '127.0.0.1';
  const amqpPort = await choosePort({ host, port: 0, askedBy: undefined });
  const amqpPassword = randomBytes(24).toString('hex');
  const socketPath = await chooseSocketPath(dataFolder);
  const data = await dataFolder.folder('data');
  const backends = new SupervisedProcess(
    {
      name: 'backends',
      entry: join(import.meta.dirname, 'backends-process.ts'),
      env: {
        BACKENDS_DATA_DIR: data,
        AMQP_PORT: String(amqpPort),
        AMQP_PASSWORD: amqpPassword,
        MONGODB_SOCKET: socketPath,
      },
      logFile: join(logs, 'backends.log'),
      crashAdvice:
        `A crash like this can come from a damaged file: ${join(data, 'database/data.mdb')} or ` +
        `${join(data, 'broker/amqp/data.mdb')}. If it happens again, restore ${data} from a backup, ` +
        'or move it away to start with empty data.',
    },
    announce,
  );
  await backends.start();
  return {
    amqpUrl: amqpUrl ?? `amqp://guest:${amqpPassword}@${host}:${amqpPort}`,
    mongodbUri: mongodbUri ?? `mongodb://${encodeURIComponent(socketPath)}`,
    process: backends,
  };
}

/** Returns a path for the socket of the database: in the data folder, or in a temporary one where that path is too long. */
export async function chooseSocketPath(dataFolder: DataFolder): Promise<string> {
  const inDataFolder = join(await dataFolder.folder('data'), 'mongodb.sock');
  if (Buffer.byteLength(inDataFolder) <= MAX_SOCKET_PATH_BYTES) return inDataFolder;
  return join(await temporaryFolderOf(dataFolder), 'mongodb.sock');
}

/** Returns the same temporary folder at each start, so that none is left by processes that were killed. */
async function temporaryFolderOf({ path }: DataFolder): Promise<string> {
  const folder = join(tmpdir(), `gleaner-${hash('sha256', path).slice(0, 12)}`);
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  const found = await lstat(folder);
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  return isOurs ? folder : await mkdtemp(join(tmpdir(), 'gleaner-'));
}
