import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AppError,
  type Checked,
  type CreateJobRequest,
  compileSchema,
  FIRECRAWL_PREVIEW,
  firecrawlDocument,
  firecrawlIdOf,
  jobIdOfFirecrawl,
  type MapResult,
  ROUTES,
  type RouteBody,
  type RouteName,
  type ScrapeResponse,
  screenshotOf,
} from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import { JsonText, JsonWithHeaders } from '../responses/responses.ts';
import { summarizeDetails } from '../responses/summarize-details.ts';
import type { CheckedCall, Handlers } from '../routes/handler.ts';
import { findJob, type ReadDeps, readErrors, readStatus } from './read-job.ts';
import {
  type JobTranslationRules,
  translateBatch,
  translateCrawl,
  translateMap,
  withScheme,
} from './translate-job.ts';
import { type Translation, translatePage } from './translate-scrape.ts';

/** Collaborators of the answers. */
export interface AnswerDeps extends ReadDeps {
  readonly handlers: Handlers;
  readonly rules: JobTranslationRules;
  /** Scrapes that a key may have in flight. */
  readonly scrapesInFlight: number;
}

/** Call of an endpoint: authenticated, within its limits, its body and its query checked against the schemas of the endpoint. */
export interface EndpointCall extends Omit<CheckedCall<RouteName>, 'body' | 'query' | 'headers'> {
  // biome-ignore lint/suspicious/noExplicitAny: the table of options that it was checked against says what it is.
  readonly body: any;
  readonly query: { readonly skip?: number; readonly limit?: number };
  readonly idempotencyKey: string | undefined;
  /** Address of this version of the API, as the caller wrote it. */
  readonly baseUrl: string;
}

/** Carries out a call of an endpoint. */
export type Answer = (call: EndpointCall, deps: AnswerDeps) => Promise<object>;

/** Answers `POST /scrape`. */
export const scrape: Answer = async (call, { handlers, rules }) => {
  const { url, ...page } = call.body;
  const { options, warnings } = translatePage(page, rules);
  const body = checked('scrape', { url: withScheme(url), ...options });
  const result: ScrapeResponse = parsed(await handlers.scrape({ ...call, ...NO_INPUT, body }));
  const { format = 'png' } = screenshotOf(options) ?? {};
  const screenshot = result.screenshot && `data:image/${format};base64,${result.screenshot}`;
  // A page may be large: it is read in one turn of the event loop, and written in the next.
  await nextTurn();
  return { success: true, data: firecrawlDocument(result, { screenshot, warnings }) };
};

/** Answers `POST /batch/scrape`. */
export const createBatch: Answer = async (call, deps) => {
  const { options, warnings, invalidUrls } = await translateBatch(call.body, deps.rules);
  const created = await createJob(call, { options, warnings, path: '/batch/scrape' }, deps);
  return { ...created, ...(invalidUrls && { invalidURLs: invalidUrls }) };
};

/** Answers `POST /crawl`. */
export const createCrawl: Answer = async (call, deps) =>
  await createJob(call, { ...translateCrawl(call.body, deps.rules), path: '/crawl' }, deps);

async function createJob(
  call: EndpointCall,
  { options, warnings, path }: Translation<CreateJobRequest> & { readonly path: string },
  { handlers }: AnswerDeps,
): Promise<object> {
  const { idempotencyKey } = call;
  const headers = required(
    checkHeaders({ ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) }),
  );
  const { webhook, ...job } = options;
  const body = checked('createJob', job);
  // The schema of the route does not know this form of a webhook.
  if (webhook !== undefined) body.webhook = webhook;
  const result = await handlers.createJob({ ...call, query: undefined, headers, body });
  if (!(result instanceof JsonWithHeaders)) throw new Error('The created job has no address.');
  const id = firecrawlIdOf(result.body.job.id);
  return {
    ...{ success: true, id, url: `${call.baseUrl}${path}/${id}` },
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
  const { links, warnings } = await mapSite(call, deps);
  return { success: true, links, ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
};

/** Answers `POST /map` of version 1, whose links are URLs alone. */
export const mapOfV1: Answer = async (call, deps) => {
  const { links } = await mapSite(call, deps);
  return { success: true, links: links.map(({ url }) => url) };
};

async function mapSite(call: EndpointCall, { handlers }: AnswerDeps) {
  const { options, warnings } = translateMap(call.body);
  const body = checked('map', options);
  const { urls }: MapResult = parsed(await handlers.map({ ...call, ...NO_INPUT, body }));
  return {
    links: urls.map(({ url, text }) => ({ url, ...(text !== undefined && { title: text }) })),
    warnings,
  };
}

/** Returns the answer of `GET /crawl/{id}` and of `GET /batch/scrape/{id}`. */
export function readState(path: string): Answer {
  return async ({ caller, params: { id = '' }, query: { skip = 0, limit }, baseUrl }, deps) => {
    const job = await findJob(caller, id, deps);
    const nextUrl = (next: number) => {
      const query = new URLSearchParams({
        skip: `${next}`,
        ...(limit !== undefined && { limit: `${limit}` }),
      });
      return `${baseUrl}${path}/${firecrawlIdOf(job.id)}?${query}`;
    };
    return await readStatus(job, { skip, limit, nextUrl }, deps);
  };
}

/** Answers `GET /crawl/{id}/errors`. */
export const listErrors: Answer = async ({ caller, params: { id = '' }, signal }, deps) =>
  readErrors(await findJob(caller, id, deps), { caller, signal }, deps);

/** Answers `DELETE /crawl/{id}`. */
export const cancel: Answer = async (call, { handlers }) => {
  const params = { id: jobIdOfFirecrawl(call.params.id ?? '') };
  await handlers.cancelJob({ ...call, ...NO_INPUT, body: undefined, params });
  return { success: true, status: 'cancelled' };
};

/** Jobs that one answer names at most. */
const MAX_ACTIVE = 100;

/** Answers `GET /crawl/active`: the crawls that wait or run, newest first. */
export const listActive: Answer = async ({ caller: { account } }, { jobs, pages }) => {
  const part = { limit: MAX_ACTIVE, offset: 0 };
  const lists = await Promise.all(
    (['pending', 'running'] as const).map((status) => jobs.listJobs(account.id, { status, ...part })),
  );
  const active = lists.flatMap((list) => list.jobs).filter(({ crawl }) => crawl !== undefined);
  const starts = await pages.findPages(active.map(({ id }) => pageIdOf(id, 0)));
  const urls = new Map(starts.map(({ id, url }) => [id, url]));
  const crawls = active.map(({ id, createdAt }) => ({
    ...{
      id: firecrawlIdOf(id),
      teamId: account.id,
      url: urls.get(pageIdOf(id, 0)) ?? '',
      status: 'scraping',
    },
    ...{ created_at: createdAt.toISOString(), options: { scrapeOptions: {} } },
  }));
  // The schema of the API requires `data`, and its SDKs read `crawls`.
  return { success: true, crawls, data: crawls };
};

/** Stands for a balance without a limit: the API has numbers alone. */
const UNLIMITED = 999_999_999;

/** Answers `GET /team/credit-usage`. */
export const readCredits: Answer = async (call, { handlers }) => {
  const result = await handlers.getUsage({ ...call, headers: undefined, body: undefined, query: {} });
  if (!('usage' in result)) throw new Error('The usage is not an object.');
  const { remaining, from, to } = result.usage;
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
    ...{ success: true, jobsInQueue: waits + runs, activeJobsInQueue: runs, waitingJobsInQueue: waits },
    maxConcurrency: scrapesInFlight,
    mostRecentSuccess: finished?.jobs[0]?.completedAt?.toISOString() ?? null,
  };
};

/** Answers `GET /concurrency-check`. */
export const readConcurrency: Answer = async ({ caller: { account } }, { jobs, scrapesInFlight }) => {
  const { total } = await jobs.listJobs(account.id, { status: 'running', limit: 1, offset: 0 });
  return { success: true, concurrency: total, maxConcurrency: scrapesInFlight };
};

const NO_INPUT = { headers: undefined, query: undefined };

/** Returns the translated body of a route, which its own schema accepts. Throws INVALID_REQUEST otherwise. */
function checked<Name extends 'scrape' | 'createJob' | 'map'>(name: Name, body: object): RouteBody<Name> {
  return required(compileSchema(ROUTES[name].body)(body)) as RouteBody<Name>;
}

function required<Value>(result: Checked<Value>): Value {
  if (result.ok) return result.value;
  const { details } = result;
  throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}

/** Returns the content of a response that is text. */
function parsed<Content>(result: unknown): Content {
  if (!(result instanceof JsonText)) throw new Error('The response is not text.');
  const { text } = result;
  return JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString());
}
