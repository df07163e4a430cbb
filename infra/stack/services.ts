import { join, resolve } from 'node:path';
import { addressOf } from './ports.ts';
import { pageReaderSettings } from './processes/memory-settings.ts';
import type { ProcessDefinition } from './processes/supervised-process.ts';

/** A service of the stack: its program and its settings. */
export type ServiceDefinition = Omit<ProcessDefinition, 'logFile'>;

/** The settings of a stack from which those of its services are made. */
export interface ServiceContext {
  readonly host: string;
  readonly port: number;
  /** Loopback unless given. */
  readonly metricsHost?: string | undefined;
  /** The port of the gateway's metrics, which those of the other services follow; undefined for any free ports. */
  readonly metricsPort?: number | undefined;
  readonly apiKey: string;
  readonly amqpUrl: string;
  readonly mongodbUri: string;
  /** Comma-separated, as EGRESS_ALLOW takes it. */
  readonly egressAllow: string;
  readonly logLevel: string;
  /** Further settings for every service, by their variables. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The services in the order of their metrics ports; it is part of what operators rely on, so new ones come last. */
const SERVICE_NAMES = ['gateway', 'scraper', 'job-orchestrator', 'scheduler', 'webhook-notifier'] as const;
type ServiceName = (typeof SERVICE_NAMES)[number];

const LOOPBACK = '127.0.0.1';
const SERVICES_FOLDER = resolve(import.meta.dirname, '../../services');

/** Returns every service of Gleaner in the order in which they start; they stop in reverse order. */
export function serviceDefinitions(context: ServiceContext): ServiceDefinition[] {
  const { host, port, apiKey, settings } = context;
  const shared = {
    ...settings,
    AMQP_URL: context.amqpUrl,
    MONGODB_URI: context.mongodbUri,
    EGRESS_ALLOW: context.egressAllow,
    LOG_LEVEL: context.logLevel,
    METRICS_HOST: context.metricsHost ?? LOOPBACK,
  };
  const define = (name: ServiceName, own: Readonly<Record<string, string>> = {}): ServiceDefinition => ({
    name,
    entry: join(SERVICES_FOLDER, name, 'src/main.ts'),
    env: { ...own, ...shared, METRICS_PORT: String(metricsPortOf(name, context.metricsPort)) },
  });
  return [
    define('scraper', pageReaderSettings(process.env.NODE_OPTIONS)),
    define('job-orchestrator'),
    define('webhook-notifier', { PUBLIC_URL: addressOf(host, port) }),
    define('scheduler'),
    define('gateway', { HOST: host, PORT: String(port), BOOTSTRAP_API_KEY: apiKey }),
  ];
}

/** The address of a service's metrics, without the path. */
export interface MetricsUrl {
  readonly name: string;
  readonly url: string;
}

/** Returns the address of each service's metrics; none when they have taken any free ports. */
export function metricsUrlsOf(host: string, firstPort: number | undefined): MetricsUrl[] {
  if (!firstPort) return [];
  return SERVICE_NAMES.map((name) => ({ name, url: addressOf(host, metricsPortOf(name, firstPort)) }));
}

function metricsPortOf(name: ServiceName, firstPort: number | undefined): number {
  return firstPort ? firstPort + SERVICE_NAMES.indexOf(name) : 0;
}
