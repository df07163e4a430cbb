import type { ScrapeRequest } from '@gleaner/client';
import { gleaner } from '../../api/gleaner.ts';

/** A page that the service keeps for a day. */
export interface KeptPage {
  readonly snapshotId: string;
  readonly finalUrl: string;
  readonly credits: number;
  /** Time of the scrape, as ISO 8601. */
  readonly at: string;
}

/** Scrapes a page and has it kept. Throws the error of the scrape, and one when the page cannot be kept. */
export async function keepPage(request: ScrapeRequest, signal?: AbortSignal): Promise<KeptPage> {
  // Few values leave more room for the page in the reply.
  const body = { ...request, selectors: { title: 'title' }, snapshot: true };
  const { snapshotId, metadata, warnings } = await gleaner.call('scrape', { body }, { signal });
  if (snapshotId === undefined) {
    const reason = warnings?.find(({ code }) => code === 'SNAPSHOT_NOT_KEPT');
    throw new Error(reason?.message ?? 'The page was not kept.');
  }
  const { finalUrl, credits, timestamp } = metadata;
  return { snapshotId, finalUrl, credits, at: timestamp };
}
