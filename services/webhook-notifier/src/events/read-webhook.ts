import { DEFAULT_WEBHOOK_EVENTS, type WebhookEventType, type WebhookOptions } from '@gleaner/contracts';

/** A job's webhook: its URL and the events that it wants. */
export interface Webhook extends WebhookOptions {
  readonly events: WebhookEventType[];
}

/** Reads the webhook of a job from its request, which the gateway has validated. */
export function readWebhook(webhookJson: string): Webhook {
  const given = JSON.parse(webhookJson) as string | WebhookOptions;
  const { events = [...DEFAULT_WEBHOOK_EVENTS], ...options } =
    typeof given === 'string' ? { url: given } : given;
  return { ...options, events };
}

/** Returns whether the webhook wants events of this type. */
export function wants({ events }: Webhook, type: WebhookEventType): boolean {
  return events.includes(type);
}
