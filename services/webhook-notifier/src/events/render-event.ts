import type { DeliveryType, Job } from '@gleaner/contracts';
import type { FittingChanges } from './fit-changes.ts';

/** What an event says of itself. */
export interface EventHead {
  readonly id: string;
  readonly type: DeliveryType;
  readonly timestamp: string;
}

/** What a webhook is told about a job. */
export interface JobEventContent {
  readonly job: Job;
  /** The results that are sent along, each as JSON. */
  readonly results: readonly string[];
  /** Where all of them are, when some are left out. */
  readonly resultsUrl?: string | undefined;
  /** What the caller wants back. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What differs from the last run. */
  readonly changes?: FittingChanges | undefined;
}

/** The body of an event about a job: `{id, type, timestamp, data: {job, …}}`; results stay the bytes that they are. */
export function renderJobEvent(head: EventHead, content: JobEventContent): string {
  const { job, results, resultsUrl, metadata, changes } = content;
  const truncation = resultsUrl === undefined ? {} : { resultsTruncated: true, resultsUrl };
  const jobText = withMembers({ ...job, ...truncation }, { results: `[${results.join(',')}]` });
  const data = withMembers(
    {},
    { job: jobText, metadata: JSON.stringify(metadata), ...(changes && renderChanges(changes)) },
  );
  return withMembers(head, { data });
}

function renderChanges({ changes, omittedFields }: FittingChanges): Record<string, string | undefined> {
  return {
    changes: JSON.stringify(changes),
    changesOmitted: omittedFields.length > 0 ? JSON.stringify(omittedFields) : undefined,
  };
}

/** The body of the event that only a test sends. */
export function renderTestEvent(head: EventHead): string {
  const message = 'Webhooks of Gleaner reach this endpoint.';
  return JSON.stringify({ ...head, data: { message } });
}

/** The text of an object with further members, which are JSON already; those that are undefined are left out. */
function withMembers(object: object, members: Readonly<Record<string, string | undefined>>): string {
  const own = JSON.stringify(object).slice(1, -1);
  const added = Object.entries(members).flatMap(([name, json]) =>
    json === undefined ? [] : [`"${name}":${json}`],
  );
  return `{${[...(own === '' ? [] : [own]), ...added].join(',')}}`;
}
