import { afterSilence } from '@gleaner/contracts';
import type { ChannelModel } from 'amqplib';
import type { BrokerConnection } from './broker-connection.ts';
import { errorCode, unavailable } from './broker-errors.ts';

/** Age up to which a count is reused. */
const FRESH_MS = 1000;
const LOOKUP_TIMEOUT_MS = 2000;
const NOT_FOUND = '404';

interface QueueCountsDeps {
  readonly connection: BrokerConnection;
  readonly nameOnBroker: (name: string) => string;
}

/** Counts of one queue. */
export interface QueueCount {
  readonly consumers: number;
  /** Ready messages; unacknowledged ones at a consumer do not count. */
  readonly messages: number;
}

/** Looks up how many consumers and messages the queues have, as of at most a second ago. */
export class QueueCounts {
  readonly #deps: QueueCountsDeps;
  readonly #lookups = new Map<string, { count: Promise<QueueCount>; atMs: number }>();

  constructor(deps: QueueCountsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the counts of a queue, by its name in the contracts; zeros when it does not exist. Rejects with
   * SERVICE_UNAVAILABLE when the broker does not answer.
   */
  of(name: string): Promise<QueueCount> {
    const nowMs = performance.now();
    const last = this.#lookups.get(name);
    if (last && nowMs - last.atMs < FRESH_MS) return last.count;
    const count = this.#lookUp(name);
    this.#lookups.set(name, { count, atMs: nowMs });
    // A failed lookup is not reused.
    count.catch(() => this.#lookups.delete(name));
    return count;
  }

  async #lookUp(name: string): Promise<QueueCount> {
    const { current } = this.#deps.connection;
    if (!current) throw unavailable('There is no connection to the broker.');
    const expiry = Promise.withResolvers<never>();
    const stopWaiting = afterSilence(LOOKUP_TIMEOUT_MS, () =>
      expiry.reject(unavailable(`The broker did not return the counts of the queue ${name} in time.`)),
    );
    try {
      return await Promise.race([checkQueue(current, this.#deps.nameOnBroker(name)), expiry.promise]);
    } finally {
      stopWaiting();
    }
  }
}

/** Opens a channel for each check, since the passive declaration of a missing queue closes its channel. */
async function checkQueue(connection: ChannelModel, queue: string): Promise<QueueCount> {
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    const { consumerCount, messageCount } = await channel.checkQueue(queue);
    channel.close().catch(() => {}); // It is gone already, which is what was wanted.
    return { consumers: consumerCount, messages: messageCount };
  } catch (cause) {
    if (errorCode(cause) === NOT_FOUND) return { consumers: 0, messages: 0 };
    throw unavailable('The connection to the broker was lost.', { cause });
  }
}
