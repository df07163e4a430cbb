import type { Broker } from '@gleaner/broker';
import { QUEUES, type QueueName } from '@gleaner/contracts';
import type { Handler } from '../handler.ts';

/** Collaborators of the handler. */
export interface SystemDeps {
  readonly broker: Pick<Broker, 'consumerCount' | 'messageCount'>;
  readonly version: string;
}

/** The queue that every process of a service takes its work from, once. */
const SERVICES: readonly { name: string; purpose: string; queue: QueueName }[] = [
  { name: 'scraper', purpose: 'pages over HTTP', queue: 'scrape.http' },
  { name: 'scraper', purpose: 'pages in a browser', queue: 'scrape.browser' },
  { name: 'job-orchestrator', purpose: 'jobs', queue: 'jobs.commands' },
  { name: 'scheduler', purpose: 'schedules', queue: 'schedules.commands' },
  { name: 'webhook-notifier', purpose: 'webhooks', queue: 'webhooks.commands' },
];

/** Creates the handler of `GET /v1/system`: what the broker knows of processes and queues. */
export function createSystemHandler({ broker, version }: SystemDeps): Handler<'getSystem'> {
  return async () => {
    const names = Object.keys(QUEUES) as QueueName[];
    const queues = await Promise.all(
      names.map(async (name) => ({
        name,
        messages: await broker.messageCount(name),
        consumers: await broker.consumerCount(name),
      })),
    );
    const services = await Promise.all(
      SERVICES.map(async ({ name, purpose, queue }) => ({
        ...{ name, purpose },
        processes: await broker.consumerCount(queue),
      })),
    );
    return { success: true, system: { version, services, queues } };
  };
}
