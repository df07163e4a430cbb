import { EVENTS } from '../schema/event-schemas.ts';
import type { JsonObject } from './refer-to-components.ts';

/** The tag of the events. */
export const EVENTS_TAG = 'events';

/** Describes the requests that webhooks receive, by the types of their events. */
export function describeWebhooks(): JsonObject {
  const entries = Object.entries(EVENTS).flatMap(([name, { types, description }]) =>
    types.map((type) => [type, { post: describeRequest(type, name, description) }]),
  );
  return Object.fromEntries(entries);
}

function describeRequest(type: string, schema: string, description: string): JsonObject {
  return {
    summary: type,
    description,
    tags: [EVENTS_TAG],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
    responses: RESPONSES,
  };
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** Headers of Standard Webhooks. */
const HEADERS = [
  header('webhook-id', 'The `id` of the event, the same for every attempt.'),
  header('webhook-timestamp', 'Time of the attempt, in seconds.'),
  header(
    'webhook-signature',
    'One or more `v1,<base64>`, separated by spaces: the HMAC-SHA256 of `<id>.<timestamp>.<body>` under the secret of the account.',
  ),
];

const RESPONSES = {
  '2XX': { description: 'The event has arrived.' },
  '410': { description: 'Nothing is sent to this address again for this event.' },
  default: { description: 'The event is sent again later.' },
};
