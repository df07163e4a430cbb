import { join } from 'node:path';
import type { DataFolder } from '../folder/data-folder.ts';
import { choosePort } from '../ports.ts';
import { type Announce, SupervisedProcess } from '../processes/supervised-process.ts';

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

/** Starts the embedded servers unless external ones are given. Their ports stay the same when they are restarted. */
export async function startBackends(options: BackendOptions): Promise<Backends> {
  const { amqpUrl, mongodbUri, dataFolder, logs, announce } = options;
  if (amqpUrl && mongodbUri) return { amqpUrl, mongodbUri, process: undefined };
  const host = '127.0.0.1';
  const amqpPort = await choosePort({ host, port: 0, askedBy: undefined });
  const mongodbPort = await choosePort({ host, port: 0, askedBy: undefined });
  const data = await dataFolder.folder('data');
  const backends = new SupervisedProcess(
    {
      name: 'backends',
      entry: join(import.meta.dirname, 'backends-process.ts'),
      env: {
        BACKENDS_DATA_DIR: data,
        AMQP_PORT: String(amqpPort),
        MONGODB_PORT: String(mongodbPort),
      },
      logFile: join(logs, 'backends.log'),
      crashAdvice:
        `A crash like this can come from a damaged file: ${join(data, 'database/data.mdb')} or ` +
        `${join(data, 'broker/data.mdb')}. If it happens again, restore ${data} from a backup, ` +
        'or move it away to start with empty data.',
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
