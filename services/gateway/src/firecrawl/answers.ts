import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AppError,
  type Checked,
  type CreateJobRequest,
  compileSchema,
  defined,
  describePage,
  FIRECRAWL_PREVIEW,
  firecrawlDocument,
  firecrawlIdOf,
  jobIdOfFirecrawl,
  jobRequestOf,
  type MapResult,
  parseInTurns,
  ROUTES,
  type RouteBody,
  type RouteName,
  renderExtracted,
  type ScrapeRequest,
  type ScrapeResponse,
  type ScrapeResult,
  screenshotOf,
} from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import type { UploadedFile } from '../body/parse-upload.ts';
import { summarizeDetails } from '../responses/summarize-details.ts';
import { summarizeUsage, type UsageDeps } from '../routes/account/usage-handler.ts';
import type { ExtractDeps } from '../routes/content/extract-handler.ts';
import type { CheckedCall } from '../routes/handler.ts';
import { type CreateJobDeps, cancelJob, createJob } from '../routes/jobs/create-job.ts';
import { findJob } from '../routes/jobs/find-job.ts';
import type { JobDeps } from '../routes/jobs/job-handlers.ts';
import { type MapDeps, mapSite } from '../routes/map/map-site.ts';
import type { RecipeReader } from '../routes/recipes/resolve/find-recipe.ts';
import { type ScrapeDeps, scrapePage } from '../routes/scrape/scrape-page.ts';
import type { SearchWebDeps } from '../routes/search/search-web.ts';
import { type ReadDeps, readErrors, readStatus } from './read-job.ts';
import {
  type JobTranslationRules,
  translateBatch,
  translateCrawl,
  translateMap,
  withScheme,
} from './translate-job.ts';
import { type Translation, translatePage } from './translate-scrape.ts';

/** Collaborators of the answers. */
export type AnswerDeps = ReadDeps &
  ScrapeDeps &
  MapDeps &
  UsageDeps &
  CreateJobDeps &
  SearchWebDeps &
  Pick<ExtractDeps, 'extractPlaces'> &
  RecipeReader &
  Pick<JobDeps, 'jobs'> & {
    readonly rules: JobTranslationRules;
    /** Scrapes that a key may have in flight. */
    readonly scrapesInFlight: number;
  };

/** Call of an endpoint: authenticated, within its limits, its body and its query checked against the schemas of the endpoint. */
export interface EndpointCall extends Omit<CheckedCall<RouteName>, 'body' | 'query' | 'headers'> {
  // biome-ignore lint/suspicious/noExplicitAny: the table of options that it was checked against says what it is.
  readonly body: any;
  readonly query: { readonly skip?: number; readonly limit?: number };
  readonly idempotencyKey: string | undefined;
  /** The file of an upload, whose options are the body. */
  readonly file?: UploadedFile;
  /** Address of this version of the API, as the caller wrote it. */
  readonly baseUrl: string;
}

/** Carries out a call of an endpoint. */
export type Answer = (call: EndpointCall, deps: AnswerDeps) => Promise<object>;

/** Answers `POST /scrape`. */
export const scrape: Answer = async (call, deps) => {
  const { url, ...options } = call.body;
  const { options: translated, warnings } = translatePage(options, deps.rules);
  const body = checked('scrape', { url: withScheme(url), ...translated });
  const { result } = await scrapePage({ ...call, body }, deps);
  const durationMs = Math.round(performance.now() - call.startedAtMs);
  return { success: true, data: await documentOf(result, { request: body, durationMs, warnings }) };
};

/** Properties of a document besides the result of its page. */
interface DocumentContext {
  readonly request: Pick<ScrapeRequest, 'url' | 'screenshot'>;
  readonly durationMs: number;
  readonly warnings?: readonly string[];
}

/** Returns a page that was scraped as a document of Firecrawl's API. */
export async function documentOf(
  result: ScrapeResult,
  { request, durationMs, ...context }: DocumentContext,
): Promise<object> {
  const { format = 'png' } = screenshotOf(request) ?? {};
  const screenshot = result.screenshot && `data:image/${format};base64,${result.screenshot}`;
  const described = describePage(result, { url: request.url, durationMs });
  const text = renderExtracted(result, { success: true }, described);
  const page = (await parseInTurns(text)) as Omit<ScrapeResponse, 'requestId'>;
  // A page may be large: it is written in a turn of its own.
  await nextTurn();
  return firecrawlDocument(page, { screenshot, ...context });
}

/** Answers `POST /batch/scrape`. */
export const createBatch: Answer = async (call, deps) => {
  const { options, warnings, invalidUrls } = await translateBatch(call.body, deps.rules);
  const created = await startJob(call, { options, warnings, path: '/batch/scrape' }, deps);
  return { ...created, ...defined({ invalidURLs: invalidUrls }) };
};

/** Answers `POST /batch/scrape` of version 1, which refuses bad URLs unless it is told to leave them out. */
export const createBatchOfV1: Answer = async (call, deps) =>
  await createBatch({ ...call, body: { ignoreInvalidURLs: false, ...call.body } }, deps);

/** Answers `POST /crawl`. */
export const createCrawl: Answer = async (call, deps) =>
  await startJob(call, { ...translateCrawl(call.body, deps.rules), path: '/crawl' }, deps);

/** Creates a job by the translation of a call, and returns its id and its address. */
export async function startJob(
  call: EndpointCall,
  { options, warnings, path }: Translation<CreateJobRequest> & { readonly path: string },
  deps: AnswerDeps,
): Promise<object> {
  required(checkHeaders(defined({ 'idempotency-key': call.idempotencyKey })));
  const { webhook, ...given } = options;
  // The schema of the route does not know this form of a webhook.
  const request = { ...jobRequestOf(checked('createJob', given)), ...defined({ webhook }) };
  const job = await createJob(request, call, {}, deps);
  const id = firecrawlIdOf(job.id);
  return {
    success: true,
    id,
    url: `${call.baseUrl}${path}/${id}`,
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
  };
}

const checkHeaders = compileSchema(ROUTES.createJob.headers);

/** Answers `POST /crawl/params-preview`: a prompt makes no options here. */
export const previewCrawl: Answer = async ({ body }) => ({
  success: true,
  data: { url: withScheme(body.url) },
  warning: `prompt has no effect: ${FIRECRAWL_PREVIEW.prompt.note}`,
});

/** Answers `POST /map` of version 2. */
export const map: Answer = async (call, deps) => {
  const { links, warnings } = await findLinks(call, deps);
  return { success: true, links, ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
};

/** Answers `POST /map` of version 1, whose links are URLs alone. */
export const mapOfV1: Answer = async (call, deps) => {
  const { links } = await findLinks(call, deps);
  return { success: true, links: links.map(({ url }) => url) };
};

async function findLinks(call: EndpointCall, deps: AnswerDeps) {
  const { options, warnings } = translateMap(call.body);
  const { mapJson } = await mapSite({ ...call, body: checked('map', options) }, deps);
  const { urls }: MapResult = JSON.parse(mapJson);
  return {
    links: urls.map(({ url, text }) => ({ url, ...defined({ title: text }) })),
    warnings,
  };
}

/** Returns the answer of `GET /crawl/{id}` and of `GET /batch/scrape/{id}`. */
export function readState(path: string): Answer {
  return async ({ caller, signal, params: { id = '' }, query: { skip = 0, limit }, baseUrl }, deps) => {
    const job = await findJob(caller, jobIdOfFirecrawl(id), deps);
    const nextUrl = (next: number) => {
      const query = new URLSearchParams({
        skip: `${next}`,
        ...(limit !== undefined && { limit: `${limit}` }),
      });
      return `${baseUrl}${path}/${firecrawlIdOf(job.id)}?${query}`;
    };
    return await readStatus(job, { skip, limit, nextUrl }, { caller, signal }, deps);
  };
}

/** Answers `GET /crawl/{id}/errors`. */
export const listErrors: Answer = async ({ caller, params: { id = '' }, signal }, deps) =>
  readErrors(await findJob(caller, jobIdOfFirecrawl(id), deps), { caller, signal }, deps);

/** Answers `DELETE /crawl/{id}`. */
export const cancel: Answer = async (call, deps) => {
  await cancelJob(jobIdOfFirecrawl(call.params.id ?? ''), call, deps);
  return { success: true, status: 'cancelled' };
};

/** Jobs that one answer names at most. */
const MAX_ACTIVE = 100;

/** Answers `GET /crawl/active`: the crawls that wait or run, newest first. */
export const listActive: Answer = async ({ caller: { account } }, { jobs, pages }) => {
  const part = { limit: MAX_ACTIVE, offset: 0 };
  // In the order of the states, so that a crawl that starts between the reads is in one list at least.
  const waiting = await jobs.listJobs(account.id, { status: 'pending', ...part });
  const running = await jobs.listJobs(account.id, { status: 'running', ...part });
  const listed = [...waiting.jobs, ...running.jobs].map((job) => [job.id, job] as const);
  const active = [...new Map(listed).values()].filter(({ crawl }) => crawl !== undefined);
  const starts = await pages.findPages(active.map(({ id }) => pageIdOf(id, 0)));
  const urls = new Map(starts.map(({ id, url }) => [id, url]));
  const crawls = active.map(({ id, createdAt }) => ({
    id: firecrawlIdOf(id),
    teamId: account.id,
    url: urls.get(pageIdOf(id, 0)) ?? '',
    status: 'scraping',
    created_at: createdAt.toISOString(),
    options: { scrapeOptions: {} },
  }));
  // The schema of the API requires `data`, and its SDKs read `crawls`.
  return { success: true, crawls, data: crawls };
};

/** Stands for a balance without a limit: the API has numbers alone. */
const UNLIMITED = 999_999_999;

/** Answers `GET /team/credit-usage`. */
export const readCredits: Answer = async (call, deps) => {
  const { remaining, from, to } = await summarizeUsage({}, call, deps);
  const credits = remaining ?? UNLIMITED;
  const period = { billingPeriodStart: from, billingPeriodEnd: to };
  return { success: true, data: { remainingCredits: credits, planCredits: credits, ...period } };
};

/** Answers `GET /team/token-usage`: models have tokens, and there are no models here. */
export const readTokens: Answer = async () => ({
  success: true,
  data: { remainingTokens: 0, planTokens: 0, billingPeriodStart: null, billingPeriodEnd: null },
});

/** Answers `GET /team/queue-status`. */
export const readQueue: Answer = async ({ caller: { account } }, { jobs, scrapesInFlight }) => {
  const [waiting, active, finished] = await Promise.all(
    (['pending', 'running', 'completed'] as const).map((status) =>
      jobs.listJobs(account.id, { status, limit: 1, offset: 0 }),
    ),
  );
  const [waits = 0, runs = 0] = [waiting?.total, active?.total];
  return {
    success: true,
    jobsInQueue: waits + runs,
    activeJobsInQueue: runs,
    waitingJobsInQueue: waits,
    maxConcurrency: scrapesInFlight,
    mostRecentSuccess: finished?.jobs[0]?.completedAt?.toISOString() ?? null,
  };
};

/** Answers `GET /concurrency-check`. */
export const readConcurrency: Answer = async ({ caller: { account } }, { jobs, scrapesInFlight }) => {
  const { total } = await jobs.listJobs(account.id, { status: 'running', limit: 1, offset: 0 });
  return { success: true, concurrency: total, maxConcurrency: scrapesInFlight };
};

/** Returns the translated body of a route, which its own schema accepts. Throws INVALID_REQUEST otherwise. */
export function checked<Name extends 'scrape' | 'createJob' | 'map' | 'search'>(
  name: Name,
  body: object,
): RouteBody<Name> {
  return required(compileSchema(ROUTES[name].body)(body)) as RouteBody<Name>;
}

function required<Value>(result: Checked<Value>): Value {
  if (result.ok) return result.value;
  const { details } = result;
  throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}
