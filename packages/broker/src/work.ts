import { setTimeout as sleep } from 'node:timers/promises';
import { type AppError, ERROR_TABLE, EXCHANGES, QUEUES, toAppError } from '@gleaner/contracts';
import { backoffDelayMs } from './backoff-delay.ts';
import { declareQueue } from './declare-topology.ts';
import type { WorkDefinition } from './definitions.ts';
import type { Delivery } from './delivery.ts';
import type { ConsumeOptions, WorkHandler } from './incoming.ts';
import { decodeJson, encodeJson } from './json-message.ts';
import { declareWaitingRooms } from './postpone.ts';
import { Subscription } from './subscription.ts';
import { whileUnavailable } from './while-unavailable.ts';
import type { Wires } from './wires.ts';

/**
 * Queues work to survive restarts, confirmed together. Returns what went wrong with each body, in order:
 * `undefined` where it is safe; where a confirm was lost the work may be queued all the same.
 */
export function publishWork<Body>(
  { publisher, nameOnBroker }: Wires,
  { queue }: WorkDefinition<Body>,
  bodies: readonly Body[],
  signal?: AbortSignal,
): Promise<(AppError | undefined)[]> {
  const exchange = nameOnBroker(EXCHANGES[queue.exchange].name);
  const properties = { contentType: 'application/json', persistent: true, mandatory: true };
  const outgoings = bodies.map((body) => ({
    to: queue.name,
    exchange,
    routingKey: queue.routingKey,
    content: encodeJson(body),
    properties,
  }));
  return publisher.publishAll(outgoings, signal);
}

/**
 * Works on what a queue holds. A message is done with when its handler returns. While what the handler needs is
 * unavailable the message stays in hand; after another retryable error it comes again a little later, up to the queue's
 * delivery limit; after any other, or when it is malformed, it goes to the dead letters at once.
 */
export function consumeWork<Body>(
  wires: Wires,
  { queue, checkBody }: WorkDefinition<Body>,
  handler: WorkHandler<Body>,
  { concurrency }: ConsumeOptions,
): Subscription {
  return new Subscription({
    wires,
    link: wires.consuming,
    name: queue.name,
    prefetch: concurrency,
    declare: async (channel) => {
      await declareQueue(channel, QUEUES['dead-letters'], wires.nameOnBroker);
      const name = await declareQueue(channel, queue, wires.nameOnBroker);
      await declareWaitingRooms(channel, queue, wires.nameOnBroker);
      return name;
    },
    onDelivery: async (delivery) => {
      const what = `A message of ${queue.name}`;
      try {
        const body = decodeJson(delivery.message.content, checkBody, what);
        await workOn(body, handler, delivery);
      } catch (thrown) {
        const { code, details } = toAppError(thrown);
        wires.logger.error({ err: thrown, code, details }, `${what} goes to the dead letters.`);
        delivery.refuse();
      }
    },
  });
}

async function workOn<Body>(body: Body, handler: WorkHandler<Body>, delivery: Delivery): Promise<void> {
  const { signal, count } = delivery;
  const work = { body, signal, redelivered: count > 1, deliveryCount: count };
  try {
    await whileUnavailable(() => handler(work), signal);
    delivery.ack();
  } catch (thrown) {
    if (!ERROR_TABLE[toAppError(thrown).code].isRetryable) throw thrown;
    // Its place among those under way is kept meanwhile: a queue whose every message fails slows down.
    await sleep(backoffDelayMs(count, Math.random()), undefined, { signal }).catch(() => {});
    delivery.requeue();
  }
}
