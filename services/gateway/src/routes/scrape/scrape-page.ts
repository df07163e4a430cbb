import {
  AppError,
  defined,
  engineFor,
  mayRepeat,
  type PackedPage,
  type ProfileUse,
  profileOf,
  reuseKeyOf,
  type ScrapeCommand,
  type ScrapeRequest,
  type ScrapeResult,
  type TracedAttempt,
  timeoutMsOf,
  worstCreditsOf,
} from '@gleaner/contracts';
import type { CacheKeeper, NewSnapshot, Stores } from '@gleaner/storage';
import type { CheckedCall } from '../handler.ts';
import { findSealedSecrets } from '../secrets/find-sealed-secrets.ts';
import type { TraceLog } from '../system/trace-log.ts';
import { askWorker, requireWorker, type WorkerDeps } from './ask-worker.ts';
import { checkScrapeRequest, type ScrapeRules } from './check-scrape-request.ts';
import { findProfile } from './find-profile.ts';
import { type ChargeDeps, holdCredits } from './hold-credits.ts';
import { withModelPrice } from './model-rules.ts';
import { useProfile } from './use-profile.ts';

/** Collaborators of scraping pages. */
export interface ScrapeDeps extends WorkerDeps, ChargeDeps {
  readonly rules: ScrapeRules;
  readonly snapshots: Stores['snapshots'];
  readonly secrets: Stores['secrets'];
  readonly profiles: Stores['profiles'];
  readonly traceLog: Pick<TraceLog, 'add'>;
  /** Time and total size for which the pages of an account are kept. */
  readonly keeping: Pick<NewSnapshot, 'retentionMs' | 'quotaBytes'>;
  readonly cache: Pick<CacheKeeper, 'keep' | 'find'>;
}

/** Call that scrapes a page. */
export type ScrapeCall = Omit<CheckedCall<'scrape'>, 'params' | 'query' | 'headers'>;

/** A page that was scraped and paid for. */
export interface ScrapedPage {
  readonly result: ScrapeResult;
  /** Id of the page that was kept, if it was. */
  readonly snapshotId: string | undefined;
}

/** Scrapes a page: check → find a worker → hold credits → ask the worker → wait for the count → keep the page → charge. */
export async function scrapePage(call: ScrapeCall, deps: ScrapeDeps): Promise<ScrapedPage> {
  const { id, caller, body, arrivedAtMs, admission } = call;
  const checked = withModelPrice(checkScrapeRequest(body, deps.rules), deps.rules);
  const { profile, options: request } = await findProfile(checked, caller.account.id, deps);
  const secrets = await findSealedSecrets({ actions: request.actions }, caller.account.id, deps);
  // A call that is refused may come again, and must not have been carried out then.
  if (!mayRepeat(request)) await admission;
  const deadlineMs = arrivedAtMs + timeoutMsOf(request);
  await requireWorker(engineFor(request), deps);
  const credits = worstCreditsOf(request);
  const held = await holdCredits({ id, caller, credits, deadlineMs }, deps);
  const signal = abortsWhenRefused(call);
  const reuse = await findReusable(request, caller.account.id, deps);
  const ask = (use?: ProfileUse) =>
    askWorker(
      {
        requestId: id,
        accountId: caller.account.id,
        deadlineMs,
        request,
        timeoutMs: Math.max(1, deadlineMs - Date.now()),
        ...reuse,
        ...(secrets.length > 0 && { secrets }),
        ...defined({ profile: use }),
      },
      signal,
      deps,
    );
  const isSaved = profileOf(request)?.save ?? false;
  const use = { isSaved, mayRepeat: mayRepeat(request), deadlineMs, signal };
  const scraped = profile ? useProfile(profile, ask, use, deps) : ask();
  const asked = traced(scraped, call, deps);
  const kept = admitted(asked, admission).then(async (result) => {
    await keepForReuse(result, caller.account.id, deps);
    return { result, snapshotId: await keepSnapshot(result.snapshot, caller.account.id, deps) };
  });
  const page = await kept.catch(async (error: unknown) => {
    await held.release();
    throw error;
  });
  await held.charge(page.result.price, page.result.cache && 'cached');
  return page;
}

/** Finds the page as the account has fetched it before, and the key to keep it under. */
async function findReusable(
  request: ScrapeRequest,
  accountId: string,
  { cache }: ScrapeDeps,
): Promise<Pick<ScrapeCommand, 'reuseKey' | 'kept'>> {
  const reuseKey = reuseKeyOf(request, accountId);
  if (reuseKey === undefined) return {};
  const found = await cache.find({ accountId, keys: [reuseKey], maxAgeMs: request.maxAge ?? 0 });
  return { reuseKey, ...defined({ kept: found.get(reuseKey) }) };
}

/** Keeps a page that was fetched for other requests with `maxAge`. */
async function keepForReuse(
  { reusable: page, engine, timestamp }: ScrapeResult,
  accountId: string,
  { cache }: ScrapeDeps,
): Promise<void> {
  if (page) await cache.keep([{ accountId, page, engine, timestamp }]);
}

/** Notes the trace of a scrape that a worker has answered. */
async function traced(
  asked: Promise<ScrapeResult>,
  { caller, requestId, body: request, startedAtMs }: ScrapeCall,
  { traceLog }: ScrapeDeps,
): Promise<ScrapeResult> {
  const note = (state: string, attempts: readonly TracedAttempt[], message?: string) =>
    traceLog.add({
      accountId: caller.account.id,
      requestId,
      request,
      state,
      attempts,
      ...defined({ message }),
      durationMs: performance.now() - startedAtMs,
    });
  try {
    const result = await asked;
    note('success', result.attempts);
    return result;
  } catch (error) {
    if (error instanceof AppError && error.attempts) note(error.code, error.attempts, error.message);
    throw error;
  }
}

/** Returns a signal that aborts when the client disconnects, or when the rate limit refuses the call. */
function abortsWhenRefused({ signal, admission }: ScrapeCall): AbortSignal {
  const refused = new AbortController();
  admission.catch((rejection: unknown) => refused.abort(rejection));
  return AbortSignal.any([signal, refused.signal]);
}

/** Returns the result once the call is counted as well; throws the error of the rate limit otherwise. */
async function admitted<Result>(work: Promise<Result>, admission: Promise<void>): Promise<Result> {
  const result = await work;
  await admission;
  return result;
}

/** Keeps the page that the worker returned, if any, and returns its id. */
async function keepSnapshot(
  page: PackedPage | undefined,
  accountId: string,
  { clock, snapshots, keeping }: ScrapeDeps,
): Promise<string | undefined> {
  return page && (await snapshots.insertSnapshot({ accountId, page, now: clock.now(), ...keeping }));
}
