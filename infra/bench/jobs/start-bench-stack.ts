import { type Stack, startStack } from '../../stack/start-stack.ts';

/** What differs between the stacks of the benches. */
export interface BenchStackOptions {
  readonly dataDir: string;
  readonly amqpUrl: string | undefined;
  /** The one that is fetched from. */
  readonly originUrl: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** As `npm start` does it, on free ports, and as fast with the one host as with many. */
export function startBenchStack({
  dataDir,
  amqpUrl,
  originUrl,
  settings,
}: BenchStackOptions): Promise<Stack> {
  return startStack({
    dataDir,
    amqpUrl,
    egressAllow: [new URL(originUrl).host],
    logLevel: 'warn',
    settings: { MAX_PAGES_PER_HOST: '30', RATE_LIMIT_READ: '1000000', ...settings },
  });
}
