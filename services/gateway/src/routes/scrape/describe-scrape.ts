import {
  describePage,
  renderExtracted,
  type ScrapeResponse,
  type ScrapeResult,
  stepScreenshotsIn,
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
  const { screenshot, attempts, file } = result;
  const rest: Omit<ScrapeResponse, 'success' | 'data' | 'formats'> = {
    ...describePage(result, { url, durationMs: Math.round(durationMs) }),
    ...(screenshot !== undefined && { screenshot }),
    ...stepScreenshotsIn(attempts),
    requestId,
    ...(snapshotId !== undefined && { snapshotId }),
    ...(file && { file }),
  };
  return new JsonText(renderExtracted(result, { success: true }, rest));
}
