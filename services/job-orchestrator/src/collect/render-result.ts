import {
  type CreditsBreakdown,
  defined,
  describePage,
  jobIdOf,
  membersOf,
  type PageFound,
  type PageNotModified,
  type PageResult,
  renderExtracted,
  shownAttempts,
} from '@gleaner/contracts';
import { type NewPageSnapshot, type NewResult, type PlaceInCrawl, pageIndexOf } from '@gleaner/storage';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { CollectedOutcome } from './collected-outcome.ts';
import { snapshotOf } from './page-snapshot.ts';

/** Price of a page that has not been modified. */
export const FREE: CreditsBreakdown = { base: 0 };

type FoundResult = Extract<PageResult, { metadata: unknown }>;

/** Parts of a result that do not come from the scraper. */
export interface ResultExtras {
  readonly screenshotUrl?: string | undefined;
  readonly snapshotId?: string | undefined;
  /** Place of a page in its crawl, with the URL that it names as its canonical one. */
  readonly place?: (PlaceInCrawl & { readonly canonicalUrl?: string | undefined }) | undefined;
}

/** Returns the result of a page to be stored, and the page itself if it is kept. */
export function resultOf(
  found: PageFound,
  { jobId, pageId: id, attempt, screenshotId }: CollectedOutcome,
  terms: JobTerms,
  place?: ResultExtras['place'],
): { readonly result: NewResult; readonly snapshot: NewPageSnapshot | undefined } {
  const snapshot = snapshotOf(found, { id, attempt, jobId }, terms);
  const screenshotUrl = screenshotId === undefined ? undefined : screenshotUrlOf(id);
  const snapshotId = snapshot?.jobId === undefined ? undefined : snapshot.id;
  const json = renderResult(found, { screenshotUrl, snapshotId, place });
  return { result: { id, attempt, json, screenshotId, trace: JSON.stringify(found.attempts) }, snapshot };
}

/**
 * Renders the result of a page as the API returns it, in JSON: data and formats are inserted as the texts that the
 * scraper sent, the screenshot as its path.
 */
export function renderResult(
  found: PageFound,
  { screenshotUrl, snapshotId, place }: ResultExtras = {},
): string {
  const { url, durationMs, file } = found;
  const rest: Omit<FoundResult, 'url' | 'data' | 'formats'> = {
    ...describePage(found, { url, durationMs }),
    ...defined({ screenshotUrl, snapshotId, file }),
  };
  return renderExtracted(found, { url, ...place }, rest);
}

/** Renders the result of a page that has not been modified from the one that an earlier crawl has stored. */
export function renderKept(
  json: string,
  { timestamp, attempts, durationMs }: PageNotModified,
  place: PlaceInCrawl & { readonly url: string },
): string {
  const members = membersOf(json);
  const read = (name: string) => JSON.parse(members.get(name) ?? 'null') ?? undefined;
  const metadata: FoundResult['metadata'] = {
    ...read('metadata'),
    url: place.url,
    statusCode: 304,
    duration: durationMs,
    timestamp,
    credits: 0,
    creditsBreakdown: FREE,
    attempts: shownAttempts(attempts),
  };
  return renderExtracted(
    defined({ dataJson: members.get('data'), formatsJson: members.get('formats') }),
    { ...place, ...defined({ canonicalUrl: read('canonicalUrl') }) },
    { metadata, ...defined({ warnings: read('warnings') }) },
  );
}

/** Returns the path of a page's screenshot on the gateway. */
export function screenshotUrlOf(pageId: string): string {
  return `/v1/jobs/${jobIdOf(pageId)}/results/${pageIndexOf(pageId)}/screenshot`;
}
