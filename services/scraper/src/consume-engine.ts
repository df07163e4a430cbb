import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type Engine,
  mayRepeat,
  methodOf,
  type ScrapeReply,
  type ScrapeRequest,
  toFailure,
} from '@gleaner/contracts';
import { AccountPlaces, type Logger, type Tracer } from '@gleaner/service-kit';
import type { RunningScrapes } from './capacity/running-scrapes.ts';
import type { PageReader } from './extract/page-reader.ts';
import { handleScrape } from './handle-scrape.ts';
import { type ClimbDeps, climb } from './ladder/climb.ts';
import type { ClaimRegistry } from './pages/claim-registry.ts';
import { createPageWorker } from './pages/create-page-worker.ts';
import { fetchCrawlFile } from './scrape/fetch-crawl-file.ts';
import type { TaskReply } from './scrape/scrape.ts';
import { extractKept } from './scrape/scrape-page.ts';
import type { CrawlFileDeps } from './scrape/stages/crawl-file.ts';

/** Scrapes accepted while they wait for a place, so that other accounts' scrapes are seen behind them. */
const MAX_WAITING_SCRAPES = 50;

/** Called with the reply to every scrape that has finished. */
export type Observe = (engine: Engine, reply: TaskReply, durationMs: number) => void;

/** Scrape function of each rung. */
type Scrapes = ClimbDeps['scrapes'];

/** Work of one engine. */
export interface EngineWork {
  readonly engine: Engine;
  readonly scrapes: Scrapes;
  /** The same for pages of jobs. */
  readonly pageScrapes: Scrapes;
  /** Scrapes, and pages of jobs, that are worked on at the same time. */
  readonly concurrency: { readonly scrapes: number; readonly pages: number };
}

/** Collaborators of all engines. */
export interface ConsumerDeps extends Omit<ClimbDeps, 'scrapes' | 'hasWorker'> {
  readonly broker: Broker;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly running: RunningScrapes;
  readonly claims: ClaimRegistry;
  readonly pageReader: PageReader;
  readonly stopping: AbortSignal;
  readonly observe: Observe;
  readonly files: CrawlFileDeps;
}

/** Consumers of queues. */
export type Consumers = { readonly stop: (withinMs: number) => Promise<void> }[];

/** Starts to take the scrapes and the pages of jobs of one engine. */
export function consume(
  { engine, scrapes, pageScrapes, concurrency }: EngineWork,
  deps: ConsumerDeps,
): Consumers {
  const { broker, logger, tracer, running, claims, pageReader, stopping, observe, files } = deps;
  const { hosts, proxyPools } = deps;
  // A scraper that takes scrapes of an engine takes pages of jobs as well.
  const hasWorker = async (other: Engine) =>
    (await broker.consumerCount(`scrape.${other}`).catch(() => 0)) > 0;
  const climbDeps = { scrapes, hosts, proxyPools, hasWorker };
  const pageClimbDeps = { ...climbDeps, scrapes: pageScrapes };
  const places = new AccountPlaces({ perAccount: concurrency.scrapes });
  const scrapeDeps = { engine, running, places, pageReader, climbDeps, tracer, observe };
  const workOnPage = createPageWorker({
    engine,
    broker,
    running,
    claims,
    stopping,
    tracer,
    places: new AccountPlaces({ perAccount: concurrency.pages }),
    climb: (task, signal) => climb(task, pageClimbDeps, signal),
    extractKept: (page, signal) => extractKept(page, { pageReader }, signal),
    fetchCrawlFile: (task, signal) => fetchCrawlFile(task, files, signal),
    observe: (reply, durationMs) => observe(engine, reply, durationMs),
  });
  return [
    broker.respond(
      `scrape.${engine}`,
      async ({ body, signal, forward, redelivered }) => {
        if (redelivered && !mayRepeat(body.request)) return lostWithWorker(body.request);
        const outcome = await handleScrape(body, scrapeDeps, signal);
        if (outcome.kind === 'forward') {
          const { kept: _kept, ...rest } = body;
          return await forward(`scrape.${outcome.engine}`, { ...rest, climb: outcome.climb });
        }
        logger.debug({ requestId: body.requestId, ok: outcome.reply.ok }, 'Scraped.');
        return outcome.reply;
      },
      { concurrency: places.total + MAX_WAITING_SCRAPES },
    ),
    broker.consumeWork(`pages.${engine}`, workOnPage, { concurrency: concurrency.pages }),
  ];
}

/** Returns the reply to an unrepeatable request of a worker that is gone. */
function lostWithWorker(request: ScrapeRequest): ScrapeReply {
  const message = `The worker that had the ${methodOf(request)} was lost, and may have sent it.`;
  const failure = toFailure(new AppError('OUTCOME_UNKNOWN', { message }));
  return { ok: false, failure, attempts: [], wasSent: true };
}
