import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelModel } from 'amqplib';
import type { NameOnBroker } from './declare-topology.ts';
import { faultCode } from './explain-fault.ts';
import type { Link } from './link.ts';
import { unavailable } from './unavailable.ts';

/** How long an answer is good for. */
const FRESH_MS = 1000;
const LOOKUP_TIMEOUT_MS = 2000;
const NOT_FOUND = '404';

interface QueueCountsDeps {
  readonly link: Link;
  readonly nameOnBroker: NameOnBroker;
}

/** What is known of a queue. */
export interface QueueCount {
  readonly consumers: number;
  /** Those that wait; not those that a consumer has in hand. */
  readonly messages: number;
}

/** How many consumers and messages the queues have, as of at most a second ago. */
export class QueueCounts {
  readonly #deps: QueueCountsDeps;
  readonly #lookups = new Map<string, { count: Promise<QueueCount>; atMs: number }>();

  constructor(deps: QueueCountsDeps) {
    this.#deps = deps;
  }

  /** The counts of a queue, by our name for it; 0 when it does not exist. SERVICE_UNAVAILABLE when the broker does not answer. */
  of(name: string): Promise<QueueCount> {
    const nowMs = performance.now();
    const last = this.#lookups.get(name);
    if (last && nowMs - last.atMs < FRESH_MS) return last.count;
    const count = this.#lookUp(name);
    this.#lookups.set(name, { count, atMs: nowMs });
    // A failure is not worth remembering.
    count.catch(() => this.#lookups.delete(name));
    return count;
  }

  async #lookUp(name: string): Promise<QueueCount> {
    const { connection } = this.#deps.link;
    if (!connection) throw unavailable('There is no connection to the broker.');
    const timeout = new AbortController();
    const tooLate = sleep(LOOKUP_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(() => {
      throw unavailable(`The broker does not say what is in ${name}.`);
    });
    try {
      return await Promise.race([lookInto(connection, this.#deps.nameOnBroker(name)), tooLate]);
    } finally {
      timeout.abort();
      tooLate.catch(() => {});
    }
  }
}

/** A passive declaration of a queue that is missing closes the channel, so each has one of its own. */
async function lookInto(connection: ChannelModel, queue: string): Promise<QueueCount> {
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    const { consumerCount, messageCount } = await channel.checkQueue(queue);
    void channel.close().catch(() => {});
    return { consumers: consumerCount, messages: messageCount };
  } catch (cause) {
    if (faultCode(cause) === NOT_FOUND) return { consumers: 0, messages: 0 };
    throw unavailable('The connection to the broker was lost.', { cause });
  }
}
