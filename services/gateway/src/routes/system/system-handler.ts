import type { Broker } from '@gleaner/broker';
import {
  defined,
  type Instance,
  MAX_PAUSED_HOSTS,
  type PausedHost,
  QUEUES,
  type QueueName,
} from '@gleaner/contracts';
import type { StoredInstance, Stores } from '@gleaner/storage';
import type { Handler } from '../handler.ts';

/** Collaborators of the handler. */
export interface SystemDeps {
  readonly clock: Stores['clock'];
  readonly broker: Pick<Broker, 'consumerCount' | 'messageCount'>;
  readonly instances: Pick<Stores['instances'], 'listInstances'>;
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

/** Handles `GET /v1/system`: processes and queues by the broker, and the reports of processes. */
export const systemHandler: Handler<'getSystem', SystemDeps> = async (
  _call,
  { clock, broker, instances, version },
) => {
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
      name,
      purpose,
      processes: await broker.consumerCount(queue),
    })),
  );
  const now = clock.now();
  const listed = await instances.listInstances(now);
  const system = { version, services, queues, instances: listed.map(describeInstance) };
  return { success: true, system: { ...system, pausedHosts: findPausedHosts(listed, now) } };
};

function describeInstance({
  id,
  service,
  name,
  version,
  startedAt,
  seenAt,
  facts,
}: StoredInstance): Instance {
  return {
    id,
    service,
    name,
    version,
    startedAt: startedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    ...defined({ browsers: facts.browsers, chromium: facts.chromium }),
  };
}

/** Returns the hosts on pause. An orchestrator that no longer dispatches may still report ended pauses. */
function findPausedHosts(instances: readonly StoredInstance[], now: Date): PausedHost[] {
  const untils = new Map<string, string>();
  for (const { host, until } of instances.flatMap(({ facts }) => facts.pausedHosts ?? [])) {
    if (Date.parse(until) > now.getTime() && until > (untils.get(host) ?? '')) untils.set(host, until);
  }
  return [...untils]
    .map(([host, until]) => ({ host, until }))
    .sort((a, b) => (a.until < b.until ? 1 : -1))
    .slice(0, MAX_PAUSED_HOSTS);
}
