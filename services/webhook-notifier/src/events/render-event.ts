import type { DeliveryType, FieldFall, HealthState, Job, Profile } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import type { Inline } from './read-results.ts';

/** Fields of every event. */
export interface EventHead {
  readonly id: string;
  readonly type: DeliveryType;
  readonly timestamp: string;
}

/** Content of an event about a job. */
export interface JobEventContent {
  readonly job: Job;
  /** Inlined results, each as JSON; an event about changes has none. */
  readonly results?: readonly string[];
  /** URL of all results, if some are left out. */
  readonly resultsUrl?: string | undefined;
  /** Metadata from the request, returned as it came. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Differences from earlier runs, and the URL of all of them. */
  readonly changes?: Inline;
  readonly changesUrl?: string;
  /** Health of the schedule, the fields that fell or came back, and the URL of all of them. */
  readonly health?: HealthState;
  readonly fields?: readonly FieldFall[];
  readonly healthUrl?: string;
  /** The profile that the job has lost. */
  readonly profile?: Pick<Profile, 'id' | 'name' | 'status' | 'lastError'>;
  /** The dataset that the job has changed: the revisions after `from` up to `to`, and their URL. */
  readonly dataset?: {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly recordsUrl: string;
  };
  /** The batch that the results are. */
  readonly batch?: { readonly number: number; readonly part: number; readonly isLastPart: boolean };
  /** Number of batches in which all results of the job were sent. */
  readonly batches?: number | undefined;
}

/** Renders an event about a job: `{id, type, timestamp, data: {job, …}}`; results are inserted as their stored bytes. */
export function renderJobEvent(head: EventHead, content: JobEventContent): string {
  const { job, results, resultsUrl, metadata, changes, changesUrl, batch, batches } = content;
  const { health, fields, healthUrl, profile, dataset } = content;
  const truncation = resultsUrl === undefined ? {} : { resultsTruncated: true, resultsUrl };
  const jobText = withMembers({ ...job, ...truncation }, { results: results && `[${results.join(',')}]` });
  const data = withMembers(
    {
      ...defined({ batch, batches }),
      ...(health && { health, fields, healthUrl }),
      ...defined({ profile, dataset }),
    },
    {
      job: jobText,
      changes: changes && `[${changes.texts.join(',')}]`,
      ...(changes?.isTruncated && { changesTruncated: 'true' }),
      ...(changesUrl !== undefined && { changesUrl: JSON.stringify(changesUrl) }),
      metadata: JSON.stringify(metadata),
    },
  );
  return withMembers(head, { data });
}

/** Renders the event of a test. */
export function renderTestEvent(head: EventHead): string {
  const message = 'Webhooks of Gleaner reach this endpoint.';
  return JSON.stringify({ ...head, data: { message } });
}

/** Renders the message of a test of a channel. */
export function renderChannelTest(head: EventHead, name: string): string {
  const data = { title: `Test of the channel ${name}`, text: 'Messages of Gleaner reach this channel.' };
  return JSON.stringify({ ...head, data });
}

/** Renders an object with further members that are JSON already; undefined ones are left out. */
function withMembers(object: object, members: Readonly<Record<string, string | undefined>>): string {
  const own = JSON.stringify(object).slice(1, -1);
  const added = Object.entries(members).flatMap(([name, json]) =>
    json === undefined ? [] : [`"${name}":${json}`],
  );
  return `{${[...(own === '' ? [] : [own]), ...added].join(',')}}`;
}
