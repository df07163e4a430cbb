import { EXCHANGES, type QueueDefinition } from '@gleaner/contracts';
import { declareQueue } from '../messages/declare-queues.ts';
import type { RequestDefinition } from '../messages/definitions.ts';
import { DELIVERIES_HEADER, encodeJson, traceHeader } from '../messages/json-message.ts';
import type { Publisher } from '../publishing/publisher.ts';
import { answerRequest, MAX_DELIVERIES, remainingMs } from './answer-request.ts';
import type { Delivery } from './delivery.ts';
import { type ConsumeOptions, FORWARDED, type ForwardTo, type RequestHandler } from './incoming.ts';
import { type ConsumingDeps, Subscription } from './subscription.ts';

/** Works on the requests of one queue; each is acknowledged with its reply. */
export function respond<Body, Reply>(
  deps: ConsumingDeps,
  definition: RequestDefinition<Body, Reply>,
  handler: RequestHandler<Body, Reply>,
  { concurrency }: ConsumeOptions,
): Subscription {
  const { queue } = definition;
  const { logger, observe, tracing, publisher, nameOnBroker } = deps;
  return new Subscription({
    deps,
    connection: deps.answering,
    name: queue.name,
    prefetch: concurrency,
    declare: (channel) => declareQueue(channel, queue, nameOnBroker),
    onDelivery: async (delivery) => {
      if (!delivery.message.properties.replyTo) {
        logger.error({}, `Dropped a request to ${queue.name} without reply-to.`);
        return delivery.reject();
      }
      if (await wasPutBack(publisher, queue, delivery)) return delivery.ack();
      const forward = forwardOver(deps, delivery) as ForwardTo<Reply>;
      const reply = await answerRequest({ definition, handler, forward, logger, tracing }, delivery);
      // The request has gone to another worker, which replies to it.
      if (delivery.signal.aborted) return;
      if (!reply) return delivery.ack();
      delivery.reply(reply);
      observe('published', `${queue.name} replies`);
    },
  });
}

/** Publishes the request to another queue, whose worker replies to the same requester. */
function forwardOver({ publisher, nameOnBroker, tracing }: ConsumingDeps, delivery: Delivery) {
  return async <Body>({ queue }: RequestDefinition<Body, unknown>, body: Body) => {
    const { correlationId, replyTo, contentType, headers } = delivery.message.properties;
    const { [DELIVERIES_HEADER]: _deliveries, ...others } = headers ?? {};
    const kept = { ...others, ...traceHeader(tracing) };
    const expiration = Math.max(1, remainingMs(delivery));
    await publisher.publish({
      to: queue.name,
      exchange: nameOnBroker(EXCHANGES[queue.exchange].name),
      routingKey: queue.routingKey,
      content: encodeJson(body),
      properties: { correlationId, replyTo, contentType, headers: kept, expiration, mandatory: true },
    });
    return FORWARDED;
  };
}

/**
 * Puts a redelivered request to the end of its queue with its count raised: a classic queue does not count, and a
 * request that crashes its workers must be given up some time. If that fails the request is worked on uncounted.
 */
async function wasPutBack(
  publisher: Publisher,
  queue: QueueDefinition,
  delivery: Delivery,
): Promise<boolean> {
  const { properties, fields, content } = delivery.message;
  const expiration = remainingMs(delivery);
  if (!fields.redelivered || delivery.count > MAX_DELIVERIES || !(expiration > 0)) return false;
  const { correlationId, replyTo, contentType } = properties;
  const headers = { ...properties.headers, [DELIVERIES_HEADER]: delivery.count - 1 };
  const [error] = await publisher.publishAll([
    {
      to: queue.name,
      exchange: fields.exchange,
      routingKey: fields.routingKey,
      content,
      properties: { correlationId, replyTo, contentType, headers, expiration, mandatory: true },
    },
  ]);
  return error === undefined;
}
