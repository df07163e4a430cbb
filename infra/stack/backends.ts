import { join } from 'node:path';
import { choosePort } from './choose-port.ts';
import type { DataFolder } from './data-folder.ts';
import { type Announce, SupervisedProcess } from './supervised-process.ts';

/** Where the services find the broker and the database. */
export interface Backends {
  readonly amqpUrl: string;
  readonly mongodbUri: string;
  /** The embedded servers' process; undefined when both are real ones. */
  readonly process: SupervisedProcess | undefined;
}

export interface BackendOptions {
  /** A real broker; undefined for the embedded one. */
  readonly amqpUrl?: string | undefined;
  /** A real database; undefined for the embedded one. */
  readonly mongodbUri?: string | undefined;
  readonly dataFolder: DataFolder;
  readonly logs: string;
  readonly announce: Announce;
}

/** The embedded servers where no real ones are named, on ports that stay the same when they are restarted. */
export async function startBackends(options: BackendOptions): Promise<Backends> {
  const { amqpUrl, mongodbUri, dataFolder, logs, announce } = options;
  if (amqpUrl && mongodbUri) return { amqpUrl, mongodbUri, process: undefined };
  const host = '127.0.0.1';
  const amqpPort = await choosePort({ host, port: 0, askedBy: undefined });
  const mongodbPort = await choosePort({ host, port: 0, askedBy: undefined });
  const backends = new SupervisedProcess(
    {
      name: 'backends',
      entry: join(import.meta.dirname, 'backends-process.ts'),
      env: {
        BACKENDS_DATA_DIR: await dataFolder.folder('data'),
        AMQP_PORT: String(amqpPort),
        MONGODB_PORT: String(mongodbPort),
      },
      logFile: join(logs, 'backends.log'),
    },
    announce,
  );
  await backends.start();
  return {
    amqpUrl: amqpUrl ?? `amqp://guest:guest@${host}:${amqpPort}`,
    mongodbUri: mongodbUri ?? `mongodb://${host}:${mongodbPort}`,
    process: backends,
  };
}
