import { createHmac } from 'node:crypto';
import type { Job } from '@gleaner/contracts';
import type { startWebhookReceiver } from '@gleaner/test-kit';
import { type ClientJob, hasEnded, idOf, type JobClient } from '../job-client.ts';
import type { Findings } from './findings.ts';

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

interface JobEventBody {
  readonly type: string;
  readonly data: { readonly job: Job };
}

/** Returns the finished jobs whose webhook has not arrived yet. */
export function awaitingWebhook(jobs: readonly ClientJob[], { deliveries }: Receiver): ClientJob[] {
  const told = new Set(deliveries.map(({ json }) => (json as JobEventBody).data.job.id));
  return jobs.filter((job) => hasEnded(job) && !told.has(idOf(job)));
}

/** Checks that each finished job was announced under one id, with a valid signature and the present state of the job. */
export async function checkWebhooks(
  jobs: readonly ClientJob[],
  { receiver, client }: { receiver: Receiver; client: JobClient },
  findings: Findings,
): Promise<void> {
  const { json } = await client.insist<{ secret: string }>('GET', '/v1/webhooks/secret');
  const byJob = Map.groupBy(receiver.deliveries, (delivery) => (delivery.json as JobEventBody).data.job.id);
  for (const job of jobs) {
    const deliveries = byJob.get(idOf(job)) ?? [];
    if (hasEnded(job) && deliveries.length === 0)
      findings.other.push(`${idOf(job)}: its webhook never came.`);
    const ids = new Set(deliveries.map(({ headers }) => headers['webhook-id']));
    if (ids.size > 1) findings.other.push(`${idOf(job)}: its webhook came under ${ids.size} ids.`);
    for (const { headers, body, json: sent } of deliveries) {
      if (!isSigned({ headers, body }, json.secret))
        findings.other.push(`${idOf(job)}: its webhook is wrongly signed.`);
      const told = (sent as JobEventBody).data.job;
      const last = job.history.at(-1);
      if (told.status !== last?.status || told.completedUrls !== last.completedUrls)
        findings.other.push(`${idOf(job)}: its webhook told of another outcome: ${told.status}.`);
    }
  }
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function isSigned(
  { headers, body }: Pick<Receiver['deliveries'][number], 'headers' | 'body'>,
  secret: string,
) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const signature = createHmac('sha256', key).update(signed).update(body).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`);
}
