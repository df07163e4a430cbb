import type { Broker } from '@gleaner/broker';
import {
  createId,
  DEFAULT_WEBHOOK_EVENTS,
  type DeliveryType,
  defined,
  type FieldFall,
  type HealthState,
  isTerminal,
  type JobEvent,
  profileOf,
  type StoredWebhook,
  type WebhookEventType,
} from '@gleaner/contracts';
import { type Logger, NO_TRACER, type Tracer } from '@gleaner/service-kit';
import { datasetOf, describeJob, type StoredJob, type Stores } from '@gleaner/storage';
import { announceDelivery } from '../delivery/announce-delivery.ts';
import { deliverMessages } from './deliver-messages.ts';
import { deliverToSink } from './deliver-to-sink.ts';
import { type BatchPart, readBatch, readInlineChanges, readInlineResults } from './read-results.ts';
import { type JobEventContent, renderJobEvent } from './render-event.ts';
import { renderFirecrawlEvents } from './render-firecrawl-events.ts';

/** Collaborators of turning events into deliveries. */
export interface EventDeps {
  readonly stores: Pick<
    Stores,
    'clock' | 'jobs' | 'pages' | 'results' | 'changes' | 'tellings' | 'channels' | 'deliveries' | 'profiles'
  >;
  readonly broker: Pick<Broker, 'publishWork'>;
  readonly logger: Logger;
  readonly retentionMs: number;
  /** Prefix of links. */
  readonly publicUrl: string;
  readonly tracer?: Tracer;
}

/**
 * Creates the deliveries of an event, with bodies built from the database; a repeated event creates none. Throws
 * SERVICE_UNAVAILABLE while the database is unreachable.
 */
export async function onJobEvent(event: JobEvent, deps: EventDeps): Promise<void> {
  const [job] = await deps.stores.jobs.findJobs([event.jobId]);
  if (!job || (job.webhookJson === undefined && !job.told && job.sinkJson === undefined)) return;
  const create = async () => {
    const { webhookJson, told, sinkJson } = job;
    if (webhookJson !== undefined) await createDeliveries(event, { ...job, webhookJson }, deps);
    const isOver = isTerminal(job.status) && event.type !== 'job.started' && event.type !== 'job.pages';
    if (told && isOver) await deliverMessages(event, job, told, deps);
    const isSuccess = event.type === 'job.completed' || event.type === 'job.partial';
    if (sinkJson !== undefined && isSuccess) await deliverToSink(event, job, sinkJson, deps);
  };
  const { tracer = NO_TRACER } = deps;
  if (job.traceparent === undefined) return await create();
  await tracer.run(
    { name: 'webhooks.events process', kind: 'consumer', parent: job.traceparent },
    async (span) => {
      span.set({ 'gleaner.event.type': event.type, 'gleaner.job.id': job.id });
      await create();
    },
  );
}

/** A job that has a webhook. */
type JobWithWebhook = StoredJob & { readonly webhookJson: string };

async function createDeliveries(event: JobEvent, job: JobWithWebhook, deps: EventDeps): Promise<void> {
  const webhook = readWebhook(job.webhookJson);
  if (webhook.firecrawl) return await deliverAsFirecrawl(event, { job, webhook }, deps);
  if (event.type === 'job.pages') return await deliverBatch(event, { job, webhook }, deps);
  const source = { event, job, webhook };
  if (wants(webhook, event.type)) await deliver(source, deps);
  const isOver = isTerminal(job.status) && event.type !== 'job.started';
  if (isOver && job.healthJson !== undefined) await deliverHealth(job.healthJson, source, deps);
  if (isOver && job.restFailure?.code === 'PROFILE_EXPIRED') await deliverProfile(source, deps);
  if (isOver && job.datasetChange && wants(webhook, 'dataset.changed')) await deliverDataset(source, deps);
  const isSuccess = event.type === 'job.completed' || event.type === 'job.partial';
  if (!isSuccess || !hasChanged(job)) return;
  if (job.crawl && wants(webhook, 'job.changed')) {
    await deliverChanges(`${event.id}_pages`, 'job.changed', source, deps);
  }
  if (job.scheduleId !== undefined && wants(webhook, 'schedule.changed')) {
    await deliverChanges(`${event.id}_changed`, 'schedule.changed', source, deps);
  }
}

/** Returns whether a run found a difference; pages that nothing leads to any more are one. */
function hasChanged({ comparison, crawl }: StoredJob): boolean {
  if (!comparison) return false;
  const { added, removed, changed } = comparison;
  return added + removed + changed + (crawl?.changes?.unlinked ?? 0) > 0;
}

/** Everything that a delivery is built from. */
interface DeliverySource {
  readonly event: JobEvent;
  readonly job: StoredJob;
  readonly webhook: Webhook;
}

/** A delivery: its event with the id and the type that the receiver sees. */
interface DeliveryToStore extends Pick<DeliverySource, 'job' | 'webhook'> {
  readonly event: Pick<JobEvent, 'id' | 'at'> & { readonly type: DeliveryType };
}

async function deliver({ event, job, webhook }: DeliverySource, deps: EventDeps): Promise<void> {
  const results = await readInlineResults(job, deps.stores);
  const content = {
    job: describeJob(job),
    results: results.texts,
    resultsUrl: results.isTruncated ? linkToResults(job.id, deps) : undefined,
    metadata: webhook.metadata,
    batches: wants(webhook, 'job.pages') && isTerminal(job.status) ? job.resultBatches?.count : undefined,
  };
  await storeDelivery({ event, job, webhook }, content, deps);
}

/** Creates the delivery of what a run found changed: the changes without the results. */
async function deliverChanges(
  id: string,
  type: DeliveryType,
  { event, job, webhook }: DeliverySource,
  deps: EventDeps,
): Promise<void> {
  const content = {
    job: describeJob(job),
    metadata: webhook.metadata,
    changes: await readInlineChanges(job, deps.stores),
    changesUrl: `${deps.publicUrl}/v1/jobs/${job.id}/changes`,
  };
  await storeDelivery({ event: { ...event, id, type }, job, webhook }, content, deps);
}

/** Creates the deliveries about the health of a schedule after a run: one for the fallen fields, one for the recovered ones. */
async function deliverHealth(
  healthJson: string,
  { event, job, webhook }: DeliverySource,
  deps: EventDeps,
): Promise<void> {
  const { health, fell, recovered } = JSON.parse(healthJson) as HealthChange;
  for (const [type, suffix, fields] of [
    ['schedule.drift', 'drift', fell],
    ['schedule.recovered', 'recovered', recovered],
  ] as const) {
    if (fields.length === 0 || !wants(webhook, type)) continue;
    const content = {
      job: describeJob(job),
      metadata: webhook.metadata,
      health,
      fields,
      healthUrl: `${deps.publicUrl}/v1/schedules/${job.scheduleId}/health`,
    };
    const own = { ...event, id: `${event.id}_${suffix}`, type };
    await storeDelivery({ event: own, job, webhook }, content, deps);
  }
}

/** Creates the delivery of the loss of a profile, which has ended a job. */
async function deliverProfile({ event, job, webhook }: DeliverySource, deps: EventDeps): Promise<void> {
  const [stored] = await deps.stores.profiles.findStandings([
    profileOf(JSON.parse(job.optionsJson))?.id ?? '',
  ]);
  if (!stored) return;
  const { id, name, status, lastError } = stored;
  const type = status === 'failed' ? 'profile.failed' : 'profile.expired';
  if (!wants(webhook, type)) return;
  const profile = { id, name, status, ...defined({ lastError }) };
  const content = { job: describeJob(job), metadata: webhook.metadata, profile };
  await storeDelivery({ event: { ...event, id: `${event.id}_profile`, type }, job, webhook }, content, deps);
}

/** Creates the delivery of the change of a dataset by a job: the revisions to read, without the records. */
async function deliverDataset({ event, job, webhook }: DeliverySource, deps: EventDeps): Promise<void> {
  if (job.datasetJson === undefined || !job.datasetChange) return;
  const { name } = datasetOf(job.datasetJson);
  const { from, to } = job.datasetChange;
  const recordsUrl = `${deps.publicUrl}/v1/datasets/${name}/records?since=${from}`;
  const content = {
    job: describeJob(job),
    metadata: webhook.metadata,
    dataset: { name, from, to, recordsUrl },
  };
  const own = { ...event, id: `${event.id}_dataset`, type: 'dataset.changed' as const };
  await storeDelivery({ event: own, job, webhook }, content, deps);
}

/** Change of the health of a schedule, as the orchestrator stores it with the run. */
interface HealthChange {
  readonly health: HealthState;
  readonly fell: readonly FieldFall[];
  readonly recovered: readonly FieldFall[];
}

/** Creates the deliveries of a batch of results: one, or several if the results are large. */
async function deliverBatch(
  event: JobEvent,
  { job, webhook }: Pick<DeliverySource, 'job' | 'webhook'>,
  deps: EventDeps,
): Promise<void> {
  const { batch } = event;
  if (batch === undefined || !wants(webhook, event.type)) return;
  const resultsUrl = linkToResults(job.id, deps);
  for await (const { texts, ...part } of readBatch({ job, batch, resultsUrl }, deps.stores)) {
    const id = part.part === 1 ? event.id : `${event.id}_${part.part}`;
    const content = {
      job: describeJob(job),
      results: texts,
      metadata: webhook.metadata,
      batch: { number: batch, ...part },
    };
    await storeDelivery({ event: { ...event, id }, job, webhook }, content, deps);
  }
}

/** Creates the deliveries of an event for a receiver of Firecrawl's webhooks: one for each page of a batch. */
async function deliverAsFirecrawl(
  event: JobEvent,
  { job, webhook }: Pick<DeliverySource, 'job' | 'webhook'>,
  deps: EventDeps,
): Promise<void> {
  const { firecrawl } = webhook;
  if (!firecrawl || !wants(webhook, event.type)) return;
  const { batch, type } = event;
  const parts: AsyncIterable<BatchPart> | Iterable<BatchPart> =
    batch === undefined
      ? [{ texts: [], part: 1, isLastPart: true }]
      : readBatch({ job, batch, resultsUrl: linkToResults(job.id, deps) }, deps.stores);
  let number = 0;
  for await (const { texts } of parts) {
    for (const render of renderFirecrawlEvents({ type, jobId: job.id, webhook: firecrawl, texts })) {
      const id = number === 0 ? event.id : `${event.id}_${number}`;
      number += 1;
      const source = { event: { ...event, id }, job, webhook };
      await storeBody(source, { body: render(id), ...defined({ batch }) }, deps);
    }
  }
}

/** Stores the delivery of an event in Gleaner's own form, unless the event has one, and queues it. */
async function storeDelivery(
  source: DeliveryToStore,
  content: JobEventContent,
  deps: EventDeps,
): Promise<void> {
  const { id, type, at } = source.event;
  const body = renderJobEvent({ id, type, timestamp: at }, content);
  await storeBody(source, { body, ...(content.batch && { batch: content.batch.number }) }, deps);
}

/** Stores a delivery, unless the event has one, and queues it. */
async function storeBody(
  { event: { id: eventId, type }, job, webhook }: DeliveryToStore,
  { body, batch }: { readonly body: string; readonly batch?: number },
  deps: EventDeps,
): Promise<void> {
  const { stores, retentionMs } = deps;
  const { firecrawl } = webhook;
  const createdAt = stores.clock.now();
  const traceparent = deps.tracer?.current();
  const delivery = await stores.deliveries.insertDelivery({
    id: createId('del'),
    accountId: job.accountId,
    eventId,
    type,
    jobId: job.id,
    ...defined({ scheduleId: job.scheduleId, batch }),
    ...(firecrawl && { firecrawlHeadersJson: JSON.stringify(lowerCased(firecrawl.headers)) }),
    ...defined({ traceparent }),
    url: webhook.url,
    body,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + retentionMs),
  });
  await announceDelivery(delivery, deps);
}

/** Returns headers under lowercase names, so that the headers of a delivery replace them. */
function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function linkToResults(jobId: string, { publicUrl }: EventDeps): string {
  return `${publicUrl}/v1/jobs/${jobId}/results`;
}

/** A job's webhook: its URL and the events that it wants. */
export interface Webhook extends StoredWebhook {
  readonly events: WebhookEventType[];
}

/** Reads the webhook of a job from its request, which the gateway has validated. */
export function readWebhook(webhookJson: string): Webhook {
  const given = JSON.parse(webhookJson) as string | StoredWebhook;
  const { events = [...DEFAULT_WEBHOOK_EVENTS], ...options } =
    typeof given === 'string' ? { url: given } : given;
  return { ...options, events };
}

/** Returns whether the webhook wants events of this type. */
export function wants({ events }: Webhook, type: WebhookEventType): boolean {
  return events.includes(type);
}
