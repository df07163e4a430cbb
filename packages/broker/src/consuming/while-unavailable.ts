import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';

const PAUSE_MS = 1000;
/** Well under the half hour after which RabbitMQ takes an unacknowledged message away from its consumer. */
const MAX_WAIT_MS = 1_200_000;

/**
 * Repeats the work for as long as it fails with SERVICE_UNAVAILABLE: redelivering the message instead would count toward
 * its delivery limit, although the message did not cause the outage. Gives up after MAX_WAIT_MS, or when the signal aborts.
 */
export async function whileUnavailable<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const giveUpAtMs = Date.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
      if (!mayPass || signal.aborted || Date.now() > giveUpAtMs) throw error;
    }
    await sleep(PAUSE_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}
