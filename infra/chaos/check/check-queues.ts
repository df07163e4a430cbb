import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@gleaner/broker';
import { QUEUES, type QueueName } from '@gleaner/contracts';
import type { Findings } from './findings.ts';

/** What was put off, such as the second copy of a delivery, comes back within a minute and finds nothing to do. */
const PUT_OFF_MS = 90_000;

/** Waits until nothing waits in any queue, for as long as work may have been put off. */
export async function untilQueuesAreEmpty(broker: Pick<Broker, 'messageCount'>): Promise<void> {
  const giveUpAt = performance.now() + PUT_OFF_MS;
  for (const name of Object.keys(QUEUES) as QueueName[]) {
    while ((await broker.messageCount(name)) > 0 && performance.now() < giveUpAt) await sleep(500);
  }
}

/** Nothing waits in any queue; once the consumers are gone, what they had not acknowledged is counted, too. */
export async function checkQueues(broker: Pick<Broker, 'messageCount'>, findings: Findings): Promise<void> {
  for (const name of Object.keys(QUEUES) as QueueName[]) {
    const count = await broker.messageCount(name);
    if (count > 0) findings.other.push(`${count} messages are left in ${name}.`);
  }
}
