import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker, Incoming } from '@gleaner/broker';
import {
  AppError,
  type Climb,
  type Engine,
  type PageCommand,
  type PageFound,
  type PageOutcome,
  type ScrapeCommand,
  type ScrapeReply,
  toFailure,
} from '@gleaner/contracts';
import type { Ascent } from '../ladder/climb.ts';
import type { RunningScrapes } from '../running-scrapes.ts';

/** What working on pages of jobs takes. */
export interface PageWorkerDeps {
  readonly climb: (command: ScrapeCommand, signal: AbortSignal) => Promise<Ascent>;
  readonly broker: Pick<Broker, 'publishWork'>;
  readonly running: RunningScrapes;
  /** Told of every scrape that has ended. */
  readonly observe: (reply: ScrapeReply, durationMs: number) => void;
}

/**
 * Works on pages of jobs: what came of a page is safe with the broker before its message is acknowledged. A message
 * that another worker had before is not worked on: it may be what ended that worker, so the orchestrator decides.
 */
export function createPageWorker(deps: PageWorkerDeps) {
  return async ({ body, signal, redelivered }: Incoming<PageCommand>): Promise<void> => {
    const { jobId, startBeforeMs } = body;
    if (deps.running.isCancelled(jobId) || Date.now() > startBeforeMs) return;
    if (redelivered) return await publish(body, { outcome: { kind: 'lost' } }, signal, deps);
    const startedAt = performance.now();
    const ascent = await deps.running.run({ id: body.pageId, jobId }, signal, (scrapeSignal) =>
      withinTime(body.timeoutMs, scrapeSignal, (bound) => deps.climb(commandOf(body), bound)),
    );
    signal.throwIfAborted();
    if (deps.running.isCancelled(jobId)) return;
    const durationMs = performance.now() - startedAt;
    if (ascent.kind === 'forward') return await forward(body, ascent, { ...deps, signal, durationMs });
    deps.observe(ascent.reply, durationMs);
    await publish(body, tidingsOf(body, ascent.reply, durationMs), signal, deps);
  };
}

function commandOf({ pageId, accountId, timeoutMs, request, climb }: PageCommand): ScrapeCommand {
  const deadlineMs = Date.now() + timeoutMs;
  return { requestId: pageId, accountId, deadlineMs, timeoutMs, request, ...(climb && { climb }) };
}

async function withinTime<Result>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const expiry = new AbortController();
  const message = 'The time ran out while a worker had the page.';
  const timer = setTimeout(
    () => expiry.abort(new AppError('TIMEOUT', { source: 'api', message })),
    timeoutMs,
  );
  try {
    return await work(AbortSignal.any([signal, expiry.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** What the orchestrator is told of a try. */
type Tidings =
  | { readonly outcome: PageOutcome['outcome'] }
  | { readonly outcome: PageFound; readonly screenshot: string };

function tidingsOf({ request }: PageCommand, reply: ScrapeReply, durationMs: number): Tidings {
  if (!reply.ok) return { outcome: { kind: 'failed', failure: reply.failure } };
  const { dataJson, warnings, finalUrl, statusCode, timestamp, engine, attempts, price, screenshot } =
    reply.result;
  const outcome: PageFound = {
    kind: 'found',
    url: request.url,
    ...{ dataJson, warnings, finalUrl, statusCode, timestamp, engine, attempts, price },
    durationMs: Math.round(durationMs),
  };
  return screenshot === undefined ? { outcome } : { outcome, screenshot };
}

interface ForwardDeps extends PageWorkerDeps {
  readonly signal: AbortSignal;
  /** What the try has taken so far. */
  readonly durationMs: number;
}

/**
 * Passes a page on to the workers of another engine, as the same try with the rest of its time: who takes it late leaves
 * it, as before. Dying before the acknowledgement has the page reported lost, which ends this try for all.
 */
async function forward(
  body: PageCommand,
  { engine, climb }: { readonly engine: Engine; readonly climb: Climb },
  deps: ForwardDeps,
): Promise<void> {
  const { signal, broker } = deps;
  const timeoutMs = Math.max(1, Math.floor(body.timeoutMs - deps.durationMs));
  const startBeforeMs = body.startBeforeMs + body.timeoutMs - timeoutMs;
  const [fault] = await broker.publishWork(
    `pages.${engine}`,
    [{ ...body, timeoutMs, startBeforeMs, climb }],
    signal,
  );
  if (fault) await publish(body, { outcome: { kind: 'failed', failure: toFailure(fault) } }, signal, deps);
}

const RETRY_MS = 500;

/** Publishes until the broker has it, or the message is no longer ours; what fits into no message becomes a failure. */
async function publish(
  { jobId, pageId, attempt }: PageCommand,
  tidings: Tidings,
  signal: AbortSignal,
  { broker }: PageWorkerDeps,
): Promise<void> {
  let body = { jobId, pageId, attempt, ...tidings };
  for (;;) {
    const [fault] =
      'screenshot' in body
        ? await broker.publishWork('pages.screenshots', [body], signal)
        : await broker.publishWork('pages.results', [body], signal);
    if (!fault) return;
    if (fault.code === 'PAYLOAD_TOO_LARGE') {
      const failure = toFailure(tooLarge(fault));
      body = { jobId, pageId, attempt, outcome: { kind: 'failed', failure } };
    } else await sleep(RETRY_MS, undefined, { signal });
  }
}

function tooLarge(cause: AppError): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `What was extracted from the page, its screenshot included, is too large to keep. ${cause.message}`,
    suggestion: 'Ask for less of the page: fewer or narrower selectors, or no screenshot.',
    cause,
  });
}
