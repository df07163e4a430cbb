import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@gleaner/broker';
import { QUEUES, type QueueName } from '@gleaner/contracts';
import type { Findings } from './findings.ts';

/** Postponed messages, such as the second copy of a delivery, return within a minute and have nothing to do. */
const PUT_OFF_MS = 90_000;

/** Waits until every queue is empty, for as long as work may have been postponed. */
export async function untilQueuesAreEmpty(broker: Pick<Broker, 'messageCount'>): Promise<void> {
  const giveUpAt = performance.now() + PUT_OFF_MS;
  for (const name of Object.keys(QUEUES) as QueueName[]) {
    while ((await broker.messageCount(name)) > 0 && performance.now() < giveUpAt) await sleep(500);
  }
}

/** Checks that every queue is empty; once the consumers have ended, unacknowledged messages count too. */
export async function checkQueues(broker: Pick<Broker, 'messageCount'>, findings: Findings): Promise<void> {
  for (const name of Object.keys(QUEUES) as QueueName[]) {
    const count = await broker.messageCount(name);
    if (count > 0) findings.other.push(`${count} messages are left in ${name}.`);
  }
}
