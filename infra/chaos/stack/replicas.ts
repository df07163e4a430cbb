import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadyMessage } from '@gleaner/service-kit';
import { freePort } from '@gleaner/test-kit';
import { type ServiceContext, type ServiceDefinition, serviceDefinitions } from '../../stack/services.ts';
import { type Addresses, closeLinks, type Links, settingsOf, startLinks } from './links.ts';
import { RestartedProcess } from './restarted-process.ts';

/** A process of a service and its own proxies to the backends. */
export interface Replica {
  readonly service: string;
  readonly process: RestartedProcess;
  readonly links: Links;
  /** Only gateways answer there. */
  readonly url: string;
}

/** Choices for one replica. */
export interface ReplicaOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of the version that it runs. */
  readonly folder?: string;
}

/** Clock of the schedulers. */
export interface Clock {
  readonly env: Readonly<Record<string, string>>;
  now(): number;
}

interface ReplicasDeps {
  readonly addresses: Addresses;
  /** Definition of the services but for their port. */
  readonly shared: Omit<ServiceContext, 'port'>;
  readonly clock: Clock | undefined;
  /** Folder of the logs. */
  readonly dataDir: string;
}

/** The running replicas of the services. */
export class Replicas {
  readonly list: Replica[] = [];
  readonly #deps: ReplicasDeps;
  #started = 0;
  #turn = 0;

  constructor(deps: ReplicasDeps) {
    this.#deps = deps;
  }

  /** Address of a gateway; each that is ready has its turn. */
  get url(): string {
    const gateways = this.list.filter(({ service }) => service === 'gateway');
    const ready = gateways.filter(({ process }) => process.isReady);
    // With none ready, clients learn that the service is away.
    const asked = ready.length > 0 ? ready : gateways;
    this.#turn += 1;
    return asked[this.#turn % asked.length]?.url ?? '';
  }

  /** Starts one more replica of a service. Throws when it does not start. */
  async start(service: string, { env = {}, folder }: ReplicaOptions = {}): Promise<Replica> {
    const { addresses, shared, dataDir } = this.#deps;
    const port = await freePort();
    const definitions: Partial<Record<string, ServiceDefinition>> = serviceDefinitions({ ...shared, port });
    const definition = definitions[service];
    if (!definition) throw new Error(`There is no service ${service}.`);
    this.#started += 1;
    const name = `${service}-${this.#started}${folder === undefined ? '' : '-old'}`;
    const clock = service === 'scheduler' ? this.#deps.clock : undefined;
    const links = await startLinks(addresses, clock?.now);
    const child = new RestartedProcess({
      name,
      entry: folder === undefined ? definition.entry : join(folder, 'services', service, 'src/main.ts'),
      env: { ...definition.env, ...settingsOf(links, addresses), ...clock?.env, ...env },
      logFile: join(dataDir, `${name}.log`),
      reach: 'process',
    });
    const replica = { service, process: child, links, url: `http://${shared.host}:${port}` };
    this.list.push(replica);
    const said = (await child.start()) as ReadyMessage | number | null;
    // A process that ends says nothing but its exit code.
    if (typeof said === 'number' || said === null) {
      const log = await readFile(join(dataDir, `${name}.log`), 'utf8').catch(String);
      throw new Error(`${name} did not start. Its log ends with:\n${log.slice(-2000)}`);
    }
    return replica;
  }

  /** Ends a replica for good. */
  async end(replica: Replica): Promise<void> {
    this.list.splice(this.list.indexOf(replica), 1);
    await replica.process.stop();
    await closeLinks(replica.links);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.list].map((replica) => this.end(replica)));
  }
}
