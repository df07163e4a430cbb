import type { Broker } from '@gleaner/broker';
import { type Config, fromSettings } from '@gleaner/config';
import { type Engine, jobIdOf, type ScrapeReply, toAppError } from '@gleaner/contracts';
import { createChromeClient, createEgressPolicy, createHttpClient } from '@gleaner/egress';
import type { Logger, Metrics, RunningService } from '@gleaner/service-kit';
import type { BrowserPool } from './browser/browser-pool.ts';
import { explainNoBrowser, openBrowserPool } from './browser/open-browser-pool.ts';
import type { SCRAPER_SETTINGS } from './config.ts';
import { PageReader } from './extract/page-reader.ts';
import { type ClimbDeps, climb } from './ladder/climb.ts';
import { HostMemory } from './ladder/host-memory.ts';
import { PageMemory } from './memory/page-memory.ts';
import { createPageWorker } from './pages/create-page-worker.ts';
import { AccountPlaces } from './places/account-places.ts';
import { openProxyPools } from './proxies/open-proxy-pools.ts';
import { RunningScrapes } from './running-scrapes.ts';
import { namingStage } from './scrape/naming-stage.ts';
import { renderPage } from './scrape/render-page.ts';
import type { Scrape } from './scrape/scrape.ts';
import { type ScrapeDeps, scrapePage } from './scrape/scrape-page.ts';

/** How long scrapes under way may go on when the process is asked to stop; the rest goes to other scrapers. */
const STOP_WITHIN_MS = 15_000;

/** How many scrapes that wait for a place are in hand, so that those of one account do not keep others from being seen. */
const WAITING_IN_HAND = 50;

/** Of how many hosts it is remembered what got through to them. */
const MAX_HOSTS = 10_000;

/** What the scraper works with, as `runService` hands it over. */
export interface ScraperDeps {
  readonly config: Config<typeof SCRAPER_SETTINGS>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly broker: Broker;
}

/** Takes scrapes from the queue until it is stopped. */
export async function startScraper({
  config,
  logger,
  metrics,
  broker,
}: ScraperDeps): Promise<RunningService> {
  const policy = fromSettings(() => createEgressPolicy({ allow: config.EGRESS_ALLOW }));
  const httpClient = createHttpClient({ policy, ...(config.USER_AGENT && { userAgent: config.USER_AGENT }) });
  const chromeClient = createChromeClient({ policy });
  const proxyPools = openProxyPools({ config, policy, logger, metrics });
  const pageReader = new PageReader({ maxThreads: config.EXTRACTION_WORKERS });
  const pageDeps = { proxyPools, pageReader, pageMemory: new PageMemory(), logger };
  const hosts = new HostMemory({ rememberMs: config.ANTIBOT_REMEMBER_MS, maxHosts: MAX_HOSTS });
  const running = new RunningScrapes();
  const outcomes = metrics.histogram({
    name: 'scrape_duration_seconds',
    help: 'Time from taking a scrape to its reply, by engine and outcome (success, or an error code).',
    labelNames: ['engine', 'outcome'],
  });

  function take(engine: Engine, { ways, waysOfJobs }: Ways, concurrency: Concurrency) {
    const deps = { ways, hosts, proxyPools, hasWorker };
    const depsOfJobs = { ...deps, ways: waysOfJobs };
    const places = new AccountPlaces({ perAccount: concurrency.scrapes });
    const workOnPage = createPageWorker({
      ...{ broker, running },
      climb: (command, bound) => climb(command, depsOfJobs, bound),
      observe: (reply, durationMs) => observe(engine, reply, durationMs),
    });
    return [
      broker.respond(
        `scrape.${engine}`,
        async ({ body, signal, forward }) => {
          pageReader.noteCaller();
          const startedAt = performance.now();
          const ascent = await running.run({ id: body.requestId }, signal, async (bound) => {
            using _place = await namingStage('waiting for a worker to be free', bound, () =>
              places.take(body.accountId, bound),
            );
            return await climb(body, deps, bound);
          });
          if (ascent.kind === 'forward') {
            return await forward(`scrape.${ascent.engine}`, { ...body, climb: ascent.climb });
          }
          observe(engine, ascent.reply, performance.now() - startedAt);
          logger.debug({ requestId: body.requestId, ok: ascent.reply.ok }, 'Scraped.');
          return ascent.reply;
        },
        { concurrency: places.total + WAITING_IN_HAND },
      ),
      broker.consumeWork(`pages.${engine}`, workOnPage, { concurrency: concurrency.pages }),
    ];
  }

  /** Whoever takes scrapes of an engine takes pages as well. */
  async function hasWorker(engine: Engine): Promise<boolean> {
    return (await broker.consumerCount(`scrape.${engine}`).catch(() => 0)) > 0;
  }

  function observe(engine: Engine, reply: ScrapeReply, durationMs: number): void {
    const outcome = reply.ok ? 'success' : reply.failure.code;
    outcomes.observe({ engine, outcome }, durationMs / 1000);
  }

  const cancellations = broker.onBroadcast('cancellations', ({ requestId }) => running.cancel(requestId));
  const jobCancellations = broker.onBroadcast('jobCancellations', ({ jobId }) => running.cancelJob(jobId));
  const intakes = [cancellations, jobCancellations];
  if (config.ENGINES.includes('http')) {
    const waysOf = (deps: Omit<ScrapeDeps, 'httpClient'>): ClimbDeps['ways'] => ({
      plain: (command, context) => scrapePage(command, { ...deps, httpClient }, context),
      chrome: (command, context) => scrapePage(command, { ...deps, httpClient: chromeClient }, context),
    });
    const waysOfJobs = waysOf({ ...pageDeps, jobIdOf });
    const concurrency = { scrapes: config.SCRAPE_CONCURRENCY, pages: config.PAGE_CONCURRENCY };
    intakes.push(...take('http', { ways: waysOf(pageDeps), waysOfJobs }, concurrency));
  }
  const browserPool = config.ENGINES.includes('browser')
    ? await openPool({ config, policy, logger })
    : undefined;
  if (browserPool) {
    const deps = { browserPool, proxyPools, pageReader, policy, logger };
    const disguised: Scrape = (command, context) =>
      renderPage(command, { ...deps, isDisguised: true }, context);
    const ways: ClimbDeps['ways'] = {
      browser: (command, context) => renderPage(command, { ...deps, isDisguised: false }, context),
      disguised,
      'next-proxy': disguised,
    };
    const concurrency = {
      scrapes: config.BROWSER_SCRAPE_CONCURRENCY,
      pages: config.BROWSER_PAGE_CONCURRENCY,
    };
    intakes.push(...take('browser', { ways, waysOfJobs: ways }, concurrency));
  }
  return {
    async stop() {
      await Promise.all(intakes.map((intake) => intake.stop(STOP_WITHIN_MS)));
      httpClient.close();
      chromeClient.close();
      await Promise.all([pageReader.close(), browserPool?.close()]);
    },
  };
}

/** How the rungs are climbed when somebody waits, and how for pages of jobs. */
interface Ways {
  readonly ways: ClimbDeps['ways'];
  readonly waysOfJobs: ClimbDeps['ways'];
}

/** How many of each kind are worked on at once. */
interface Concurrency {
  readonly scrapes: number;
  readonly pages: number;
}

/** The pool, or undefined where no browser can run, which the log explains; the rest of the work goes on. */
async function openPool(deps: Parameters<typeof openBrowserPool>[0]): Promise<BrowserPool | undefined> {
  try {
    return await openBrowserPool(deps);
  } catch (fault) {
    deps.logger.error({ err: fault }, explainNoBrowser(toAppError(fault)));
    return undefined;
  }
}
