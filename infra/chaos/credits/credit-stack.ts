import { join } from 'node:path';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';
import type { ReadyMessage } from '@gleaner/service-kit';
import { connectDatabase, createStores, generateKey, type Stores } from '@gleaner/storage';
import { compileModules } from '../../stack/processes/compile-modules.ts';
import { memorySettings } from '../../stack/processes/memory-settings.ts';
import { serviceDefinitions } from '../../stack/services.ts';
import { closeLinks, type Links, settingsOf, startLinks } from '../stack/links.ts';
import { RestartedProcess } from '../stack/restarted-process.ts';

/** A gateway process and its own proxies to the backends. */
export interface MortalGateway {
  readonly url: string;
  readonly process: RestartedProcess;
  readonly links: Links;
}

/** A scraper and any number of gateways, all on one broker and one database. */
export interface CreditStack extends AsyncDisposable {
  readonly stores: Stores;
  /** Starts a gateway, which ends with the stack at the latest. */
  startGateway(name: string, env: Readonly<Record<string, string>>): Promise<MortalGateway>;
}

const HOST = '127.0.0.1';
const SILENT = { info() {}, warn() {} };

/** Starts the backends and the scraper, which may fetch from `egressAllow`. */
export async function startCreditStack({
  dataDir,
  egressAllow,
}: {
  readonly dataDir: string;
  readonly egressAllow: string;
}): Promise<CreditStack> {
  const [amqp, mongo] = await Promise.all([
    startAmqpServer({ dataDir: join(dataDir, 'broker') }),
    startMongoServer({ dataDir: join(dataDir, 'database') }),
  ]);
  const addresses = { amqpUrl: new URL(amqp.url), mongodbUrl: new URL(mongo.uri) };
  const definitions = serviceDefinitions({
    ...{ host: HOST, port: 0, apiKey: generateKey(), egressAllow, logLevel: 'info' },
    ...{ amqpUrl: amqp.url, mongodbUri: mongo.uri },
    settings: memorySettings(process.env.NODE_OPTIONS),
  });
  const start = async (service: string, name: string, settings: Readonly<Record<string, string>>) => {
    const definition = definitions.find((one) => one.name === service);
    if (!definition) throw new Error(`There is no service ${service}.`);
    const { entry, env } = definition;
    const logFile = join(dataDir, `${name}.log`);
    const started = new RestartedProcess({
      name,
      entry,
      env: { ...env, ...settings },
      logFile,
      reach: 'process',
    });
    const said = (await started.start()) as ReadyMessage | number;
    if (typeof said === 'number') throw new Error(`The ${name} ended while starting.`);
    return { process: started, url: `http://${HOST}:${said.ports.http}` };
  };

  await compileModules(() => {});
  const database = await connectDatabase({ uri: addresses.mongodbUrl.href, logger: SILENT });
  await database.ensureIndexes();
  const scraper = await start('scraper', 'scraper', { ENGINES: 'http' });
  const gateways: MortalGateway[] = [];
  return {
    stores: createStores(database),
    async startGateway(name, settings) {
      const links = await startLinks(addresses);
      const started = await start('gateway', name, { ...settingsOf(links, addresses), ...settings });
      const gateway = { ...started, links };
      gateways.push(gateway);
      return gateway;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([scraper, ...gateways].map(({ process }) => process.stop()));
      await Promise.all(gateways.map(({ links }) => closeLinks(links)));
      await database.close();
      await Promise.all([amqp.close(), mongo.close()]);
    },
  };
}
