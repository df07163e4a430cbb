import { join, resolve } from 'node:path';
import { addressOf } from './address-of.ts';
import { pageReaderSettings } from './memory-settings.ts';

/** One service of the stack: its folder, and the settings that are its own. */
export interface ServiceDefinition {
  readonly name: string;
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What the settings of the services are made from. */
export interface ServiceContext {
  readonly host: string;
  readonly port: number;
  readonly apiKey: string;
  readonly amqpUrl: string;
  readonly mongodbUri: string;
  /** Comma-separated, as EGRESS_ALLOW takes it. */
  readonly egressAllow: string;
  readonly logLevel: string;
  /** Further settings for every service, by their variables. */
  readonly settings: Readonly<Record<string, string>>;
}

const SERVICES_FOLDER = resolve(import.meta.dirname, '../../services');

/** Every service of Gleaner, in the order in which they start; they stop the other way round. */
export function serviceDefinitions(context: ServiceContext): ServiceDefinition[] {
  const { host, port, apiKey, amqpUrl, mongodbUri, egressAllow, logLevel, settings } = context;
  const shared = {
    ...settings,
    AMQP_URL: amqpUrl,
    MONGODB_URI: mongodbUri,
    EGRESS_ALLOW: egressAllow,
    LOG_LEVEL: logLevel,
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: '0',
  };
  return [
    service('scraper', { ...pageReaderSettings(process.env.NODE_OPTIONS), ...shared }),
    service('job-orchestrator', shared),
    service('webhook-notifier', { PUBLIC_URL: addressOf(host, port), ...shared }),
    service('scheduler', shared),
    service('gateway', { ...shared, HOST: host, PORT: String(port), BOOTSTRAP_API_KEY: apiKey }),
  ];
}

function service(name: string, env: Record<string, string>): ServiceDefinition {
  return { name, entry: join(SERVICES_FOLDER, name, 'src/main.ts'), env };
}
