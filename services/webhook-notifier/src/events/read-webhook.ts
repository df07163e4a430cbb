import {
  DEFAULT_WEBHOOK_EVENTS,
  type JobEventType,
  type WebhookEventType,
  type WebhookOptions,
} from '@gleaner/contracts';

/** Where a job's events go, and which. */
export interface Webhook extends WebhookOptions {
  readonly events: WebhookEventType[];
}

/** The webhook of a job, from what its caller gave and the gateway checked. */
export function readWebhook(webhookJson: string): Webhook {
  const given = JSON.parse(webhookJson) as string | WebhookOptions;
  const { events = [...DEFAULT_WEBHOOK_EVENTS], ...options } =
    typeof given === 'string' ? { url: given } : given;
  return { ...options, events };
}

/** Whether the webhook is to be told when this happens to a job. */
export function wants({ events }: Webhook, type: JobEventType | 'schedule.changed'): boolean {
  return events.includes(type);
}
