import { type ScrapeResponse, type ScrapeResult, totalCredits } from '@gleaner/contracts';
import { JsonText } from '../../responses/responses.ts';

/** Facts of a scrape that the worker does not know. */
export interface ScrapeContext {
  /** As the caller wrote it. */
  readonly url: string;
  readonly durationMs: number;
}

/** Builds the ScrapeResponse of a result; the data is inserted as the text that it arrived as. */
export function describeScrape(result: ScrapeResult, { url, durationMs }: ScrapeContext): JsonText {
  const { dataJson, warnings, screenshot, finalUrl, statusCode, timestamp, engine, attempts, price } = result;
  const rest: Omit<ScrapeResponse, 'success' | 'data'> = {
    metadata: {
      url,
      finalUrl,
      statusCode,
      duration: Math.round(durationMs),
      timestamp,
      credits: totalCredits(price),
      creditsBreakdown: price,
      engine,
      attempts,
    },
    ...(warnings.length > 0 && { warnings }),
    ...(screenshot !== undefined && { screenshot }),
  };
  return new JsonText(`{"success":true,"data":${dataJson},${JSON.stringify(rest).slice(1)}`);
}
