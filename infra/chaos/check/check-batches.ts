import type { Job } from '@gleaner/contracts';
import type { Findings } from './findings.ts';

/** Body of an event about a job. */
export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly job: Job & { readonly results: readonly { readonly url: string }[] };
    /** Only of `job.pages`. */
    readonly batch?: { readonly number: number; readonly part: number; readonly isLastPart: boolean };
    /** Only of final events. */
    readonly batches?: number;
  };
}

/** A finished job, and the URL of each of its results. */
export interface BatchedJob {
  readonly name: string;
  readonly urls: readonly string[];
}

/** Returns whether the final event of a job is among these events, and as many batches as it tells. */
export function hasAllBatches(events: readonly EventBody[]): boolean {
  const told = events.find(({ data }) => data.batches !== undefined)?.data.batches;
  return told !== undefined && lastParts(events).size === told;
}

/** Checks that each result came in exactly one batch, under one id, and that the batches are numbered without gaps. */
export function checkBatches(
  { name, urls }: BatchedJob,
  events: readonly EventBody[],
  findings: Findings,
): void {
  const batches = new Map(
    events.filter(({ type }) => type === 'job.pages').map((event) => [event.id, event]),
  );
  const places = new Set<string>();
  const seen = new Set<string>();
  for (const { data } of batches.values()) {
    const place = `${data.batch?.number}.${data.batch?.part}`;
    if (places.has(place)) findings.doubled.push(`${name}: the batch ${place} came under several ids.`);
    places.add(place);
    for (const { url } of data.job.results) {
      if (seen.has(url)) findings.doubled.push(`${name}: ${url} is in several batches.`);
      seen.add(url);
    }
  }
  for (const url of urls) if (!seen.has(url)) findings.lost.push(`${name}: ${url} is in no batch.`);
  if (seen.size > urls.length)
    findings.other.push(`${name}: batches have results that the job does not have.`);
  const numbers = lastParts(events);
  const told = new Set(events.flatMap(({ data }) => data.batches ?? []));
  const isWhole = told.size === 1 && told.has(numbers.size) && Math.max(0, ...numbers) === numbers.size;
  if (!isWhole)
    findings.other.push(`${name}: of ${[...told]} batches the last parts of ${[...numbers]} came.`);
}

function lastParts(events: readonly EventBody[]): ReadonlySet<number> {
  return new Set(events.flatMap(({ data: { batch } }) => (batch?.isLastPart ? [batch.number] : [])));
}
