import {
  renderExtracted,
  type ScrapeResponse,
  type ScrapeResult,
  shownAttempts,
  stepScreenshotsIn,
  suspectWarnings,
  totalCredits,
} from '@gleaner/contracts';
import { JsonText } from '../../responses/responses.ts';

/** Facts of a scrape that the worker does not know. */
export interface ScrapeContext {
  readonly requestId: string;
  /** As the caller wrote it. */
  readonly url: string;
  readonly durationMs: number;
  /** Id of the page that was kept, if it was. */
  readonly snapshotId: string | undefined;
}

/** Builds the ScrapeResponse of a result; data and formats are inserted as the texts that they arrived as. */
export function describeScrape(
  result: ScrapeResult,
  { requestId, url, durationMs, snapshotId }: ScrapeContext,
): JsonText {
  const { screenshot, finalUrl, statusCode, timestamp, engine, attempts, price } = result;
  const { verdict, actions, overlays, file } = result;
  const warnings = [...suspectWarnings(verdict), ...result.warnings];
  const rest: Omit<ScrapeResponse, 'success' | 'data' | 'formats'> = {
    metadata: {
      url,
      finalUrl,
      statusCode,
      duration: Math.round(durationMs),
      timestamp,
      credits: totalCredits(price),
      creditsBreakdown: price,
      engine,
      attempts: shownAttempts(attempts),
      ...(verdict && { verdict }),
      ...(actions && { actions }),
      ...(overlays && { overlays }),
    },
    ...(warnings.length > 0 && { warnings }),
    ...(screenshot !== undefined && { screenshot }),
    ...stepScreenshotsIn(attempts),
    requestId,
    ...(snapshotId !== undefined && { snapshotId }),
    ...(file && { file }),
  };
  return new JsonText(renderExtracted(result, { success: true }, rest));
}
