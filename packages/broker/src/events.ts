import { type AppError, EXCHANGES, type JobEvent } from '@gleaner/contracts';
import { encodeJson } from './json-message.ts';
import type { Wires } from './wires.ts';

/** Announces events on the topic exchange, confirmed together; what went wrong with each, in order. */
export function publishEvents(
  { publisher, nameOnBroker }: Wires,
  events: readonly JobEvent[],
): Promise<(AppError | undefined)[]> {
  const { name } = EXCHANGES.events;
  const outgoings = events.map((event) => ({
    to: name,
    exchange: nameOnBroker(name),
    routingKey: event.type,
    content: encodeJson(event),
    properties: { contentType: 'application/json', persistent: true },
  }));
  return publisher.publishAll(outgoings);
}
