import { EXCHANGES, type QueueDefinition } from '@gleaner/contracts';
import { answerRequest, leftMs, MAX_DELIVERIES } from './answer-request.ts';
import { declareQueue } from './declare-topology.ts';
import type { RequestDefinition } from './definitions.ts';
import type { Delivery } from './delivery.ts';
import { type ConsumeOptions, FORWARDED, type ForwardTo, type RequestHandler } from './incoming.ts';
import { encodeJson } from './json-message.ts';
import { DELIVERIES_HEADER } from './message-headers.ts';
import type { Publisher } from './publisher.ts';
import { Subscription } from './subscription.ts';
import type { Wires } from './wires.ts';

/** Works on the requests of one queue; each is acknowledged with its reply. */
export function respond<Body, Reply>(
  wires: Wires,
  definition: RequestDefinition<Body, Reply>,
  handler: RequestHandler<Body, Reply>,
  { concurrency }: ConsumeOptions,
): Subscription {
  const { queue } = definition;
  const { logger, observe, publisher, nameOnBroker } = wires;
  return new Subscription({
    wires,
    link: wires.answering,
    name: queue.name,
    prefetch: concurrency,
    declare: (channel) => declareQueue(channel, queue, nameOnBroker),
    onDelivery: async (delivery) => {
      if (!delivery.message.properties.replyTo) {
        logger.error({}, `A request to ${queue.name} says nobody to reply to; it is dropped.`);
        return delivery.refuse();
      }
      if (await wasPutBack(publisher, queue, delivery)) return delivery.ack();
      const forward = forwardOver(wires, delivery) as ForwardTo<Reply>;
      const answer = await answerRequest({ definition, handler, forward, logger }, delivery);
      // The request is with another worker by now, which answers it.
      if (delivery.signal.aborted) return;
      if (!answer) return delivery.ack();
      delivery.reply(answer);
      observe('published', `${queue.name} replies`);
    },
  });
}

/** Publishes the request anew, so that whoever takes it replies to the same requester. */
function forwardOver({ publisher, nameOnBroker }: Wires, delivery: Delivery) {
  return async <Body>({ queue }: RequestDefinition<Body, unknown>, body: Body) => {
    const { correlationId, replyTo, contentType, headers } = delivery.message.properties;
    const { [DELIVERIES_HEADER]: _deliveries, ...kept } = headers ?? {};
    const expiration = Math.max(1, leftMs(delivery));
    const [fault] = await publisher.publishAll([
      {
        to: queue.name,
        exchange: nameOnBroker(EXCHANGES[queue.exchange].name),
        routingKey: queue.routingKey,
        content: encodeJson(body),
        properties: { correlationId, replyTo, contentType, headers: kept, expiration, mandatory: true },
      },
    ]);
    if (fault) throw fault;
    return FORWARDED;
  };
}

/**
 * A request that comes back from a lost worker goes to the end of its queue with its count raised: a classic
 * queue does not count by itself, and what kills its workers must end. Where that fails it is worked on uncounted.
 */
async function wasPutBack(
  publisher: Publisher,
  queue: QueueDefinition,
  delivery: Delivery,
): Promise<boolean> {
  const { properties, fields, content } = delivery.message;
  const expiration = leftMs(delivery);
  if (!fields.redelivered || delivery.count > MAX_DELIVERIES || !(expiration > 0)) return false;
  const { correlationId, replyTo, contentType } = properties;
  const headers = { ...properties.headers, [DELIVERIES_HEADER]: delivery.count - 1 };
  const [fault] = await publisher.publishAll([
    {
      to: queue.name,
      exchange: fields.exchange,
      routingKey: fields.routingKey,
      content,
      properties: { correlationId, replyTo, contentType, headers, expiration, mandatory: true },
    },
  ]);
  return fault === undefined;
}
