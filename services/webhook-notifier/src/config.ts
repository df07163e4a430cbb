import { type Config, defineConfig, NOTIFY_SETTINGS, SINK_SETTINGS, setting } from '@gleaner/config';
import { SECRET_SETTINGS } from '@gleaner/service-kit';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Settings of the webhook-notifier besides those of every service. */
export const NOTIFIER_SETTINGS = defineConfig({
  EGRESS_ALLOW: {
    type: setting.list,
    default: [],
    meaning: 'Private hosts, CIDRs and ports that webhooks may be sent to.',
  },
  ...SECRET_SETTINGS,
  ...NOTIFY_SETTINGS,
  ...SINK_SETTINGS,
  AWS_ACCESS_KEY_ID: {
    type: setting.text,
    default: undefined,
    meaning:
      'Key for the buckets of SINKS; without it, a profile or the role of the machine, as the AWS SDK finds it.',
  },
  AWS_SECRET_ACCESS_KEY: {
    type: setting.text,
    default: undefined,
    meaning: 'Secret of AWS_ACCESS_KEY_ID.',
    isSecret: true,
  },
  SINK_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 100 }),
    default: 2,
    meaning: 'Jobs that one notifier writes to sinks at once, each in a thread.',
  },
  SINK_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: DAY_MS }),
    default: HOUR_MS,
    meaning: 'Time that writing a job to a sink may take.',
  },
  PUBLIC_URL: {
    type: setting.url({ protocols: ['http:', 'https:'], example: 'https://gleaner.example.com' }),
    default: undefined,
    meaning: 'Address of the API, for links in webhooks; without it they are paths.',
  },
  DELIVERY_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 400,
    meaning: 'Deliveries that one notifier sends at once.',
  },
  ENDPOINT_CONCURRENCY: {
    type: setting.integer({ minimum: 1, maximum: 1000 }),
    default: 5,
    meaning: 'Deliveries that one notifier sends to one endpoint at once.',
  },
  DELIVERY_TIMEOUT_MS: {
    type: setting.durationMs({ minimum: 100, maximum: 60_000 }),
    default: 10_000,
    meaning: 'Time that an endpoint has to answer.',
  },
  RETRY_SCALE: {
    type: setting.number({ minimum: 0.0001, maximum: 10 }),
    default: 1,
    meaning: 'Factor of all delays between attempts: 10 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h.',
  },
  GIVE_UP_AFTER_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 30 * DAY_MS }),
    default: 72 * HOUR_MS,
    meaning:
      'Time after its event, or after it was restarted, at which a delivery is given up at the latest.',
  },
  SECRET_GRACE_MS: {
    type: setting.durationMs({ minimum: 0, maximum: 30 * DAY_MS }),
    default: DAY_MS,
    meaning: 'Time after a rotation during which deliveries are also signed with the old secret.',
  },
  RECONCILE_INTERVAL_MS: {
    type: setting.durationMs({ minimum: 50, maximum: HOUR_MS }),
    default: 10_000,
    meaning: 'Interval between two searches for overdue deliveries.',
  },
  OVERDUE_AFTER_MS: {
    type: setting.durationMs({ minimum: 100, maximum: HOUR_MS }),
    default: 60_000,
    meaning: 'Time after which a due delivery counts as lost and is queued again.',
  },
  DELIVERY_RETENTION_MS: {
    type: setting.durationMs({ minimum: 1000, maximum: 3650 * DAY_MS }),
    default: 30 * DAY_MS,
    meaning: 'Time for which deliveries are kept.',
  },
});

/** Validated settings of the webhook-notifier. */
export type NotifierConfig = Config<typeof NOTIFIER_SETTINGS>;
