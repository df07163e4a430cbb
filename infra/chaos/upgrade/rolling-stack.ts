import { join } from 'node:path';
import type { Broker } from '@gleaner/broker';
import { generateKey, type Stores } from '@gleaner/storage';
import { freePort } from '@gleaner/test-kit';
import { type ServiceDefinition, serviceDefinitions } from '../../stack/services.ts';
import { connectDirectly, SETTINGS, startBackends } from '../stack/chaos-stack.ts';
import type { BrokerKind } from '../stack/choose-broker.ts';
import { RestartedProcess } from '../stack/restarted-process.ts';

/** Options of a stack whose services are replaced one after the other. */
export interface RollingStackOptions {
  readonly dataDir: string;
  /** Folder of the version that it starts with. */
  readonly oldFolder: string;
  readonly egressAllow: readonly string[];
  readonly credits: number;
  readonly brokerKind: BrokerKind;
}

/** Two replicas of every service on one broker and one database, with a load balancer before the gateways. */
export interface RollingStack {
  /** Address of the gateway that has its turn. */
  readonly url: string;
  readonly apiKey: string;
  readonly stores: Stores;
  readonly broker: Broker;
  /** Names of processes that ended by themselves. */
  readonly crashed: readonly string[];
  /** Replaces the old replicas of a service by new ones, one after the other. */
  replace(service: string): Promise<void>;
  /** Ends the services, calls `look` to inspect what is left, and ends the rest. */
  stop(look: () => Promise<void>): Promise<void>;
}

/** A running replica of one version. */
interface Member {
  readonly service: string;
  readonly process: RestartedProcess;
  readonly pid: number | undefined;
  readonly url: string;
}

const HOST = '127.0.0.1';
const REPLICAS = 2;

/** Starts the old version. */
export async function startRollingStack(options: RollingStackOptions): Promise<RollingStack> {
  const { dataDir, oldFolder, credits } = options;
  const { addresses, processes } = await startBackends({ ...options, databaseKind: 'embedded' });
  const { stores, broker, close } = await connectDirectly(addresses, credits);
  const shared = {
    ...{
      host: HOST,
      apiKey: generateKey(),
      logLevel: 'info',
      settings: { ...SETTINGS, RATE_LIMIT_SCRAPE: '1000000' },
    },
    ...{ amqpUrl: addresses.amqpUrl.href, mongodbUri: addresses.mongodbUrl.href },
    egressAllow: options.egressAllow.join(','),
  };
  const members: Member[] = [];
  const crashed: string[] = [];
  let turn = 0;
  let started = 0;

  /** Starts a replica of the version in this folder, or of this version. */
  async function start(service: string, folder?: string): Promise<void> {
    const port = await freePort();
    const definition = serviceDefinitions({ ...shared, port }).find(({ name }) => name === service);
    if (!definition) throw new Error(`There is no service ${service}.`);
    started += 1;
    const name = `${service}-${started}-${folder === undefined ? 'new' : 'old'}`;
    const logFile = join(dataDir, `${name}.log`);
    const entry = entryOf(definition, folder);
    const process = new RestartedProcess({ ...definition, name, entry, logFile, reach: 'process' });
    const said = await process.start();
    const member = { service, process, pid: process.pid, url: `http://${HOST}:${port}` };
    members.push(member);
    // A process that ends says nothing but its exit code.
    if (typeof said === 'number' || said === null) throw new Error(`${name} did not start. See ${logFile}.`);
  }

  /** Ends a replica, which gets no new calls from now on. */
  async function end(member: Member): Promise<void> {
    members.splice(members.indexOf(member), 1);
    if (member.process.pid !== member.pid) crashed.push(member.process.name);
    await member.process.stop();
  }

  async function stop(look: () => Promise<void>): Promise<void> {
    await Promise.all([...members].map(end));
    try {
      await look();
    } finally {
      await close({ drop: !processes.database });
      await Promise.all([processes.broker?.stop(), processes.database?.stop()]);
    }
  }

  try {
    for (const { name } of serviceDefinitions({ ...shared, port: 0 }))
      for (let count = 0; count < REPLICAS; count++) await start(name, oldFolder);
  } catch (error) {
    await stop(async () => {});
    throw error;
  }
  return {
    get url() {
      const gateways = members.filter(({ service }) => service === 'gateway');
      turn += 1;
      return gateways[turn % gateways.length]?.url ?? '';
    },
    ...{ apiKey: shared.apiKey, stores, broker, crashed, stop },
    async replace(service) {
      for (const old of members.filter((member) => member.service === service)) {
        await start(service);
        await end(old);
      }
    },
  };
}

function entryOf({ name, entry }: ServiceDefinition, folder: string | undefined): string {
  return folder === undefined ? entry : join(folder, 'services', name, 'src/main.ts');
}
