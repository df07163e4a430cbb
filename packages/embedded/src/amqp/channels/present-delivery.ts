import type { QueueEntry } from '../messages/message.ts';
import { EMPTY_TABLE, long } from '../wire/field-table.ts';
import type { Content } from '../wire/frame-writer.ts';
import { encodeProperties } from '../wire/properties.ts';

/** Returns the content as the consumer sees it: quorum queues add how often the message was returned. */
export function presentDelivery({ message, returnCount }: QueueEntry): Content {
  if (returnCount === 0) return message;
  const headers = new Map(message.properties.headers ?? EMPTY_TABLE).set(
    'x-delivery-count',
    long(returnCount),
  );
  return { propertyBytes: encodeProperties({ ...message.properties, headers }), body: message.body };
}
