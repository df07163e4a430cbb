import type { AppError } from '@gleaner/contracts';
import type { Observe } from './broker-options.ts';
import { unavailable } from './unavailable.ts';

/** amqplib's words for basic.nack; a confirm that can no longer come has others. */
const NACKED = 'message nacked';

/** What a failed confirm means to whoever published to this queue or exchange. */
export function confirmFault(cause: Error, to: string, observe: Observe): AppError {
  if (cause.message !== NACKED) {
    return unavailable(`The connection to the broker was lost while it took a message for ${to}.`, { cause });
  }
  observe('nacked', to);
  return unavailable(`The queue ${to} is full.`, { cause });
}
