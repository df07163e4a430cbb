import { setImmediate } from 'node:timers/promises';
import {
  AppError,
  createId,
  defined,
  type ErrorDetail,
  type Failure,
  type FoundPage,
  firstPriceOf,
  isSecretHeader,
  type ResultOptions,
  type ScrapeOptions,
  secretsIn,
  toFailure,
  totalCredits,
  worstCreditsOf,
} from '@gleaner/contracts';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import { withRecipe } from '../recipes/resolve/apply-recipe.ts';
import type { RecipeReader } from '../recipes/resolve/find-recipe.ts';
import { checkOptionsAt } from '../scrape/check-scrape-request.ts';
import { type ScrapeCall, type ScrapeDeps, type ScrapedPage, scrapePage } from '../scrape/scrape-page.ts';

/** Call that scrapes the results of a search. */
export type ResultsCall = Pick<ScrapeCall, 'caller' | 'signal'>;

/** A result with its page, or the error of its page. */
export interface ScrapedResult {
  readonly result: FoundPage;
  readonly requestId: string;
  readonly durationMs: number;
  readonly page?: ScrapedPage;
  readonly error?: Failure;
}

/**
 * Returns the options for all results, with those of their recipe. Throws INVALID_REQUEST and INVALID_SELECTOR with the errors of all by
 * their paths, and RECIPE_NOT_FOUND.
 */
export async function resolveOptions(
  { scrape, maxCredits }: { readonly scrape: ResultOptions; readonly maxCredits?: number | undefined },
  accountId: string,
  deps: Pick<ScrapeDeps, 'rules'> & RecipeReader,
): Promise<ScrapeOptions> {
  const details = findSecretErrors(scrape);
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
  const options = await withRecipe<ScrapeOptions>(scrape, [], accountId, deps);
  checkOptionsAt('scrape', options, deps.rules);
  const price = totalCredits(firstPriceOf(options));
  if (maxCredits === undefined || maxCredits >= price) return options;
  const message = `must be at least ${price}, because a page costs that much with these options`;
  throw new AppError('INVALID_REQUEST', {
    message: `maxCredits ${message}.`,
    details: [{ path: 'maxCredits', message }],
  });
}

/** Finds secrets, which must not be sent to unknown sites. */
function findSecretErrors({ headers = {}, actions, recipe }: ResultOptions): ErrorDetail[] {
  return [
    ...Object.keys(headers)
      .filter(isSecretHeader)
      .map((name) => ({
        path: `scrape.headers.${name}`,
        message: 'may be a secret, which is not sent to the results of a search',
      })),
    ...(secretsIn(actions).length > 0
      ? [{ path: 'scrape.actions', message: 'must not write secrets: the results are of any site' }]
      : []),
    ...(recipe === 'auto'
      ? [{ path: 'scrape.recipe', message: 'must name one recipe by its id: it holds for all results' }]
      : []),
  ];
}

/** Terms on which all results are scraped. */
export interface ResultTerms {
  readonly options: ScrapeOptions;
  /** Most credits of all pages together. */
  readonly maxCredits?: number | undefined;
}

/** Scrapes the pages of results, all at once; a page that fails has an error, and does not end the others. */
export async function scrapeResults(
  results: readonly FoundPage[],
  terms: ResultTerms,
  call: ResultsCall,
  deps: ScrapeDeps,
): Promise<ScrapedResult[]> {
  const shares = shareCredits(results.length, terms);
  // Each checks its options, which takes time: others get their turns in between.
  let turn = Promise.resolve();
  return await Promise.all(
    results.map((result, index) => {
      const options = { ...terms.options, ...defined({ maxCredits: shares[index] }) };
      turn = turn.then(() => setImmediate());
      return turn.then(() => scrapeResult(result, options, call, deps));
    }),
  );
}

async function scrapeResult(
  result: FoundPage,
  options: ScrapeOptions,
  { caller, signal }: ResultsCall,
  deps: ScrapeDeps,
): Promise<ScrapedResult> {
  const id = createId('req');
  const startedAtMs = performance.now();
  const called = { id, requestId: id, caller, signal, arrivedAtMs: Date.now(), startedAtMs };
  const done = () => ({ result, requestId: id, durationMs: Math.round(performance.now() - startedAtMs) });
  try {
    if (options.maxCredits === 0) throw new AppError('INSUFFICIENT_CREDITS', NOTHING_LEFT);
    const body = { ...options, url: result.url };
    const page = await scrapePage({ ...called, body, admission: Promise.resolve() }, deps);
    return { ...done(), page };
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    return { ...done(), error: toFailure(error) };
  }
}

const NOTHING_LEFT = {
  message: 'The page was not fetched: maxCredits is spent on the results before it.',
  suggestion: 'Raise maxCredits, or ask for fewer results.',
};

/**
 * Returns the most that each page may cost: first the price without a fallback, as long as there is enough, then the first
 * pages what dearer ways would cost. 0 for a page that is not to be fetched; undefined without a bound.
 */
export function shareCredits(pages: number, { options, maxCredits }: ResultTerms): (number | undefined)[] {
  if (maxCredits === undefined) return Array.from({ length: pages }, () => undefined);
  const least = totalCredits(firstPriceOf(options));
  const most = worstCreditsOf(options);
  const paid = Math.min(pages, Math.floor(maxCredits / least));
  let left = maxCredits - paid * least;
  return Array.from({ length: pages }, (_none, index) => {
    if (index >= paid) return 0;
    const more = Math.min(left, most - least);
    left -= more;
    return least + more;
  });
}
