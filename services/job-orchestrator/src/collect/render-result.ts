import { jobIdOf, type PageFound, type PageResult, renderExtracted, totalCredits } from '@gleaner/contracts';
import { pageIndexOf } from '@gleaner/storage';

type FoundResult = Extract<PageResult, { metadata: unknown }>;

/**
 * Renders the result of a page as the API returns it, in JSON: data and formats are inserted as the texts that the
 * scraper sent, the screenshot as its path.
 */
export function renderResult(found: PageFound, screenshotUrl?: string): string {
  const { url, warnings, finalUrl, statusCode, timestamp, engine, attempts, price } = found;
  const rest: Omit<FoundResult, 'url' | 'data' | 'formats'> = {
    metadata: {
      url,
      finalUrl,
      statusCode,
      duration: found.durationMs,
      timestamp,
      credits: totalCredits(price),
      creditsBreakdown: price,
      engine,
      attempts,
    },
    ...(warnings.length > 0 && { warnings }),
    ...(screenshotUrl !== undefined && { screenshotUrl }),
  };
  return renderExtracted(found, { url }, rest);
}

/** Returns the path of a page's screenshot on the gateway. */
export function screenshotUrlOf(pageId: string): string {
  return `/v1/jobs/${jobIdOf(pageId)}/results/${pageIndexOf(pageId)}/screenshot`;
}
