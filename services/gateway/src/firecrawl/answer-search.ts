import { setImmediate as nextTurn } from 'node:timers/promises';
import { defined, engineFor, type ScrapeOptions, totalCredits } from '@gleaner/contracts';
import { StreamedResponse } from '../responses/responses.ts';
import { requireWorker } from '../routes/scrape/ask-worker.ts';
import type { FoundResult } from '../routes/search/read-results.ts';
import { resolveOptions, type ScrapedResult, scrapeResults } from '../routes/search/scrape-results.ts';
import { checkQuery, requireSearxng, searchWeb, takeSearchPlace } from '../routes/search/search-web.ts';
import { type Answer, type AnswerDeps, checked, documentOf, type EndpointCall } from './answers.ts';
import { type Source, translateSearch } from './translate-search.ts';

/** A search, and whether its response has the results by their sources. */
interface Layout {
  readonly defaultLimit: number;
  readonly data: 'by source' | 'list';
}

/** Answers `POST /search` of version 2. */
export const search: Answer = (call, deps) => answer({ defaultLimit: 10, data: 'by source' }, call, deps);

/** Answers `POST /search` of version 1, whose results are a list. */
export const searchOfV1: Answer = (call, deps) => answer({ defaultLimit: 5, data: 'list' }, call, deps);

async function answer(layout: Layout, call: EndpointCall, deps: AnswerDeps): Promise<object> {
  const { caller, signal, admission } = call;
  await admission;
  requireSearxng(deps);
  const { options, sources, warnings } = translateSearch(call.body, layout.defaultLimit, deps.rules);
  const { scrape, ...body } = checked('search', options);
  checkQuery(body);
  const pages = scrape && (await resolveOptions({ scrape }, caller.account.id, deps));
  if (pages) await requireWorker(engineFor(pages), deps);
  using _place = await takeSearchPlace({ caller, signal }, deps);
  const remarks = new Set(warnings);
  const searched = sources.map(async (source): Promise<Group> => {
    const question = source === 'web' ? body : { ...body, category: source };
    const found = await searchWeb(question, signal, deps);
    for (const { message } of found.warnings) remarks.add(message);
    const scraped =
      source === 'web' && pages && (await scrapeResults(found.results, { options: pages }, call, deps));
    return { source, results: scraped || found.results.map((result) => ({ result, durationMs: 0 })) };
  });
  const groups = await Promise.all(searched);
  return new StreamedResponse({ 'Content-Type': 'application/json; charset=utf-8' }, () =>
    render(groups, { layout, options: pages, remarks: [...remarks] }),
  );
}

/** A result, scraped or not. */
type Shown = { readonly result: FoundResult } & Pick<ScrapedResult, 'durationMs' | 'page' | 'error'>;

/** Results of a source. */
interface Group {
  readonly source: Source;
  readonly results: readonly Shown[];
}

interface RenderContext {
  readonly layout: Layout;
  readonly options: ScrapeOptions | undefined;
  readonly remarks: readonly string[];
}

async function* render(
  groups: readonly Group[],
  { layout: { data }, options, remarks }: RenderContext,
): AsyncGenerator<string> {
  const isList = data === 'list';
  let creditsUsed = 0;
  yield `{"success":true,"data":${isList ? '' : '{'}`;
  for (const [position, { source, results }] of groups.entries()) {
    yield isList ? '[' : `${position > 0 ? ',' : ''}"${source}":[`;
    for (const [index, shown] of results.entries()) {
      creditsUsed += shown.page ? totalCredits(shown.page.result.price) : 0;
      const described = await describe(shown, { source, index, options });
      yield (index > 0 ? ',' : '') + JSON.stringify(described);
      await nextTurn();
    }
    yield ']';
  }
  const rest = JSON.stringify({ creditsUsed, ...(remarks.length > 0 && { warning: remarks.join(' ') }) });
  yield `${isList ? '' : '}'},${rest.slice(1)}`;
}

/** Fields of a result besides its URL and its title, by its source. */
const FIELDS: Readonly<Record<Source, (result: FoundResult) => object>> = {
  web: ({ snippet }) => ({ description: snippet }),
  news: ({ snippet, publishedAt }) => ({ snippet, ...defined({ date: publishedAt }) }),
  images: ({ imageUrl }) => defined({ imageUrl }),
};

interface DescribeContext {
  readonly source: Source;
  readonly index: number;
  readonly options: ScrapeOptions | undefined;
}

/** Returns a result of Firecrawl's API: with its document, if it was scraped. */
async function describe(
  { result, durationMs, page, error }: Shown,
  { source, index, options = {} }: DescribeContext,
): Promise<object> {
  const { url, title } = result;
  const found = { url, title, ...FIELDS[source](result), position: index + 1 };
  if (error) {
    const { message, targetStatusCode } = error;
    return {
      ...found,
      metadata: { sourceURL: url, url, statusCode: targetStatusCode ?? 500, error: message },
    };
  }
  if (!page) return found;
  return { ...found, ...(await documentOf(page.result, { request: { ...options, url }, durationMs })) };
}
