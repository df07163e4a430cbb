import {
  AppError,
  DEFAULT_SEARCH_LIMIT,
  defined,
  type ErrorDetail,
  LIMITS,
  type SearchRequest,
  type SearchWarning,
} from '@gleaner/contracts';
import { type Applicant, type SharedPlaces, takePlace } from '../../admission/take-place.ts';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import type { UrlRules } from '../check-urls.ts';
import { type FoundResult, type ReadResults, readResults } from './read-results.ts';
import type { SearchBound, SearchCategory, Searxng, SearxngAnswer } from './searxng.ts';

/** Searches of an account in flight at a gateway, with their pages. */
export const SEARCHES_PER_ACCOUNT = 4;
/** Time that a search waits for its place. */
export const SEARCH_PATIENCE_MS = 10_000;

/** Collaborators of searching. */
export interface SearchWebDeps {
  /** Undefined if the operator has set no SEARCH_URL. */
  readonly searxng: Searxng | undefined;
  readonly searchPlaces: SharedPlaces;
  readonly rules: UrlRules;
}

/** Results of a search, with warnings. */
export interface Found {
  readonly results: readonly FoundResult[];
  readonly warnings: readonly SearchWarning[];
}

/** Returns SearXNG. Throws NOT_CONFIGURED without one. */
export function requireSearxng({ searxng }: Pick<SearchWebDeps, 'searxng'>): Searxng {
  if (searxng) return searxng;
  throw new AppError('NOT_CONFIGURED', {
    message: 'This installation has no search: its operator has not set SEARCH_URL.',
    suggestion:
      'If you operate this installation, set SEARCH_URL to the address of a SearXNG (docs/search.md). `POST /v1/map` with `search` finds pages of one site without it.',
  });
}

/** Waits for a place for a search of the account. Throws RATE_LIMITED. */
export async function takeSearchPlace(call: Applicant, deps: SearchWebDeps): Promise<Disposable> {
  return await takePlace(call, deps.searchPlaces, {
    message: `The account has ${SEARCHES_PER_ACCOUNT} searches in flight, which is its limit.`,
    suggestion: 'Wait until one has been answered.',
  });
}

/** Rejects queries with an external bang of SearXNG, and sites without the form of a host. Throws INVALID_REQUEST. */
export function checkQuery({ query, site }: Pick<SearchRequest, 'query' | 'site'>): void {
  const details: ErrorDetail[] = [
    ...(/(?:^|\s)!!/.test(query)
      ? [
          {
            path: 'query',
            message: 'must not have a word that begins with !!, by which SearXNG leaves for another service',
          },
        ]
      : []),
    ...(site !== undefined && hostOf(site) === undefined
      ? [{ path: 'site', message: 'must be a host such as "docs.example.com"' }]
      : []),
  ];
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}

/** Returns a host as URLs have it, or undefined for a text that is not one. */
function hostOf(site: string): string | undefined {
  return URL.parse(`http://${site}`)?.hostname;
}

/** A search of the web, or of a category. */
export interface WebSearch extends SearchRequest {
  readonly category?: SearchCategory;
}

/** SearXNG has some ten to thirty results a page. */
const MAX_PAGES = 5;

/** Searches the web, page by page, until there are enough results. Throws the errors of SearXNG if the first page fails. */
export async function searchWeb(
  { query, limit = DEFAULT_SEARCH_LIMIT, time, lang, site, category }: WebSearch,
  signal: AbortSignal,
  deps: SearchWebDeps,
): Promise<Found> {
  const searxng = requireSearxng(deps);
  const host = site === undefined ? undefined : hostOf(site);
  const question = { query, ...defined({ time, lang, site: host, category }) };
  const bound = { deadlineMs: Date.now() + LIMITS.searchTimeoutMs, signal };
  let records: readonly unknown[] = [];
  const unresponsive = new Map<string, string>();
  let read: ReadResults = { results: [], warnings: [] };
  let incomplete: SearchWarning[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await askForPage(() => searxng.ask({ ...question, page }, bound), page, bound);
    if ('code' in answer) {
      incomplete = [answer];
      break;
    }
    for (const [engine, reason] of answer.unresponsive) unresponsive.set(engine, reason);
    records = [...records, ...answer.records];
    const next = await readResults(records, { limit, host, category }, deps.rules);
    const isNews = next.results.length > read.results.length;
    // Engines without further pages send the last one again.
    if (isNews || page === 1) read = next;
    if (!isNews || read.results.length >= limit) break;
  }
  return {
    results: read.results,
    warnings: [...[...unresponsive].map(describeEngine), ...read.warnings, ...incomplete],
  };
}

/** Returns the answer, or a warning where a page after the first fails or has no time left. */
async function askForPage(
  ask: () => Promise<SearxngAnswer>,
  page: number,
  { signal, deadlineMs }: SearchBound,
): Promise<SearxngAnswer | SearchWarning> {
  const incomplete = (why: string) => ({
    code: 'RESULTS_INCOMPLETE' as const,
    message: `Further results could not be read: ${why}`,
  });
  if (page > 1 && Date.now() >= deadlineMs) return incomplete('the time of a search ran out.');
  try {
    return await ask();
  } catch (error) {
    if (page === 1 || signal.aborted || !(error instanceof AppError)) throw error;
    return incomplete(error.message);
  }
}

function describeEngine([engine, reason]: readonly [string, string]): SearchWarning {
  return { code: 'ENGINE_UNRESPONSIVE', message: `The engine ${engine} did not answer: ${reason}.` };
}
