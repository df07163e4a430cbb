import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from '@gleaner/test-kit';
import type { Addresses, Backend } from './links.ts';
import { RestartedProcess } from './restarted-process.ts';

/** Broker of a run: its own, which may be killed, or an external one. */
export const BROKER_KINDS = ['embedded', 'rabbitmq', 'url'] as const;
export type BrokerKind = (typeof BROKER_KINDS)[number];

/** Database of a run: its own, which may be killed, or an external one. */
export const DATABASE_KINDS = ['embedded', 'url'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** Servers of a run; processes of external ones are absent. */
export interface RunningBackends {
  readonly addresses: Addresses;
  readonly processes: Readonly<Partial<Record<Backend, RestartedProcess>>>;
}

/** Path of the server itself: Debian's wrapper in the PATH changes the user. */
const RABBITMQ_SERVERS = ['/usr/lib/rabbitmq/bin/rabbitmq-server', '/opt/homebrew/sbin/rabbitmq-server'];

/** Starts the broker and the database of a run, as far as they are its own. Throws when RabbitMQ is not installed. */
export async function startBackends(options: {
  readonly dataDir: string;
  readonly brokerKind: BrokerKind;
  readonly databaseKind: DatabaseKind;
}): Promise<RunningBackends> {
  const { dataDir, brokerKind, databaseKind } = options;
  const { AMQP_URL = '', MONGODB_URI = '' } = process.env;
  const [amqpPort, mongodbPort] = [await freePort(), await freePort()];
  await mkdir(join(dataDir, 'broker'), { recursive: true });
  const processes: Partial<Record<Backend, RestartedProcess>> = {};
  if (databaseKind === 'embedded') processes.database = defineServer('database', dataDir, mongodbPort);
  if (brokerKind !== 'url') processes.broker = defineServer('broker', dataDir, amqpPort, brokerKind);
  await Promise.all(Object.values(processes).map((server) => server.start()));
  return {
    addresses: {
      amqpUrl: new URL(brokerKind === 'url' ? AMQP_URL : `amqp://guest:guest@127.0.0.1:${amqpPort}`),
      mongodbUrl: processes.database
        ? new URL(`mongodb://127.0.0.1:${mongodbPort}/gleaner`)
        : externalDatabase(MONGODB_URI),
    },
    processes,
  };
}

function defineServer(
  name: Backend,
  dataDir: string,
  port: number,
  kind: 'embedded' | 'rabbitmq' = 'embedded',
): RestartedProcess {
  const RABBITMQ_SERVER = RABBITMQ_SERVERS.find((path) => existsSync(path));
  if (kind === 'rabbitmq' && !RABBITMQ_SERVER)
    throw new Error(
      'rabbitmq-server is not installed on this machine. Install it, or set AMQP_URL to a running one.',
    );
  return new RestartedProcess({
    name,
    entry: resolve(import.meta.dirname, kind === 'embedded' ? 'backend-process.ts' : 'rabbitmq-process.ts'),
    env: {
      BACKEND: name,
      BACKEND_DATA_DIR: join(dataDir, name),
      BACKEND_PORT: String(port),
      ...(RABBITMQ_SERVER && { RABBITMQ_SERVER }),
    },
    logFile: join(dataDir, `${name}.log`),
    reach: kind === 'embedded' ? 'process' : 'group',
  });
}

/** Returns the address of a new database on an external server; its clients stay at the address that they are given. */
function externalDatabase(serverUri: string): URL {
  const url = new URL(serverUri);
  url.pathname = `/gleaner_chaos_${randomBytes(6).toString('hex')}`;
  // A member of a replica set would send its clients past the proxies.
  url.searchParams.set('directConnection', 'true');
  url.searchParams.delete('replicaSet');
  return url;
}
