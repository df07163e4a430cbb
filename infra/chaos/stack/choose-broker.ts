import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ProcessDefinition } from './restarted-process.ts';

/** Broker of a run: its own, which may be killed, or an external one. */
export const BROKER_KINDS = ['embedded', 'rabbitmq', 'url'] as const;
export type BrokerKind = (typeof BROKER_KINDS)[number];

/** Path of the server itself: Debian's wrapper in the PATH changes the user. */
const RABBITMQ_SERVERS = ['/usr/lib/rabbitmq/bin/rabbitmq-server', '/opt/homebrew/sbin/rabbitmq-server'];

/** Returns true when RabbitMQ is installed on this machine. */
export function findRabbitmq(): string | undefined {
  return RABBITMQ_SERVERS.find((path) => existsSync(path));
}

/** Starts the run's own broker. Throws when RabbitMQ is not installed. */
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
    throw new Error(
      'rabbitmq-server is not installed on this machine. Install it, or set AMQP_URL to a running one.',
    );
  const entry = resolve(import.meta.dirname, 'rabbitmq-process.ts');
  return { ...shared, entry, env: { ...settings, RABBITMQ_SERVER }, reach: 'group' };
}
