import {
  defined,
  describePage,
  renderExtracted,
  type ScrapeResponse,
  stepScreenshotsIn,
} from '@gleaner/contracts';
import { JsonText } from '../../responses/responses.ts';
import type { Handler } from '../handler.ts';
import { withRecipe } from '../recipes/resolve/apply-recipe.ts';
import type { RecipeReader } from '../recipes/resolve/find-recipe.ts';
import { type ScrapeDeps, type ScrapedPage, scrapePage } from './scrape-page.ts';

/** Handles `POST /v1/scrape`. */
export const scrapeHandler: Handler<'scrape', ScrapeDeps & RecipeReader> = async (call, deps) => {
  const { url } = call.body;
  const body = await withRecipe(call.body, [{ url, path: 'url' }], call.caller.account.id, deps);
  const page = await scrapePage({ ...call, body }, deps);
  const durationMs = Math.round(performance.now() - call.startedAtMs);
  const { recipe } = body;
  return new JsonText(renderPage(page, { url, recipe, durationMs, requestId: call.requestId }));
};

/** Properties of a response besides the result of the page. */
interface PageContext {
  /** As requested. */
  readonly url: string;
  /** Version of the recipe whose options were used. */
  readonly recipe: string | undefined;
  readonly durationMs: number;
  readonly requestId: string;
}

/** Renders the response of a scrape; data and formats are inserted as the texts that they arrived as. */
export function renderPage(
  { result, snapshotId }: ScrapedPage,
  { url, recipe, durationMs, requestId }: PageContext,
): string {
  const { screenshot, attempts, file } = result;
  const { metadata, ...page } = describePage(result, { url, durationMs });
  const rest: Omit<ScrapeResponse, 'success' | 'data' | 'formats'> = {
    metadata: { ...metadata, ...defined({ recipe }) },
    ...page,
    ...defined({ screenshot }),
    ...stepScreenshotsIn(attempts),
    requestId,
    ...defined({ snapshotId, file }),
  };
  return renderExtracted(result, { success: true }, rest);
}
