import { createHmac } from 'node:crypto';
import type { Job } from '@gleaner/contracts';
import type { startWebhookReceiver } from '@gleaner/test-kit';
import { type ClientJob, hasEnded, idOf, type JobClient } from '../job-client.ts';
import { checkBatches, type EventBody, hasAllBatches } from './check-batches.ts';
import type { Findings } from './findings.ts';

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;
type Delivery = Receiver['deliveries'][number];

/** Returns the finished jobs whose final event, or a batch of whose results, has not arrived yet. */
export function awaitingWebhook(jobs: readonly ClientJob[], { deliveries }: Receiver): ClientJob[] {
  const byJob = groupByJob(deliveries);
  return jobs.filter((job) => {
    const events = byJob.get(idOf(job)) ?? [];
    const isWhole = hasBatches(job) ? hasAllBatches(events.map(bodyOf)) : events.length > 0;
    return hasEnded(job) && !isWhole;
  });
}

function hasBatches({ events }: ClientJob): boolean {
  return events.includes('job.pages');
}

/**
 * Checks that each finished job was announced under one id, with a valid signature and the present state of the job, and
 * that its results came in batches, each in one.
 */
export async function checkWebhooks(
  jobs: readonly ClientJob[],
  { receiver, client }: { receiver: Receiver; client: JobClient },
  findings: Findings,
): Promise<void> {
  const { json } = await client.insist<{ secret: string }>('GET', '/v1/webhooks/secret');
  const byJob = groupByJob(receiver.deliveries);
  for (const job of jobs) {
    const deliveries = byJob.get(idOf(job)) ?? [];
    for (const { headers, body } of deliveries) {
      if (!isSigned({ headers, body }, json.secret))
        findings.other.push(`${idOf(job)}: its webhook is wrongly signed.`);
    }
    const [batches, final] = [deliveries.filter(isBatch), deliveries.filter((each) => !isBatch(each))];
    checkFinal(job, final, findings);
    if (!hasBatches(job)) continue;
    const results = await client.results(job);
    checkBatches(
      { name: idOf(job), urls: results.map(({ url }) => url) },
      [...batches, ...final].map(bodyOf),
      findings,
    );
  }
}

function checkFinal(job: ClientJob, deliveries: readonly Delivery[], findings: Findings): void {
  if (hasEnded(job) && deliveries.length === 0) findings.other.push(`${idOf(job)}: its webhook never came.`);
  const ids = new Set(deliveries.map(({ headers }) => headers['webhook-id']));
  if (ids.size > 1) findings.other.push(`${idOf(job)}: its webhook came under ${ids.size} ids.`);
  for (const delivery of deliveries) {
    const told: Job = bodyOf(delivery).data.job;
    const last = job.history.at(-1);
    if (told.status !== last?.status || told.completedUrls !== last.completedUrls)
      findings.other.push(`${idOf(job)}: its webhook told of another outcome: ${told.status}.`);
  }
}

function bodyOf({ json }: Pick<Delivery, 'json'>): EventBody {
  return json as EventBody;
}

function isBatch(delivery: Delivery): boolean {
  return bodyOf(delivery).type === 'job.pages';
}

function groupByJob(deliveries: readonly Delivery[]): Map<string, Delivery[]> {
  return Map.groupBy(deliveries, (delivery) => bodyOf(delivery).data.job.id);
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function isSigned({ headers, body }: Pick<Delivery, 'headers' | 'body'>, secret: string) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const signature = createHmac('sha256', key).update(signed).update(body).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`);
}
