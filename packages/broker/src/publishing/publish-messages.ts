import { type AppError, EXCHANGES, type JobEvent } from '@gleaner/contracts';
import type { NameOnBroker } from '../messages/declare-queues.ts';
import type { BroadcastDefinition, WorkDefinition } from '../messages/definitions.ts';
import { delayQueueName, longestDelayWithin } from '../messages/delay-queues.ts';
import { encodeJson } from '../messages/json-message.ts';
import type { Publisher } from './publisher.ts';

/** Collaborators of everything that publishes. */
export interface PublishingDeps {
  readonly publisher: Publisher;
  readonly nameOnBroker: NameOnBroker;
}

const DURABLE_JSON = { contentType: 'application/json', persistent: true } as const;

/** Tells consumers how long a message has waited; AMQP counts whole seconds. */
const sentNow = () => ({ timestamp: Math.floor(Date.now() / 1000) });

/**
 * Queues work that survives restarts, confirmed together. Returns the error of each body, in order, or `undefined` where
 * the work is safe; where a confirm was lost the work may be queued all the same.
 */
export function publishWork<Body>(
  { publisher, nameOnBroker }: PublishingDeps,
  { queue }: WorkDefinition<Body>,
  bodies: readonly Body[],
  signal?: AbortSignal,
): Promise<(AppError | undefined)[]> {
  const exchange = nameOnBroker(EXCHANGES[queue.exchange].name);
  const properties = { ...DURABLE_JSON, ...sentNow(), mandatory: true };
  const messages = bodies.map((body) => ({
    to: queue.name,
    exchange,
    routingKey: queue.routingKey,
    content: encodeJson(body),
    properties,
  }));
  return publisher.publishAll(messages, signal);
}

/**
 * Postpones work: it is delivered after the longest of its queue's delays within `delayMs`, or the shortest, so the
 * consumer may have to postpone it again. All messages of one delay queue wait equally long, so none holds up another.
 * Rejects with SERVICE_UNAVAILABLE when the broker may not have it.
 */
export function postponeWork<Body>(
  { publisher, nameOnBroker }: PublishingDeps,
  { queue }: WorkDefinition<Body>,
  body: Body,
  delayMs: number,
): Promise<void> {
  const delayQueue = delayQueueName(queue, longestDelayWithin(delayMs, queue));
  return publisher.publish({
    to: delayQueue,
    exchange: nameOnBroker(EXCHANGES[queue.exchange].name),
    routingKey: delayQueue,
    content: encodeJson(body),
    properties: { ...DURABLE_JSON, mandatory: true },
  });
}

/** Sends a message to every process that listens now; resolves once the broker has it, even if none listens. */
export async function broadcast<Body>(
  { publisher, nameOnBroker }: PublishingDeps,
  { exchange }: BroadcastDefinition<Body>,
  body: Body,
): Promise<void> {
  await publisher.publish({
    to: exchange.name,
    exchange: nameOnBroker(exchange.name),
    routingKey: '',
    content: encodeJson(body),
    properties: { contentType: 'application/json' },
  });
}

/** Publishes events to the topic exchange, confirmed together; returns the error of each, in order, or `undefined`. */
export function publishEvents(
  { publisher, nameOnBroker }: PublishingDeps,
  events: readonly JobEvent[],
): Promise<(AppError | undefined)[]> {
  const { name } = EXCHANGES.events;
  const messages = events.map((event) => ({
    to: name,
    exchange: nameOnBroker(name),
    routingKey: event.type,
    content: encodeJson(event),
    properties: { ...DURABLE_JSON, ...sentNow() },
  }));
  return publisher.publishAll(messages);
}
