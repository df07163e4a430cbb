import { isTerminal, type JobState } from '@gleaner/contracts';
import { Webhook } from 'standardwebhooks';
import { type ClientJob, idOf, type JobClient, stateOf } from '../job-client.ts';
import type { Delivery, EventBody, Receiver } from '../receiver.ts';
import type { Findings } from '../report.ts';

/** A job as its events must tell it. */
export interface AnnouncedJob {
  readonly id: string;
  readonly status: JobState;
  readonly completedUrls: number;
  /** Its results come in batches, before the final event. */
  readonly hasBatches: boolean;
}

/** Returns a job as its client saw it last. */
export function announced(job: ClientJob): AnnouncedJob {
  const completedUrls = job.history.at(-1)?.completedUrls ?? 0;
  return {
    id: idOf(job),
    status: stateOf(job),
    completedUrls,
    hasBatches: job.events.includes('job.pages'),
  };
}

/** Returns the finished jobs without an accepted final event, or with an unaccepted batch of results. */
export function awaitingWebhook(
  jobs: readonly AnnouncedJob[],
  { deliveries }: Pick<Receiver, 'deliveries'>,
): AnnouncedJob[] {
  const byJob = groupByJob(deliveries.filter(({ isAccepted }) => isAccepted));
  return jobs.filter(({ id, status, hasBatches }) => {
    const events = (byJob.get(id) ?? []).map(({ event }) => event);
    return isTerminal(status) && !(hasBatches ? hasAllBatches(events) : events.length > 0);
  });
}

/**
 * Checks that each finished job was announced under one id, with a valid signature and the present state of the job, the
 * same at every attempt, and that its results came in batches, each in one.
 */
export async function checkWebhooks(
  jobs: readonly AnnouncedJob[],
  { receiver, client }: { readonly receiver: Receiver; readonly client: JobClient },
  findings: Findings,
): Promise<void> {
  const { json } = await client.insist<{ secret: string }>('GET', '/v1/webhooks/secret');
  const webhook = new Webhook(json.secret);
  const byJob = groupByJob(receiver.deliveries);
  for (const { id } of awaitingWebhook(jobs, receiver))
    findings.lost.push(`${id}: an event was not accepted.`);
  for (const job of jobs) {
    const deliveries = byJob.get(job.id) ?? [];
    if (!deliveries.every((delivery) => isSigned(delivery, webhook)))
      findings.other.push(`${job.id}: its webhook is wrongly signed.`);
    for (const [id, attempts] of Map.groupBy(deliveries, (delivery) => delivery.id))
      if (new Set(attempts.map(({ body }) => body)).size > 1)
        findings.other.push(`${job.id}: the event ${id} came with several bodies.`);
    const final = deliveries.filter(({ event }) => event.type !== 'job.pages');
    checkFinal(job, final, findings);
    if (!job.hasBatches) continue;
    const events = deliveries.map(({ event }) => event);
    const results = await client.results(job.id);
    checkBatches({ name: job.id, urls: results.map(({ url }) => url) }, events, findings);
  }
}

function checkFinal({ id, ...job }: AnnouncedJob, final: readonly Delivery[], findings: Findings): void {
  const ids = new Set(final.map((delivery) => delivery.id));
  if (ids.size > 1) findings.other.push(`${id}: its webhook came under ${ids.size} ids.`);
  for (const { event } of final) {
    const { status, completedUrls } = event.data.job;
    if (status !== job.status || completedUrls !== job.completedUrls)
      findings.other.push(`${id}: its webhook told of another outcome: ${status}.`);
  }
}

/** Returns whether the final event of a job is among these events, and as many batches as it tells. */
export function hasAllBatches(events: readonly EventBody[]): boolean {
  const told = events.find(({ data }) => data.batches !== undefined)?.data.batches;
  return told !== undefined && lastParts(events).size === told;
}

/** Checks that each result came in exactly one batch, under one id, and batches are numbered without gaps. */
export function checkBatches(
  { name, urls }: { readonly name: string; readonly urls: readonly string[] },
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

function groupByJob(deliveries: readonly Delivery[]): Map<string, Delivery[]> {
  return Map.groupBy(deliveries, ({ event }) => event.data.job.id);
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function isSigned({ id, headers, body }: Delivery, webhook: Webhook): boolean {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(webhook.sign(id, sentAt, body));
}
