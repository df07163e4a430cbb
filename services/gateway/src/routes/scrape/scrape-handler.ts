import {
  defined,
  describePage,
  renderExtracted,
  type ScrapeResponse,
  stepScreenshotsIn,
} from '@gleaner/contracts';
import { JsonText } from '../../responses/responses.ts';
import type { Handler } from '../handler.ts';
import { type ScrapeDeps, scrapePage } from './scrape-page.ts';

/** Handles `POST /v1/scrape`; data and formats are inserted into the answer as the texts that they arrived as. */
export const scrapeHandler: Handler<'scrape', ScrapeDeps> = async (call, deps) => {
  const { result, snapshotId } = await scrapePage(call, deps);
  const { screenshot, attempts, file } = result;
  const durationMs = Math.round(performance.now() - call.startedAtMs);
  const rest: Omit<ScrapeResponse, 'success' | 'data' | 'formats'> = {
    ...describePage(result, { url: call.body.url, durationMs }),
    ...defined({ screenshot }),
    ...stepScreenshotsIn(attempts),
    requestId: call.requestId,
    ...defined({ snapshotId, file }),
  };
  return new JsonText(renderExtracted(result, { success: true }, rest));
};
