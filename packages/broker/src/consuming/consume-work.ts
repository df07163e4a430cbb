import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, backoffMs, ERROR_TABLE, QUEUES, toAppError } from '@gleaner/contracts';
import { RETRY_BACKOFF } from '../connection/broker-channel.ts';
import { declareQueue } from '../messages/declare-queues.ts';
import type { WorkDefinition } from '../messages/definitions.ts';
import { declareDelayQueues } from '../messages/delay-queues.ts';
import { decodeJson } from '../messages/json-message.ts';
import type { Delivery } from './delivery.ts';
import type { ConsumeOptions, WorkHandler } from './incoming.ts';
import { type ConsumingDeps, Subscription } from './subscription.ts';

/**
 * Works on the messages of a queue. A message is acknowledged when its handler returns. It is held while the handler
 * fails with SERVICE_UNAVAILABLE; after another retryable error it is delivered again a little later, up to the queue's
 * delivery limit; after any other error, or when it is malformed, it goes to the dead letters at once.
 */
export function consumeWork<Body>(
  deps: ConsumingDeps,
  { queue, checkBody }: WorkDefinition<Body>,
  handler: WorkHandler<Body>,
  { concurrency }: ConsumeOptions,
): Subscription {
  return new Subscription({
    deps,
    connection: deps.consuming,
    name: queue.name,
    prefetch: concurrency,
    declare: async (channel) => {
      await declareQueue(channel, QUEUES['dead-letters'], deps.nameOnBroker);
      const name = await declareQueue(channel, queue, deps.nameOnBroker);
      await declareDelayQueues(channel, queue, deps.nameOnBroker);
      return name;
    },
    onDelivery: async (delivery) => {
      const what = `A message of ${queue.name}`;
      try {
        const body = await decodeJson(delivery.message.content, checkBody, what);
        await handleWork(body, handler, delivery);
      } catch (thrown) {
        const { code, details } = toAppError(thrown);
        deps.logger.error({ err: thrown, code, details }, `${what} goes to the dead letters.`);
        delivery.reject();
      }
    },
  });
}

async function handleWork<Body>(body: Body, handler: WorkHandler<Body>, delivery: Delivery): Promise<void> {
  const { signal, count } = delivery;
  const work = { body, signal, redelivered: count > 1, deliveryCount: count };
  try {
    await whileUnavailable(() => handler(work), signal);
    delivery.ack();
  } catch (thrown) {
    if (!ERROR_TABLE[toAppError(thrown).code].isRetryable) throw thrown;
    // The message keeps its place among the concurrent ones, which slows down a queue whose every message fails.
    const delayMs = backoffMs(RETRY_BACKOFF, count, Math.random());
    await sleep(delayMs, undefined, { signal }).catch(() => {});
    delivery.requeue();
  }
}

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
      const isTransient = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
      if (!isTransient || signal.aborted || Date.now() > giveUpAtMs) throw error;
    }
    await sleep(PAUSE_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}
