import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@gleaner/contracts';

const PAUSE_MS = 1000;
/** Well under the half hour after which RabbitMQ takes a message away from its consumer. */
const MAX_WAIT_MS = 1_200_000;

/**
 * Does the work as soon as what it needs is there: a message that comes back too often would end among the dead
 * letters, and the outage is none of its doing. Gives up after 20 minutes, or when the signal aborts.
 */
export async function whileUnavailable<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const giveUpAtMs = Date.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (fault) {
      const mayPass = fault instanceof AppError && fault.code === 'SERVICE_UNAVAILABLE';
      if (!mayPass || signal.aborted || Date.now() > giveUpAtMs) throw fault;
    }
    await sleep(PAUSE_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}
