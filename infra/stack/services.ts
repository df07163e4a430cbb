import { join, resolve } from 'node:path';
import { addressOf } from './ports.ts';
import { pageReaderSettings } from './processes/memory-settings.ts';
import type { ProcessDefinition } from './processes/supervised-process.ts';

/** A service of the stack: its program and its settings. */
export type ServiceDefinition = Omit<ProcessDefinition, 'logFile'>;

/** The settings of a stack, from which the settings of its services are derived. */
export interface ServiceContext {
  readonly host: string;
  readonly port: number;
  readonly apiKey: string;
  readonly secretsKey: string;
  readonly amqpUrl: string;
  readonly mongodbUri: string;
  /** Comma-separated, as EGRESS_ALLOW takes it. */
  readonly egressAllow: string;
  readonly logLevel: string;
  /** Further settings for every service, by their variables. */
  readonly settings: Readonly<Record<string, string>>;
}

type ServiceName = 'scraper' | 'job-orchestrator' | 'webhook-notifier' | 'scheduler' | 'gateway';

const LOOPBACK = '127.0.0.1';
const SERVICES_FOLDER = resolve(import.meta.dirname, '../../services');

/**
 * Returns the processes of a stack in the order in which they start; they stop in reverse order. What works in the
 * background shares one: each of these services in a process of its own would take some 45 MB more.
 */
export function processDefinitions(context: ServiceContext): ServiceDefinition[] {
  const { scraper, gateway, ...others } = serviceDefinitions(context);
  const shared = Object.values(others);
  const background = {
    name: 'background',
    entry: join(import.meta.dirname, 'processes/services-process.ts'),
    env: Object.assign({}, ...shared.map(({ env }) => env)),
    services: shared.map(({ name }) => name),
  };
  return [scraper, background, gateway];
}

/** Returns every service of Gleaner by name, each for a process of its own. */
export function serviceDefinitions(context: ServiceContext): Record<ServiceName, ServiceDefinition> {
  const { host, port, apiKey, settings, secretsKey: SECRETS_KEY } = context;
  const shared = {
    ...settings,
    AMQP_URL: context.amqpUrl,
    EGRESS_ALLOW: context.egressAllow,
    LOG_LEVEL: context.logLevel,
    // Each on a free port of loopback: the stack serves them all on its own address.
    METRICS_HOST: LOOPBACK,
    METRICS_PORT: '0',
  };
  const define = (name: ServiceName, own: Readonly<Record<string, string>>): ServiceDefinition => ({
    name,
    entry: join(SERVICES_FOLDER, name, 'src/main.ts'),
    env: { ...own, ...shared },
  });
  // Not for the scraper: what takes it over must not reach the data.
  const database = { MONGODB_URI: context.mongodbUri };
  return {
    scraper: define('scraper', { ...pageReaderSettings(process.env.NODE_OPTIONS), SECRETS_KEY }),
    'job-orchestrator': define('job-orchestrator', database),
    'webhook-notifier': define('webhook-notifier', {
      ...database,
      PUBLIC_URL: addressOf(host, port),
      SECRETS_KEY,
    }),
    scheduler: define('scheduler', database),
    gateway: define('gateway', {
      ...database,
      HOST: host,
      PORT: String(port),
      BOOTSTRAP_API_KEY: apiKey,
      SECRETS_KEY,
    }),
  };
}
