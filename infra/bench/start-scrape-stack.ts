import { type Stack, type StackOptions, startStack } from '../stack/start-stack.ts';

/** What differs between the stacks that are scraped with. */
export interface ScrapeStackOptions extends Partial<Pick<StackOptions, 'amqpUrl' | 'settings'>> {
  readonly dataDir: string;
  /** Of the origin, on this machine. */
  readonly originPort: number;
}

/** As `npm start` does it, on free ports, and with a key that may scrape without limit. */
export function startScrapeStack({ originPort, settings, ...choices }: ScrapeStackOptions): Promise<Stack> {
  return startStack({
    ...choices,
    egressAllow: [`127.0.0.1:${originPort}`],
    logLevel: 'warn',
    settings: { RATE_LIMIT_SCRAPE: '1000000', ...settings },
  });
}
