import type { Broker } from '@gleaner/broker';
import { QUEUES, type QueueName } from '@gleaner/contracts';
import type { Findings } from './findings.ts';

/** Nothing waits in any queue; once the consumers are gone, what they had not acknowledged is counted, too. */
export async function checkQueues(broker: Pick<Broker, 'messageCount'>, findings: Findings): Promise<void> {
  for (const name of Object.keys(QUEUES) as QueueName[]) {
    const count = await broker.messageCount(name);
    if (count > 0) findings.other.push(`${count} messages are left in ${name}.`);
  }
}
