import {
  AppError,
  DEFAULT_SEARCH_LIMIT,
  engineFor,
  LIMITS,
  type RouteResponse,
  type ScrapeOptions,
  totalCredits,
} from '@gleaner/contracts';
import { requireScope } from '../../middleware/check-request.ts';
import { JsonWithHeaders, StreamedResponse } from '../../responses/responses.ts';
import type { CheckedCall, Handler } from '../handler.ts';
import type { RecipeReader } from '../recipes/resolve/find-recipe.ts';
import { requireWorker } from '../scrape/ask-worker.ts';
import { renderPage } from '../scrape/scrape-handler.ts';
import type { ScrapeDeps } from '../scrape/scrape-page.ts';
import { resolveOptions, type ScrapedResult, scrapeResults } from './scrape-results.ts';
import { createSearchJob, findSearchJob, type SearchJob, type SearchJobDeps } from './search-job.ts';
import {
  checkQuery,
  type Found,
  requireSearxng,
  type SearchWebDeps,
  searchWeb,
  takeSearchPlace,
} from './search-web.ts';

/** Collaborators of the handler. */
export type SearchDeps = SearchWebDeps & ScrapeDeps & SearchJobDeps & RecipeReader;

type SearchCall = CheckedCall<'search'>;

/** Handles `POST /v1/search`: check the request, search, and scrape the results if it asks for their pages. */
export const searchHandler: Handler<'search', SearchDeps> = async (call, deps) => {
  const { body, caller, signal, admission } = call;
  await admission;
  requireSearxng(deps);
  checkQuery(body);
  const options = await optionsOf(call, deps);
  using _place = await takeSearchPlace({ caller, signal }, deps);
  if (options) return await searchAndScrape(call, options, deps);
  const { results, warnings } = await searchWeb(body, signal, deps);
  return { success: true, results: [...results], warnings: [...warnings], ...endOf(call, 0) };
};

/** Returns the options for the pages of results; undefined if only results are wanted. */
async function optionsOf(
  { body: { scrape, maxCredits, limit = DEFAULT_SEARCH_LIMIT }, caller }: SearchCall,
  deps: SearchDeps,
): Promise<ScrapeOptions | undefined> {
  if (scrape) {
    if (limit > LIMITS.maxPagesPerSearch) requireScope(caller, 'jobs');
    return await resolveOptions({ scrape, maxCredits }, caller.account.id, deps);
  }
  if (maxCredits === undefined) return undefined;
  const message = 'needs scrape: a search without pages costs nothing';
  throw new AppError('INVALID_REQUEST', {
    message: `maxCredits ${message}.`,
    details: [{ path: 'maxCredits', message }],
  });
}

async function searchAndScrape(call: SearchCall, options: ScrapeOptions, deps: SearchDeps) {
  const { body, caller, signal, headers } = call;
  const request = { body, options };
  const creator = { caller, signal, idempotencyKey: headers['idempotency-key'] };
  const known = await findSearchJob(request, creator, deps);
  if (known) return accepted(known, [], call);
  await requireWorker(engineFor(options), deps);
  const found = await searchWeb(body, signal, deps);
  if (found.results.length > LIMITS.maxPagesPerSearch)
    return accepted(await createSearchJob(found.results, request, creator, deps), found.warnings, call);
  const scraped = await scrapeResults(found.results, { options, maxCredits: body.maxCredits }, call, deps);
  return new StreamedResponse({ 'Content-Type': 'application/json; charset=utf-8' }, () =>
    render(scraped, found.warnings, { call, recipe: options.recipe }),
  );
}

function accepted({ job, results }: SearchJob, warnings: Found['warnings'], call: SearchCall) {
  const body: RouteResponse<'search'> = {
    success: true,
    results: [...results],
    warnings: [...warnings],
    job,
    ...endOf(call, 0),
  };
  return new JsonWithHeaders(body, { Location: `/v1/jobs/${job.id}` }, 202);
}

/** Returns the end of every response. */
function endOf({ body: { query }, startedAtMs, requestId }: SearchCall, credits: number) {
  return { metadata: { query, duration: Math.round(performance.now() - startedAtMs), credits }, requestId };
}

/** Writes the response with pages, each as the text that it arrived as. */
async function* render(
  scraped: readonly ScrapedResult[],
  warnings: Found['warnings'],
  { call, recipe }: { readonly call: SearchCall; readonly recipe: string | undefined },
): AsyncGenerator<string> {
  let separator = '{"success":true,"results":[';
  for (const { result, page, error, requestId, durationMs } of scraped) {
    const { url } = result;
    const end = page
      ? `,"page":${renderPage(page, { url, recipe, durationMs, requestId })}}`
      : `,"error":${JSON.stringify(error)}}`;
    yield `${separator}${JSON.stringify(result).slice(0, -1)}${end}`;
    separator = ',';
  }
  const credits = scraped.reduce((sum, { page }) => sum + (page ? totalCredits(page.result.price) : 0), 0);
  const rest = JSON.stringify({ warnings, ...endOf(call, credits) }).slice(1);
  yield `${scraped.length === 0 ? separator : ''}],${rest}`;
}
