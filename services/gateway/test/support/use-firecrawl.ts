import type { MapReply } from '@gleaner/contracts';
import { untilReady } from '@gleaner/test-kit';
import { afterEach, beforeAll } from '@jest/globals';
import { type CallOptions, send, type TestAnswer } from './call.ts';
import { type ScriptedWorker, startScriptedWorker } from './scripted-worker.ts';
import { type GatewayService, useGateway } from './use-gateway.ts';

export const URL_A = 'https://example.com/';

/** Scrapes that a key may have in flight, as the service is set. */
export const IN_FLIGHT = 7;

/** A gateway, whose workers and orchestrator follow scripts, and calls with the key of the owner. */
interface FirecrawlService {
  readonly service: GatewayService;
  readonly browser: ScriptedWorker;
  /** Calls a path; `key: null` sends none, and `at` names another gateway. */
  ask(path: string, options?: Asked): Promise<TestAnswer>;
}

type Asked = Omit<CallOptions, 'key'> & {
  readonly key?: string | null;
  readonly at?: { readonly url: string };
};

/** Every map has these. */
const MAPPED = [{ url: URL_A }, { url: `${URL_A}b`, text: 'B', foundOn: URL_A }];
const MAP: MapReply = {
  mapJson: JSON.stringify({ urls: MAPPED, sources: [], complete: true }),
  pages: 1,
};

/** Starts the service before the tests of a file and stops it after them. */
export function useFirecrawl(): FirecrawlService {
  const service = useGateway({ MAX_SCRAPES_IN_FLIGHT: `${IN_FLIGHT}` });
  let browser: ScriptedWorker | undefined;
  beforeAll(async () => {
    const { broker } = service.bed;
    browser = await startScriptedWorker(broker, 'scrape.browser');
    broker.respond('maps.commands', async () => MAP, { concurrency: 1 });
    broker.consumeWork('pages.browser', async () => {}, { concurrency: 1 });
    await untilReady(broker);
  });
  afterEach(() => browser?.reset());
  return {
    service,
    get browser() {
      if (!browser) throw new Error('The worker starts with the first test.');
      return browser;
    },
    ask: (path, { key = service.owner.key, at = service.gateway, ...options } = {}) =>
      send(at.url + path, { ...options, ...(key !== null && { key }) }),
  };
}
