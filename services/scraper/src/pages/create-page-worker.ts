import type { Broker, Incoming } from '@gleaner/broker';
import {
  AppError,
  type Climb,
  defined,
  type Engine,
  isStrain,
  LANE_MS,
  mayRepeat,
  type PageCommand,
  type PageFound,
  type PageOutcome,
  shownAttempts,
  type TracedAttempt,
  toFailure,
} from '@gleaner/contracts';
import type { AccountPlaces, Tracer } from '@gleaner/service-kit';
import type { RunningScrapes } from '../capacity/running-scrapes.ts';
import type { NoPageOutcome } from '../classify/no-page.ts';
import type { ClimbOutcome } from '../ladder/climb.ts';
import { noteAttempts } from '../ladder/note-attempts.ts';
import type { CrawlFileOutcome } from '../scrape/fetch-crawl-file.ts';
import type { ScrapeTask, TaskReply } from '../scrape/scrape.ts';
import { isToExtract, type KeptOutcome, type PageToExtract } from '../scrape/scrape-page.ts';
import type { CrawlFileTask } from '../scrape/stages/crawl-file.ts';
import { isReused } from '../scrape/stages/kept.ts';
import type { ClaimRegistry } from './claim-registry.ts';
import { laneOf, lostOf, overdueAtMsOf, pagesOf } from './lane.ts';
import { OutcomeSender } from './outcome-sender.ts';
import { type PageReport, publishOutcome } from './publish-outcome.ts';

/** Collaborators of a page worker. */
export interface PageWorkerDeps {
  /** The engine whose queue the pages come from. */
  readonly engine: Engine;
  readonly climb: (task: ScrapeTask, signal: AbortSignal) => Promise<ClimbOutcome>;
  readonly extractKept: (body: PageToExtract, signal: AbortSignal) => Promise<KeptOutcome>;
  readonly fetchCrawlFile: (task: CrawlFileTask, signal: AbortSignal) => Promise<CrawlFileOutcome>;
  readonly broker: Pick<Broker, 'publishWork'>;
  readonly running: RunningScrapes;
  readonly claims: ClaimRegistry;
  /** Bounds the pages at work: pages that outlive a broken connection still count. */
  readonly places: AccountPlaces;
  /** Aborted when the process is about to stop: pages under way are handed back. */
  readonly stopping: AbortSignal;
  readonly tracer: Tracer;
  /** Called with the reply to every page that was scraped. */
  readonly observe: (reply: TaskReply, durationMs: number) => void;
}

/**
 * Returns the handler of page messages: the outcomes of its pages are confirmed by the broker before a message is
 * acknowledged. Work goes on when the connection that brought the message breaks. A message that is delivered again is
 * not worked on: a live process that has it will report its outcomes, and if the process that had it died, a page may
 * be what killed it, so its pages are reported lost and the orchestrator decides.
 */
export function createPageWorker(workerDeps: PageWorkerDeps) {
  const deps = { ...workerDeps, outcomes: new OutcomeSender(workerDeps) };
  return async ({ body, signal, redelivered }: Incoming<PageCommand>): Promise<void> => {
    const { claims, running } = deps;
    if (running.isCancelled(body.jobId)) return;
    const claim = claimOf(body, deps.engine);
    if (!redelivered) return await claims.run(claim, () => workOnLane(body, deps));
    if (Date.now() > overdueAtMsOf(body)) return;
    const own = claims.find(claim);
    if (own) return await own;
    const asking = AbortSignal.any([signal, deps.stopping]);
    const isHeld = await claims.isHeldElsewhere(claim, asking);
    if (!isHeld) await publishOutcome(body, { outcome: lostOf(body) }, { ...deps, isLast: true });
    claims.finish(claim);
  };
}

interface WorkDeps extends PageWorkerDeps {
  readonly outcomes: OutcomeSender;
}

/** Names one message: a page that its ladder passes on to another engine is another message of the same attempt. */
function claimOf({ pageId, attempt, climb }: PageCommand, engine: Engine): string {
  return `${pageId} ${attempt} ${engine} ${climb?.rung ?? ''}`;
}

/**
 * Works on the pages of a lane, one after the other: while a page is read, and its outcome published, the next one is fetched.
 * Nothing further is started after the time of a lane, or when the host cannot bear it.
 */
async function workOnLane(body: PageCommand, deps: WorkDeps): Promise<void> {
  const { running, places, stopping } = deps;
  const { jobId, accountId } = body;
  let place: Disposable;
  try {
    place = await places.take(accountId, stopping);
  } catch {
    return await handBack(body, deps);
  }
  using _place = place;
  if (await deps.claims.isJobOver(jobId)) running.cancelJob(jobId);
  if (Date.now() > body.startBeforeMs) return await reportLate(body, deps);
  const goesOnUntilMs = performance.now() + LANE_MS;
  const waiting = pagesOf(body);
  const reports = new LaneReports(deps);
  let goesOn = true;
  for (let page = waiting.shift(); page && !running.isCancelled(jobId); page = waiting.shift()) {
    const isLast = waiting.length === 0;
    if (stopping.aborted) await reports.add(page, Promise.resolve('unfinished'), isLast);
    else if (!goesOn || performance.now() > goesOnUntilMs) {
      goesOn = false;
      await reports.add(page, Promise.resolve({ outcome: { kind: 'unstarted' } }), isLast);
    } else {
      const fetched = Promise.withResolvers<'fetched'>();
      const result = traced({ ...page, onFetched: () => fetched.resolve('fetched') }, deps);
      const adding = reports.add(page, result, isLast);
      const state = await Promise.race([fetched.promise, result]);
      goesOn = state === 'fetched' || mayGoOn(state);
      await adding;
    }
  }
  const [first, ...rest] = await reports.end();
  if (first) await handBack(laneOf(first, rest), deps);
}

/**
 * Drops pages that came too late; they are dispatched again once overdue. Unrepeatable requests are reported as unsent,
 * since no other process could know.
 */
async function reportLate(body: PageCommand, deps: WorkDeps): Promise<void> {
  if (mayRepeat(body.request)) return;
  await publishOutcome(body, { outcome: { kind: 'unstarted' } }, { ...deps, isLast: true });
}

/** Returns whether the next page of a lane may be fetched after this one. A page that was forwarded still has the host. */
function mayGoOn(result: PageResult): boolean {
  if (result === undefined || result === 'unfinished') return false;
  const { outcome } = result;
  return outcome.kind !== 'failed' || !isStrain(outcome.failure);
}

/** The reports on the pages of a lane, published in their order. */
class LaneReports {
  readonly #deps: WorkDeps;
  readonly #unfinished: PageCommand[] = [];
  readonly #publishing: Promise<void>[] = [];
  #previous: Promise<void> = Promise.resolve();

  constructor(deps: WorkDeps) {
    this.#deps = deps;
  }

  /** Publishes the report on a page once it is there. Resolves when the page before has its report, so that few are read at once. */
  async add(page: PageCommand, result: Promise<PageResult>, isLast: boolean): Promise<void> {
    const before = this.#previous;
    const reported = before.then(async () => {
      const report = await result;
      if (report === 'unfinished') this.#unfinished.push(page);
      else if (report) this.#publish(page, report, isLast);
    });
    // The lane goes on, and throws the error at its end.
    reported.catch(() => {});
    this.#previous = reported;
    await before;
  }

  /** Waits until the broker has all reports; returns the pages that the process left unfinished when it was stopped. */
  async end(): Promise<readonly PageCommand[]> {
    await this.#previous;
    await Promise.all(this.#publishing);
    return this.#unfinished;
  }

  #publish(page: PageCommand, report: PageReport, isLast: boolean): void {
    const publishing = publishOutcome(page, report, { ...this.#deps, isLast });
    publishing.catch(() => {});
    this.#publishing.push(publishing);
  }
}

/** A page at work, with the callback of its task. */
type PageAtWork = PageCommand & Pick<ScrapeTask, 'onFetched'>;

/** Works on a page as a span of its job's trace, if the job is traced. */
async function traced(body: PageAtWork, deps: WorkDeps): Promise<PageResult> {
  const { tracer, engine } = deps;
  const { traceparent: parent, jobId, pageId, attempt } = body;
  if (parent === undefined) return await workOn(body, deps);
  const attributes = { 'gleaner.job.id': jobId, 'gleaner.page.id': pageId, 'gleaner.round': attempt };
  return await tracer.run({ name: `pages.${engine} process`, kind: 'consumer', parent, attributes }, () =>
    workOn(body, deps),
  );
}

/** Report on a page; unfinished if the process stops, and undefined if no report is due: its job was cancelled, or it was forwarded. */
type PageResult = PageReport | 'unfinished' | undefined;

async function workOn({ onFetched, ...body }: PageAtWork, deps: WorkDeps): Promise<PageResult> {
  const { running, stopping } = deps;
  const { jobId, pageId } = body;
  const startedAt = performance.now();
  using scrape = running.start({ id: pageId, jobId }, stopping);
  const reported = (outcome: PageOutcome['outcome']): PageResult => {
    if (running.isCancelled(jobId)) return undefined;
    return stopping.aborted && outcome.kind === 'failed' ? 'unfinished' : { outcome };
  };
  if (isToExtract(body)) {
    const outcome = await inTime(body, scrape.signal, (signal) => deps.extractKept(body, signal));
    if (outcome.kind === 'found' || !isReused(body)) return reported(outcome);
  }
  const task = { ...taskOf(body), ...defined({ onFetched }) };
  if (isForFile(task)) {
    return reported(await inTime(body, scrape.signal, (signal) => deps.fetchCrawlFile(task, signal)));
  }
  const outcome = await inTime(body, scrape.signal, (signal) => deps.climb(task, signal));
  noteAttempts(outcome, { before: body.climb?.attempts, url: body.request.url }, deps.tracer);
  if (running.isCancelled(jobId)) return undefined;
  const durationMs = performance.now() - startedAt;
  if (outcome.kind === 'forward') return await forward(body, outcome, { ...deps, durationMs });
  if (stopping.aborted && !outcome.reply.ok && !outcome.reply.wasSent) return 'unfinished';
  deps.observe(outcome.reply, durationMs);
  return reportOf(body, outcome.reply, durationMs);
}

/**
 * Queues pages again, for another process, as a message that no process has had: a process that stops did not die
 * of its pages. Pages that it is too late for are dispatched again once they are overdue.
 */
async function handBack(body: PageCommand, { broker, engine, running }: PageWorkerDeps): Promise<void> {
  if (running.isCancelled(body.jobId) || Date.now() > body.startBeforeMs) return;
  const [error] = await broker.publishWork(`pages.${engine}`, [body]);
  if (error) throw error;
}

function taskOf(body: PageCommand): ScrapeTask {
  const { pageId, attempt, accountId, timeoutMs, request, secrets, profile, climb, crawl } = body;
  const { pauseMs, reuseKey } = body;
  const deadlineMs = Date.now() + timeoutMs;
  return {
    requestId: pageId,
    attempt,
    accountId,
    deadlineMs,
    timeoutMs,
    isOfJob: true,
    request: isEvidence(body) ? { ...request, snapshot: true } : request,
    ...defined({ pauseMs, reuseKey, secrets, profile, climb, crawl }),
  };
}

/** Returns whether a page is sent with its outcome because it shows the fields of its schedule. */
function isEvidence({ evidence = [], pageId }: PageCommand): boolean {
  return evidence.includes(pageId);
}

function isForFile(task: ScrapeTask): task is CrawlFileTask {
  return task.crawl !== undefined && task.crawl.purpose !== 'page';
}

async function inTime<Result>(
  body: PageCommand,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const expiry = new AbortController();
  const message = 'The time ran out while the page was being scraped.';
  const timer = setTimeout(
    () => expiry.abort(new AppError('TIMEOUT', { source: 'api', message })),
    body.timeoutMs,
  );
  try {
    return await work(AbortSignal.any([signal, expiry.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function reportOf(body: PageCommand, reply: TaskReply, durationMs: number): PageReport {
  const { request } = body;
  if (!reply.ok && reply.noPage)
    return { outcome: outcomeOf(reply.noPage, reply.attempts, Math.round(durationMs)) };
  if (!reply.ok) return { outcome: failed(reply, body) };
  const { screenshot, ...page } = reply.result;
  const outcome: PageFound = {
    kind: 'found',
    url: request.url,
    ...page,
    ...(!request.snapshot &&
      isEvidence(body) && { warnings: page.warnings.filter(({ code }) => code !== 'SNAPSHOT_NOT_KEPT') }),
    ...(body.profile && { session: body.profile.session }),
    durationMs: Math.round(durationMs),
  };
  return screenshot === undefined ? { outcome } : { outcome, screenshot };
}

function failed(
  { failure, attempts, wasSent, snapshot }: Extract<TaskReply, { ok: false }>,
  body: PageCommand,
): PageOutcome['outcome'] {
  const { profile } = body;
  const isSignedOut = profile && failure.code === 'PROFILE_EXPIRED';
  const signedOut = isSignedOut && { session: profile.session, revision: profile.revision };
  const shown = { ...failure, attempts: shownAttempts(attempts) };
  return {
    kind: 'failed',
    failure: shown,
    attempts,
    ...(signedOut && { signedOut }),
    ...(wasSent && { wasSent }),
    ...(snapshot && isEvidence(body) && { snapshot }),
  };
}

function outcomeOf(
  noPage: NoPageOutcome,
  attempts: readonly TracedAttempt[],
  durationMs: number,
): PageOutcome['outcome'] {
  if (noPage.kind !== 'notModified') return noPage;
  const timestamp = new Date().toISOString();
  const unmodified = attempts.map((attempt) => ({ ...attempt, outcome: 'success' as const }));
  return { ...noPage, timestamp, attempts: unmodified, durationMs };
}

interface ForwardDeps extends WorkDeps {
  /** Time that the attempt has taken so far. */
  readonly durationMs: number;
}

/**
 * Passes a page on to the workers of another engine, as the same attempt with the rest of its time. If this process dies
 * before the acknowledgement, the page is reported lost, which ends the attempt whatever the other worker reports.
 */
async function forward(
  body: PageCommand,
  { engine, climb }: { readonly engine: Engine; readonly climb: Climb },
  deps: ForwardDeps,
): Promise<PageReport | undefined> {
  const timeoutMs = Math.max(1, Math.floor(body.timeoutMs - deps.durationMs));
  const startBeforeMs = body.startBeforeMs + body.timeoutMs - timeoutMs;
  const traceparent = deps.tracer.current();
  const { kept: _kept, ...unread } = body;
  const forwarded = {
    ...unread,
    timeoutMs,
    startBeforeMs,
    climb,
    ...defined({ traceparent }),
  };
  const [error] = await deps.broker.publishWork(`pages.${engine}`, [forwarded]);
  return error && { outcome: { kind: 'failed', failure: toFailure(error) } };
}
