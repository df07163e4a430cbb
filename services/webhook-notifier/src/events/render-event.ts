import type { DeliveryType, Job } from '@gleaner/contracts';
import type { ChangedPage, ChangedPages, FittingChanges } from '@gleaner/storage';

/** Fields of every event. */
export interface EventHead {
  readonly id: string;
  readonly type: DeliveryType;
  readonly timestamp: string;
}

/** Content of an event about a job. */
export interface JobEventContent {
  readonly job: Job;
  /** Inlined results, each as JSON. */
  readonly results: readonly string[];
  /** URL of all results, if some are left out. */
  readonly resultsUrl?: string | undefined;
  /** Metadata from the request, returned as it came. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Differences from earlier runs. */
  readonly changes?: ChangedPages | undefined;
  /** The batch that the results are. */
  readonly batch?: { readonly number: number; readonly part: number; readonly isLastPart: boolean };
  /** Number of batches in which all results of the job were sent. */
  readonly batches?: number | undefined;
}

/** Renders an event about a job: `{id, type, timestamp, data: {job, …}}`; results are inserted as their stored bytes. */
export function renderJobEvent(head: EventHead, content: JobEventContent): string {
  const { job, results, resultsUrl, metadata, changes, batch, batches } = content;
  const truncation = resultsUrl === undefined ? {} : { resultsTruncated: true, resultsUrl };
  const jobText = withMembers({ ...job, ...truncation }, { results: `[${results.join(',')}]` });
  const data = withMembers(
    { ...(batch && { batch }), ...(batches !== undefined && { batches }) },
    { job: jobText, metadata: JSON.stringify(metadata), ...(changes && renderChanges(changes, job)) },
  );
  return withMembers(head, { data });
}

/** Renders the changes of a run: those of its page, or of a run of several URLs the list of its changed pages. */
function renderChanges({ pages, omittedPages }: ChangedPages, { totalUrls }: Pick<Job, 'totalUrls'>) {
  const [only] = pages;
  if (totalUrls === 1 && only) return renderPageChanges(only);
  const pagesOmitted = omittedPages > 0 ? String(omittedPages) : undefined;
  return { pages: `[${pages.map(renderChangedPage).join(',')}]`, pagesOmitted };
}

function renderChangedPage({ url, ...changes }: ChangedPage): string {
  return withMembers({ url }, renderPageChanges(changes));
}

function renderPageChanges({ changes, omittedFields }: FittingChanges): Record<string, string | undefined> {
  return {
    changes: JSON.stringify(changes),
    changesOmitted: omittedFields.length > 0 ? JSON.stringify(omittedFields) : undefined,
  };
}

/** Renders the event of a test. */
export function renderTestEvent(head: EventHead): string {
  const message = 'Webhooks of Gleaner reach this endpoint.';
  return JSON.stringify({ ...head, data: { message } });
}

/** Renders an object with further members that are JSON already; undefined ones are left out. */
function withMembers(object: object, members: Readonly<Record<string, string | undefined>>): string {
  const own = JSON.stringify(object).slice(1, -1);
  const added = Object.entries(members).flatMap(([name, json]) =>
    json === undefined ? [] : [`"${name}":${json}`],
  );
  return `{${[...(own === '' ? [] : [own]), ...added].join(',')}}`;
}
