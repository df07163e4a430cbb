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

type ServiceName = 'gateway' | 'scraper' | 'job-orchestrator' | 'scheduler' | 'webhook-notifier';

const LOOPBACK = '127.0.0.1';
const SERVICES_FOLDER = resolve(import.meta.dirname, '../../services');

/** The services that share a process of a stack: each in one of its own would take some 45 MB more. */
const BACKGROUND_SERVICES: readonly string[] = ['job-orchestrator', 'webhook-notifier', 'scheduler'];

/** Returns the processes of a stack in the order in which they start; they stop in reverse order. */
export function processDefinitions(context: ServiceContext): ServiceDefinition[] {
  const { true: shared = [], false: others = [] } = Object.groupBy(serviceDefinitions(context), ({ name }) =>
    String(BACKGROUND_SERVICES.includes(name)),
  );
  const background = {
    name: 'background',
    entry: join(import.meta.dirname, 'processes/services-process.ts'),
    env: Object.assign({}, ...shared.map(({ env }) => env)),
    services: shared.map(({ name }) => name),
  };
  return others.toSpliced(1, 0, background);
}

/** Returns every service of Gleaner, each for a process of its own. */
export function serviceDefinitions(context: ServiceContext): ServiceDefinition[] {
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
  return [
    define('scraper', { ...pageReaderSettings(process.env.NODE_OPTIONS), SECRETS_KEY }),
    define('job-orchestrator', database),
    define('webhook-notifier', { ...database, PUBLIC_URL: addressOf(host, port), SECRETS_KEY }),
    define('scheduler', database),
    define('gateway', {
      ...database,
      HOST: host,
      PORT: String(port),
      BOOTSTRAP_API_KEY: apiKey,
      SECRETS_KEY,
    }),
  ];
}
