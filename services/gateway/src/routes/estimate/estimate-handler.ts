import {
  AppError,
  type CreateJobRequest,
  type CreateScheduleRequest,
  type ErrorDetail,
  type Estimate,
  type EstimateRequest,
  engineFor,
  isMapRequest,
  jobRequestOf,
  MAP_DEFAULTS,
  type MapRequest,
  type ScrapeRequest,
  settingsOf,
  urlsOf,
} from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';
import { requireScope } from '../../middleware/check-request.ts';
import { commandSchedule, expectOutcome } from '../commands.ts';
import type { CheckedCall, Handler } from '../handler.ts';
import { checkDataset } from '../jobs/check-dataset.ts';
import { checkJobRequest, findJobUrlErrors, requireBrowser } from '../jobs/check-job-request.ts';
import { checkSink } from '../jobs/check-sink.ts';
import { withinLimits } from '../jobs/crawl/check-crawl.ts';
import type { CreateJobDeps } from '../jobs/create-job.ts';
import { checkMapRequest, requireMapper } from '../map/map-site.ts';
import { placed, withRecipe } from '../recipes/resolve/apply-recipe.ts';
import type { PlacedUrl, RecipeReader } from '../recipes/resolve/find-recipe.ts';
import { checkSettings } from '../schedules/check-settings.ts';
import { checkChannels, checkConditions } from '../schedules/find-rule-errors.ts';
import { requireWorker, type WorkerDeps } from '../scrape/ask-worker.ts';
import { checkScrapeRequest } from '../scrape/check-scrape-request.ts';
import { findProfile } from '../scrape/find-profile.ts';
import { withModelPrice } from '../scrape/model-rules.ts';
import { type Cost, costOfJob, costOfMap, costOfScrape } from './estimate-cost.ts';
import { lookAtPages } from './look-at-pages.ts';

type EstimateDeps = WorkerDeps &
  RecipeReader &
  Pick<CreateJobDeps, 'rules' | 'accounts' | 'datasets' | 'jobs' | 'secrets' | 'profiles'> & {
    readonly channels: Pick<Stores['channels'], 'listChannels'>;
  };
type EstimateCall = Pick<CheckedCall<'estimate'>, 'caller' | 'signal'>;

/** An estimate, and the job that does the same. */
interface Estimated {
  readonly estimate: Estimate;
  readonly request: CreateJobRequest;
}

/** Handles `POST /v1/estimate`: check the body as its route does → count the cost → look for problems → look at some pages, if asked to. Nothing is created. */
export const estimateHandler: Handler<'estimate', EstimateDeps> = async (
  { id, caller, body, query, signal, admission },
  deps,
) => {
  await admission;
  const { estimate, request } = await estimateOf(body, { caller, signal }, deps);
  const isLook = query.look === 'true';
  const whole = isLook ? await lookAtPages(request, estimate, { id, caller, signal }, deps) : estimate;
  return { success: true, estimate: whole };
};

async function estimateOf(
  given: EstimateRequest,
  call: EstimateCall,
  deps: EstimateDeps,
): Promise<Estimated> {
  // Before the profile is looked for, whose absence would tell of it.
  requireScope(call.caller, scopeOf(given));
  // A profile brings its proxy, which costs.
  const accountId = call.caller.account.id;
  const resolved = await withRecipe(given as ScrapeRequest, pagesOf(given), accountId, deps);
  const whole = withModelPrice(resolved as ScrapeRequest, deps.rules) as EstimateRequest;
  const { options: body } = await findProfile(whole, accountId, deps);
  if ('cron' in body) return estimateSchedule(body, call, deps);
  if ('urls' in body || 'requests' in body) return estimateJob(jobRequestOf(body), call, deps);
  return isMapRequest(body) ? estimateMap(body, call, deps) : estimateScrape(body, call, deps);
}

/** Returns the URLs of a body with their paths. */
function pagesOf(body: EstimateRequest): PlacedUrl[] {
  if ('requests' in body && body.requests)
    return placed(
      body.requests.map(({ url }) => url),
      (index) => `requests.${index}.url`,
    );
  if ('urls' in body && body.urls) return placed(body.urls, (index) => `urls.${index}`);
  return 'url' in body && body.url !== undefined ? [{ url: body.url, path: 'url' }] : [];
}

/** Returns the scope of the estimated route. */
function scopeOf(body: EstimateRequest): 'schedules' | 'jobs' | 'scrape' {
  if ('cron' in body) return 'schedules';
  return 'urls' in body || 'requests' in body ? 'jobs' : 'scrape';
}

/** Finds the bad URLs of a body that its schema rejects, as the route of jobs does. */
export async function findEstimateErrors(
  body: unknown,
  rules: EstimateDeps['rules'],
): Promise<ErrorDetail[]> {
  const isSchedule = typeof body === 'object' && body !== null && 'cron' in body;
  return isSchedule ? [] : await findJobUrlErrors(body, rules);
}

async function estimateScrape(
  request: ScrapeRequest,
  { caller }: EstimateCall,
  deps: EstimateDeps,
): Promise<Estimated> {
  const { url, ...options } = checkScrapeRequest(request, deps.rules);
  const checks = [() => requireWorker(engineFor(request), deps)];
  const estimate = await describe('scrape', { cost: costOfScrape(request), caller, checks }, deps);
  return { estimate, request: { ...options, urls: [url] } };
}

async function estimateMap(
  request: MapRequest,
  { caller }: EstimateCall,
  deps: EstimateDeps,
): Promise<Estimated> {
  await checkMapRequest(request, deps.rules);
  const checks = [() => requireMapper(deps)];
  const estimate = await describe('map', { cost: costOfMap(request), caller, checks }, deps);
  const { url, limit = MAP_DEFAULTS.limit, depth, search, maxCredits, timeout, ...reach } = request;
  return { estimate, request: { urls: [url], crawl: { ...reach, limit } } };
}

async function estimateJob(
  request: CreateJobRequest,
  { caller }: EstimateCall,
  deps: EstimateDeps,
): Promise<Estimated> {
  await checkJobRequest(request, caller, deps);
  const cost = await costOfJob(withinLimits(request, deps.rules));
  const checks = [() => requireBrowser(request, deps)];
  return {
    estimate: await describe(request.crawl ? 'crawl' : 'job', { cost, caller, checks }, deps),
    request,
  };
}

async function estimateSchedule(
  request: CreateScheduleRequest,
  { caller, signal }: EstimateCall,
  deps: EstimateDeps,
): Promise<Estimated> {
  const settings = withinLimits(settingsOf(request), deps.rules);
  await checkSettings(settings, deps.rules);
  checkSink(settings, caller.account.id, deps.rules);
  await checkDataset(settings, caller.account.id, deps);
  checkConditions(settings);
  const { cron, timezone } = settings;
  const preview = { type: 'preview' as const, timing: { cron, timezone, count: PREVIEWED_RUNS } };
  const { runs } = expectOutcome(await commandSchedule(preview, deps, signal), 'previewed');
  const { url, name, overlap, notify, cron: _cron, timezone: _timezone, ...options } = settings;
  const job = { ...options, urls: urlsOf(settings) };
  const checks = [
    () => requireBrowser(settings, deps),
    () => checkChannels(settings, caller.account.id, deps),
  ];
  const estimate = await describe('schedule', { cost: await costOfJob(job), caller, checks }, deps);
  return { estimate: { ...estimate, runsPerDay: runsPerDay(runs) }, request: job };
}

const PREVIEWED_RUNS = 20;
const DAY_MS = 24 * 3600 * 1000;

/** Returns the number of runs in a day at the pace of these, with two decimals. */
function runsPerDay(runs: readonly string[]): number {
  const spanMs = Date.parse(runs.at(-1) ?? '') - Date.parse(runs[0] ?? '');
  return spanMs > 0 ? Math.round(((runs.length - 1) / spanMs) * DAY_MS * 100) / 100 : 0;
}

interface Found {
  readonly cost: Cost;
  readonly caller: Caller;
  /** Checks of what the service lacks; each throws the error of the real request. */
  readonly checks: readonly (() => Promise<void>)[];
}

async function describe(
  of: Estimate['of'],
  { cost: { required, ...cost }, caller, checks }: Found,
  { accounts }: Pick<EstimateDeps, 'accounts'>,
): Promise<Estimate> {
  const checkCredits = async () => {
    const account = caller.account.balance === null ? null : await accounts.findAccount(caller.account.id);
    if (account?.balance != null) requireBalance(account.balance, cost.credits.worst, required);
  };
  const found = await Promise.all([checkCredits, ...checks].map(problemOf));
  return { of, ...cost, problems: found.flat() };
}

/** Throws INSUFFICIENT_CREDITS where a balance does not cover the worst case; a crawl may start with less. */
function requireBalance(balance: number, worst: number, required: number): void {
  if (balance >= worst) return;
  const starts = balance >= required ? ' It starts, and stops when no page can be paid for.' : '';
  throw new AppError('INSUFFICIENT_CREDITS', {
    message: `The account has too few credits: this may cost ${worst}, and the balance is ${balance}.${starts}`,
  });
}

/** Returns the error of a check as a problem. */
async function problemOf(check: () => Promise<void>): Promise<Estimate['problems']> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, suggestion } = error;
    return [{ code, message, suggestion }];
  }
}
