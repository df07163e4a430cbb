import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SupervisedProcess } from '../stack/processes/supervised-process.ts';
import { type Stack, type StackOptions, startStack } from '../stack/start-stack.ts';

/** A folder for data and logs, origins and stacks, which end with the bench that has started them. */
export class Bench implements AsyncDisposable {
  readonly folder: string;
  readonly parts: AsyncDisposableStack;

  private constructor(folder: string, parts: AsyncDisposableStack) {
    this.folder = folder;
    this.parts = parts;
  }

  static async open(): Promise<Bench> {
    const folder = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
    const parts = new AsyncDisposableStack();
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    return new Bench(folder, parts);
  }

  /** Starts an origin in a process of its own, which tells its ports and other numbers. */
  async startOrigin(entry: string, env: Readonly<Record<string, string>> = {}) {
    const logFile = join(this.folder, 'origin.log');
    const origin = new SupervisedProcess({ name: 'origin', entry, env, logFile }, console.error);
    this.parts.defer(() => origin.stop());
    return (await origin.start()).ports;
  }

  /** Starts a stack as `npm start` does, on free ports, without limits of rates. */
  async startStack(options: BenchStackOptions): Promise<Stack> {
    const stack = await startBenchStack(this.folder, options);
    this.parts.defer(() => stack.stop());
    return stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.parts.disposeAsync();
  }
}

/** Options of a stack for a bench. */
export interface BenchStackOptions extends Partial<Pick<StackOptions, 'amqpUrl' | 'settings'>> {
  /** Name of its own folder of data. */
  readonly name?: string;
  /** The site on this machine. */
  readonly originUrl: string;
  /** Further private names that scrapes may reach. */
  readonly egressAllow?: readonly string[];
  /** Starts another version. */
  readonly start?: typeof startStack;
}

const SETTINGS = {
  MAX_PAGES_PER_HOST: '30',
  RATE_LIMIT_CREATE: '1000000',
  RATE_LIMIT_READ: '1000000',
  RATE_LIMIT_SCRAPE: '1000000',
};

/** Starts a stack with its data in a folder; the caller stops it. */
export function startBenchStack(folder: string, options: BenchStackOptions): Promise<Stack> {
  const { name = 'stack', originUrl, egressAllow = [], amqpUrl, settings, start = startStack } = options;
  return start({
    dataDir: join(folder, name),
    amqpUrl,
    egressAllow: [new URL(originUrl).host, ...egressAllow],
    logLevel: 'warn',
    settings: { ...SETTINGS, ...settings },
  });
}

const RABBITMQ_URL = 'amqp://guest:guest@127.0.0.1:5672';

/** Returns the brokers to measure on: the embedded one, and RabbitMQ, at AMQP_URL or on its usual port, when it answers. */
export async function brokers(): Promise<{ readonly name: string; readonly amqpUrl: string | undefined }[]> {
  const amqpUrl = process.env.AMQP_URL ?? RABBITMQ_URL;
  const { hostname, port } = new URL(amqpUrl);
  const isThere = await answers(hostname, Number(port || 5672));
  return [{ name: 'embedded', amqpUrl: undefined }, ...(isThere ? [{ name: 'rabbitmq', amqpUrl }] : [])];
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: 2000 });
    const settle = (isThere: boolean) => {
      socket.destroy();
      done(isThere);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}
