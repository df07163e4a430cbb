import type { ScrapeRequest, ScrapeResult } from '@gleaner/contracts';
import { type HonestReader, startModel, type TestModel, untilReady } from '@gleaner/test-kit';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** A scraper with a model and a cache of its answers. */
export interface ModelScraper extends AsyncDisposable {
  readonly scraper: TestScraper;
  readonly model: TestModel;
  /** Answers that were kept, by account and key. */
  readonly kept: ReadonlyMap<string, string>;
  /** Returns the result of a scrape that must succeed. */
  resultOf(request: ScrapeRequest, options?: Parameters<TestScraper['scrape']>[1]): Promise<ScrapeResult>;
}

/** Starts a scraper with a model that reads pages as the reader does. */
export async function startModelScraper(
  read: HonestReader,
  settings: Readonly<Record<string, string>> = {},
): Promise<ModelScraper> {
  const model = await startModel(read);
  const own = { LLM_URL: model.url, LLM_MODEL: 'test-model', LLM_API_KEY: 'sk-secret-key', ENGINES: 'http' };
  const scraper = await startTestScraper({ ...own, ...settings });
  const broker = await scraper.connect();
  const kept = new Map<string, string>();
  broker.respond(
    'answers.commands',
    async ({ body: { accountId, key, answer } }) => {
      const id = `${accountId} ${key}`;
      if (answer !== undefined) kept.set(id, answer);
      const known = kept.get(id);
      return answer === undefined && known !== undefined ? { answer: known } : {};
    },
    { concurrency: 4 },
  );
  await untilReady(broker);
  return {
    scraper,
    model,
    kept,
    async resultOf(request, options = {}) {
      const reply = await scraper.scrape(request, { timeoutMs: 90_000, ...options });
      if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
      return reply.result;
    },
    async [Symbol.asyncDispose]() {
      await broker.close();
      await scraper[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}
