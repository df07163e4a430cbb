import { join } from 'node:path';
import { type DemoSite, startDemoSite } from '../demo-site/start-demo-site.ts';
import { addressOf } from './address-of.ts';
import { startBackends } from './backends.ts';
import { choosePort } from './choose-port.ts';
import { compileModules } from './compile-modules.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { removeRunFile, writeRunFile } from './run-file.ts';
import { serviceDefinitions } from './services.ts';
import { type Announce, SupervisedProcess } from './supervised-process.ts';

/** How a stack is made; ports of 0 take free ones. */
export interface StackOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** True when the operator asked for this port, so that another will not do. */
  readonly isPortFixed: boolean;
  readonly demoPort: number;
  /** One is made unless given. */
  readonly apiKey?: string | undefined;
  /** The embedded broker unless given. */
  readonly amqpUrl?: string | undefined;
  /** The embedded database unless given. */
  readonly mongodbUri?: string | undefined;
  /** Private addresses that pages may be on, beside the demo site's. */
  readonly egressAllow: readonly string[];
  readonly logLevel: string;
  /** Further settings for every service, by their variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly announce: Announce;
}

/** A stack that is alone on its ports and on its servers. */
const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  isPortFixed: false,
  demoPort: 0,
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
  readonly logs: string;
  readonly amqpUrl: string;
  readonly mongodbUri: string;
  /** Every process by name, with its id of the moment. */
  processes(): { name: string; pid: number | undefined }[];
  /** Stops the services, then the backends; bounded by the supervisor. */
  stop(): Promise<void>;
}

/** Starts backends, services and the demo site; resolves when all are ready. Throws after undoing what had started. */
export async function startStack(
  choices: Pick<StackOptions, 'dataDir'> & Partial<StackOptions>,
): Promise<Stack> {
  const options = { ...DEFAULTS, ...choices };
  const dataFolder = await openDataFolder(options.dataDir);
  const undo: (() => Promise<void>)[] = [() => dataFolder.release()];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await startParts(options, dataFolder, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  options: StackOptions,
  dataFolder: DataFolder,
  undo: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Stack> {
  const { host, announce } = options;
  await compileModules(announce);
  const logs = await dataFolder.folder('logs');
  const apiKey = await dataFolder.apiKey(options.apiKey);
  const port = await choosePort({
    host,
    port: options.port,
    askedBy: options.isPortFixed ? 'PORT' : undefined,
  });
  const demo = await startDemo(options.demoPort);
  undo.push(() => demo.close());

  const backends = await startBackends({ ...options, dataFolder, logs });
  if (backends.process) undo.push(stopper(backends.process));

  const services = serviceDefinitions({
    ...options,
    port,
    apiKey,
    amqpUrl: backends.amqpUrl,
    mongodbUri: backends.mongodbUri,
    egressAllow: [...options.egressAllow, new URL(demo.url).host].join(','),
  }).map(
    (definition) =>
      new SupervisedProcess({ ...definition, logFile: join(logs, `${definition.name}.log`) }, announce),
  );
  for (const service of services) undo.push(stopper(service));
  await Promise.all(services.map((service) => service.start()));

  const url = addressOf(host, port);
  await writeRunFile(dataFolder.path, { pid: process.pid, url, mongodbUri: backends.mongodbUri });
  undo.push(() => removeRunFile(dataFolder.path));

  return {
    url,
    demoUrl: demo.url,
    apiKey,
    logs,
    amqpUrl: backends.amqpUrl,
    mongodbUri: backends.mongodbUri,
    processes: () =>
      [...services, ...(backends.process ? [backends.process] : [])].map(({ name, pid }) => ({ name, pid })),
    stop,
  };
}

async function startDemo(port: number): Promise<DemoSite> {
  const host = '127.0.0.1';
  return startDemoSite({ host, port: await choosePort({ host, port, askedBy: undefined }) });
}

function stopper(process: SupervisedProcess): () => Promise<void> {
  return () => process.stop();
}
