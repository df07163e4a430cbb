import { join } from 'node:path';
import { type DemoSite, startDemoSite } from '../demo-site/start-demo-site.ts';
import { type Backends, startBackends } from './backends/backends.ts';
import { consoleFolder } from './console/console-folder.ts';
import { openDataFolder } from './folder/data-folder.ts';
import { removeRunFile, writeRunFile } from './folder/run-file.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';
import { addressOf, choosePort } from './ports.ts';
import { compileModules } from './processes/compile-modules.ts';
import type { Announce } from './processes/log-file.ts';
import { SupervisedProcess } from './processes/supervised-process.ts';
import { processDefinitions } from './services.ts';

/** Settings of a stack; a port of 0 takes a free one. */
export interface StackOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** True when the operator asked for this port, so that another will not do. */
  readonly isPortFixed: boolean;
  readonly demoPort: number;
  readonly metricsHost: string;
  readonly metricsPort: number;
  /** As `isPortFixed`, for the port of the metrics. */
  readonly isMetricsPortFixed: boolean;
  /** The kept key, or a new one, unless given. */
  readonly apiKey?: string | undefined;
  /** Key of the secrets of accounts; by default the one of the data folder. */
  readonly secretsKey?: string | undefined;
  /** The embedded broker unless given. */
  readonly amqpUrl?: string | undefined;
  /** The embedded database unless given. */
  readonly mongodbUri?: string | undefined;
  /** Private addresses that scrapes may reach, besides the demo site. */
  readonly egressAllow: readonly string[];
  readonly logLevel: string;
  /** The folder of a built console; one is built unless given. */
  readonly consoleDir?: string | undefined;
  /** Further settings for every service, by their variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly announce: Announce;
}

/** A stack with free ports and embedded servers of its own. */
const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  isPortFixed: false,
  demoPort: 0,
  metricsHost: '127.0.0.1',
  metricsPort: 0,
  isMetricsPortFixed: false,
  egressAllow: [],
  logLevel: 'info',
  settings: {},
  announce: console.error,
} satisfies Partial<StackOptions>;

/** A running Gleaner on this machine. */
export interface Stack {
  readonly url: string;
  readonly demoUrl: string;
  readonly apiKey: string;
  /** The file that holds the key. */
  readonly keyFile: string;
  readonly logs: string;
  /** Folder of the console, which may have to be built. */
  readonly consoleDir: string;
  readonly amqpUrl: string;
  readonly mongodbUri: string;
  /** The address of the metrics and the health of all processes. */
  readonly metricsUrl: string;
  /** Resolves once the data folder was deleted, moved or replaced: nothing that is stored from then on is kept. */
  untilFolderGone(): Promise<void>;
  /** Every process by name, with its present id. */
  processes(): { name: string; pid: number | undefined }[];
  /** Stops the services, then the backends; bounded by the supervisor. */
  stop(): Promise<void>;
}

/** Starts backends, services and the demo site; resolves when all are ready. When one fails, stops the others and throws. */
export async function startStack(
  choices: Pick<StackOptions, 'dataDir'> & Partial<StackOptions>,
): Promise<Stack> {
  const options: StackOptions = { ...DEFAULTS, ...choices };
  const { host, announce } = options;
  await using parts = new AsyncDisposableStack();
  const folder = await openFolder(options);
  const { logs, apiKey, dataFolder } = folder;
  parts.defer(() => dataFolder.release());
  const ports = await choosePorts(options);
  // Listens from now on, so that nothing else takes the port; not ready until the processes are.
  const processes: SupervisedProcess[] = [];
  const metrics = await startMetricsServer({
    host: options.metricsHost,
    port: ports.metrics,
    processes,
    dataDir: dataFolder.path,
  });
  parts.defer(() => metrics.close());
  const demo = await startDemo(options.demoPort);
  parts.defer(() => demo.close());

  const backends = await startBackends({ ...options, dataFolder, logs });
  const { amqpUrl, mongodbUri } = backends;
  parts.defer(async () => backends.process?.stop());

  const services = defineProcesses(options, { folder, demo, backends, port: ports.api }).map(
    (definition) =>
      new SupervisedProcess({ ...definition, logFile: join(logs, `${definition.name}.log`) }, announce),
  );
  processes.push(...services, ...(backends.process ? [backends.process] : []));
  for (const service of services) parts.defer(() => service.stop());
  await Promise.all(services.map((service) => service.start()));

  const url = addressOf(host, ports.api);
  await writeRunFile(dataFolder.path, { pid: process.pid, url, mongodbUri });
  parts.defer(async () => {
    if (!(await dataFolder.isGone())) await removeRunFile(dataFolder.path);
  });

  const started = parts.move();
  return {
    url,
    demoUrl: demo.url,
    apiKey,
    keyFile: dataFolder.keyFile,
    logs,
    consoleDir: folder.consoleDir,
    amqpUrl,
    mongodbUri,
    metricsUrl: metrics.url,
    untilFolderGone: () => dataFolder.untilGone(),
    processes: () => processes.map(({ name, pid }) => ({ name, pid })),
    stop: () => started.disposeAsync(),
  };
}

/** Opens the folder of the data with its keys, and that of the console. Another stack cannot open it until it is released. */
async function openFolder({ dataDir, apiKey, secretsKey, announce, ...options }: StackOptions) {
  const consoleDir = await consoleFolder(options.consoleDir);
  const dataFolder = await openDataFolder(dataDir);
  try {
    await compileModules(announce);
    return {
      consoleDir,
      dataFolder,
      logs: await dataFolder.folder('logs'),
      apiKey: await dataFolder.apiKey(apiKey, announce),
      secretsKey: secretsKey ?? (await dataFolder.secretsKey()),
    };
  } catch (error) {
    await dataFolder.release();
    throw error;
  }
}

/** Chooses the ports of the API and of the metrics. */
async function choosePorts(options: StackOptions) {
  const { host, port, metricsHost, metricsPort } = options;
  const askedBy = options.isPortFixed ? 'PORT' : undefined;
  const metricsAskedBy = options.isMetricsPortFixed ? 'METRICS_PORT' : undefined;
  return {
    api: await choosePort({ host, port, askedBy }),
    metrics: await choosePort({ host: metricsHost, port: metricsPort, askedBy: metricsAskedBy }),
  };
}

interface ServiceParts {
  readonly folder: Awaited<ReturnType<typeof openFolder>>;
  readonly demo: DemoSite;
  readonly backends: Backends;
  readonly port: number;
}

function defineProcesses(options: StackOptions, { folder, demo, backends, port }: ServiceParts) {
  const { apiKey, secretsKey, consoleDir } = folder;
  const { amqpUrl, mongodbUri } = backends;
  return processDefinitions({
    ...options,
    port,
    apiKey,
    secretsKey,
    amqpUrl,
    mongodbUri,
    egressAllow: [...options.egressAllow, ...demo.hosts].join(','),
    settings: {
      EXAMPLE_URL: process.env.EXAMPLE_URL || demo.url,
      CONSOLE_DIR: consoleDir,
      ...options.settings,
    },
  });
}

async function startDemo(port: number): Promise<DemoSite> {
  const host = '127.0.0.1';
  return startDemoSite({ host, port: await choosePort({ host, port, askedBy: undefined }) });
}
