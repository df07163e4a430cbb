import { type Stack, startStack } from '../../stack/start-stack.ts';

/** Options of a stack for a bench. */
export interface BenchStackOptions {
  readonly dataDir: string;
  readonly amqpUrl: string | undefined;
  /** Port of the origin. */
  readonly originUrl: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts a stack as `npm start` does, on free ports, without the limit per host. */
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
