import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ProcessDefinition } from './restarted-process.ts';

/** Which broker a run uses: one of its own, that may be killed, or one that is there already. */
export const BROKER_KINDS = ['embedded', 'rabbitmq', 'url'] as const;
export type BrokerKind = (typeof BROKER_KINDS)[number];

/** Past Debian's wrapper in the PATH, which changes the user. */
const RABBITMQ_SERVERS = ['/usr/lib/rabbitmq/bin/rabbitmq-server', '/opt/homebrew/sbin/rabbitmq-server'];

/** Whether this machine can start a RabbitMQ of its own. */
export function findRabbitmq(): string | undefined {
  return RABBITMQ_SERVERS.find((path) => existsSync(path));
}

/** The process of the run's own broker. Throws where there is no RabbitMQ to start. */
export function brokerProcess(
  kind: Exclude<BrokerKind, 'url'>,
  { dataDir, port }: { readonly dataDir: string; readonly port: number },
): ProcessDefinition {
  const shared = { name: 'broker', logFile: join(dataDir, 'broker.log') };
  const settings = { BACKEND_DATA_DIR: join(dataDir, 'broker'), BACKEND_PORT: String(port) };
  if (kind === 'embedded') {
    const entry = resolve(import.meta.dirname, 'backend-process.ts');
    return { ...shared, entry, env: { ...settings, BACKEND: 'broker' }, reach: 'process' };
  }
  const RABBITMQ_SERVER = findRabbitmq();
  if (!RABBITMQ_SERVER)
    throw new Error('There is no rabbitmq-server on this machine; AMQP_URL can name one.');
  const entry = resolve(import.meta.dirname, 'rabbitmq-process.ts');
  return { ...shared, entry, env: { ...settings, RABBITMQ_SERVER }, reach: 'group' };
}
