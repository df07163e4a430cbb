import { type Stack, type StackOptions, startStack } from '../stack/start-stack.ts';

/** Options of a stack for a bench of scrapes. */
export interface ScrapeStackOptions extends Partial<Pick<StackOptions, 'amqpUrl' | 'settings'>> {
  readonly dataDir: string;
  /** Port of the origin on this machine. */
  readonly originPort: number;
}

/** Starts a stack as `npm start` does, on free ports, without a rate limit on scrapes. `start` is that of another version, if given. */
export function startScrapeStack(
  { originPort, settings, ...choices }: ScrapeStackOptions,
  start: typeof startStack = startStack,
): Promise<Stack> {
  return start({
    ...choices,
    egressAllow: [`127.0.0.1:${originPort}`],
    logLevel: 'warn',
    settings: { RATE_LIMIT_SCRAPE: '1000000', ...settings },
  });
}
