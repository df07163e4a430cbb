import {
  type AppError,
  defined,
  type Engine,
  type PageCommand,
  type PageOutcome,
  type ScrapeCommand,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import { startStageClock } from '@gleaner/egress';
import { Attempts } from './attempts.ts';
import { findingOf } from './finding-of.ts';
import { expiredIfUnauthorized } from './open-profile.ts';
import {
  KeptPage,
  type PageContext,
  type PageDeps,
  type PlainDeps,
  PlainPage,
  type RenderDeps,
  RenderedPage,
  type SiteDeps,
  type SitePage,
} from './page.ts';
import { KEPT, PLAIN, RENDERED } from './pipeline.ts';
import type { Finding, ScrapeContext, ScrapedPage, ScrapedResult, ScrapeTask } from './scrape.ts';
import { runStages, type Stage } from './stage.ts';
import { isReused } from './stages/kept.ts';
import { redactError } from './visit/secrets.ts';

/** Fetches the page of a task and extracts its data. Failures are returned as findings, never thrown. */
export async function scrapePage(
  task: ScrapeTask,
  deps: PlainDeps,
  context: ScrapeContext,
): Promise<Finding> {
  const scraping = { task, deps, engine: 'http' as const, context };
  return await attemptAll(scraping, PLAIN, (page) => new PlainPage(page));
}

/** Renders the page of a task and extracts its data. Failures are returned as findings, never thrown. */
export async function renderPage(
  task: ScrapeTask,
  deps: RenderDeps,
  context: ScrapeContext,
): Promise<Finding> {
  const scraping = { task, deps, engine: 'browser' as const, context };
  return await attemptAll(scraping, RENDERED, (page) => {
    const rendered = new RenderedPage(page);
    rendered.visiting.deadlineMs = context.deadlineMs;
    return rendered;
  });
}

/** A page to scrape, and the engine that does it. */
interface Scraping<Deps> {
  readonly task: ScrapeTask;
  readonly deps: Deps;
  readonly engine: Engine;
  readonly context: ScrapeContext;
}

/** Runs the stages by one route after the other, until the page is scraped. */
async function attemptAll<Deps extends SiteDeps, OfEngine extends SitePage>(
  { task, deps, engine, context }: Scraping<Deps>,
  stages: readonly Stage<OfEngine>[],
  open: (context: PageContext<Deps>) => OfEngine,
): Promise<Finding> {
  const { signal, proxies } = context;
  const deadlineMs = Math.min(task.deadlineMs, Date.now() + task.timeoutMs);
  const attempts = new Attempts<ScrapedPage>(task, { ...deps, proxies, engine });
  for (const attempt of attempts) {
    try {
      const page = open({ task, deps, engine, attempt, deadlineMs, signal });
      attempts.succeeded(await runAll(stages, page), page.source.statusCode);
    } catch (error) {
      attempts.failed(expiredIfUnauthorized(error, task));
    }
  }
  return findingOf(attempts.outcome, task);
}

async function runAll<OfEngine extends SitePage>(
  stages: readonly Stage<OfEngine>[],
  opened: OfEngine,
): Promise<ScrapedPage> {
  using page = opened;
  try {
    await runStages(stages, page);
  } catch (error) {
    throw redactError(error, page);
  }
  return { page: page.result, ...defined({ cookies: page.cookies }) };
}

/** A page of a job whose values come from a snapshot, or from a page that is reused. */
export type PageToExtract = PageCommand & { readonly kept: NonNullable<PageCommand['kept']> | null };

/** Outcome of such a page. */
export type KeptOutcome = Extract<PageOutcome['outcome'], { kind: 'found' | 'failed' }>;

/** Returns true for a page that is not to be fetched. */
export function isToExtract(page: PageCommand): page is PageToExtract {
  return page.kept !== undefined;
}

/** Extracts the values of a scrape from the page of an earlier request; undefined if it must be fetched. */
export async function extractReused(
  { requestId, kept, climb, ...command }: ScrapeCommand,
  deps: PageDeps,
  signal: AbortSignal,
): Promise<ScrapedResult | undefined> {
  if (!kept || climb || !isReused({ kept })) return undefined;
  const extracted = await extract({ ...command, requestId, kept }, deps, signal);
  return extracted.ok ? { ...extracted.page, attempts: [], price: { base: 0 } } : undefined;
}

/** Extracts the values of a page of a job from its snapshot. Failures are returned as outcomes, never thrown. */
export async function extractKept(
  command: PageToExtract,
  { pageReader }: Pick<PageDeps, 'pageReader'>,
  signal: AbortSignal,
): Promise<KeptOutcome> {
  const startedAt = performance.now();
  const { pageId, jobId, request } = command;
  const extracted = await extract(
    { ...command, requestId: pageId },
    { pageReader, jobIdOf: () => jobId },
    signal,
  );
  if (!extracted.ok) return { kind: 'failed', failure: toFailure(extracted.error) };
  const durationMs = Math.round(performance.now() - startedAt);
  return { kind: 'found', url: request.url, ...extracted.page, attempts: [], price: { base: 0 }, durationMs };
}

/** A page to extract from a kept one. */
type Extraction = Pick<ScrapeCommand, 'requestId' | 'accountId' | 'timeoutMs' | 'request'> &
  Pick<PageToExtract, 'kept'>;

type Extracted =
  | { readonly ok: true; readonly page: ScrapedPage['page'] }
  | { readonly ok: false; readonly error: AppError };

async function extract(
  { requestId, accountId, timeoutMs, request, kept }: Extraction,
  deps: PageDeps,
  signal: AbortSignal,
): Promise<Extracted> {
  const deadlineMs = Date.now() + timeoutMs;
  const context: PageContext<PageDeps> = {
    task: { requestId, accountId, deadlineMs, timeoutMs, request },
    deps,
    engine: kept?.engine ?? 'http',
    attempt: { clock: startStageClock() },
    deadlineMs,
    signal,
  };
  try {
    using page = new KeptPage(context, kept);
    await runStages(KEPT, page);
    return { ok: true, page: page.result };
  } catch (error) {
    return { ok: false, error: toAppError(error) };
  }
}
