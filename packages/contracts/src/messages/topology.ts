/** Exchanges on the broker. Every process declares exchanges and queues from these tables, so that their arguments match. */
export const EXCHANGES = {
  commands: { name: 'gleaner.commands', type: 'direct' },
  /** Apart from the other commands, so that the broker can keep scrapers from reading those. */
  scraping: { name: 'gleaner.scraping', type: 'direct' },
  cancellations: { name: 'gleaner.cancellations', type: 'fanout' },
  jobCancellations: { name: 'gleaner.job-cancellations', type: 'fanout' },
  dispatchHints: { name: 'gleaner.dispatch-hints', type: 'fanout' },
  heartbeats: { name: 'gleaner.heartbeats', type: 'fanout' },
  pageClaims: { name: 'gleaner.page-claims', type: 'fanout' },
  events: { name: 'gleaner.events', type: 'topic' },
  deadLetters: { name: 'gleaner.dead-letters', type: 'fanout' },
} as const satisfies Record<string, ExchangeDefinition>;

export interface ExchangeDefinition {
  readonly name: string;
  readonly type: 'direct' | 'topic' | 'fanout';
}

/**
 * `request`: a caller waits for the reply, so messages are transient, expire at their deadline and are rejected when the
 * queue is full. `work`: messages are durable, and those that cannot be processed end in the dead letters.
 */
export type QueueKind = 'request' | 'work' | 'dead-letters';

export interface QueueDefinition {
  readonly name: string;
  readonly kind: QueueKind;
  readonly exchange: keyof typeof EXCHANGES;
  readonly routingKey: string;
  /** Most messages that may wait; further ones are rejected. */
  readonly maxLength: number;
  /** Delays with which work can be postponed; each has a waiting queue of its own. */
  readonly delaysMs?: readonly number[];
}

export const QUEUES = {
  'scrape.http': {
    name: 'scrape.http',
    kind: 'request',
    exchange: 'scraping',
    routingKey: 'scrape.http',
    maxLength: 1000,
  },
  'scrape.browser': {
    name: 'scrape.browser',
    kind: 'request',
    exchange: 'scraping',
    routingKey: 'scrape.browser',
    maxLength: 1000,
  },
  'maps.commands': {
    name: 'maps.commands',
    kind: 'request',
    exchange: 'scraping',
    routingKey: 'maps.commands',
    maxLength: 200,
  },
  'snapshots.commands': {
    name: 'snapshots.commands',
    kind: 'request',
    exchange: 'scraping',
    routingKey: 'snapshots.commands',
    // Each has a page, which may have megabytes.
    maxLength: 50,
  },
  'answers.commands': {
    name: 'answers.commands',
    kind: 'request',
    exchange: 'commands',
    routingKey: 'answers.commands',
    maxLength: 200,
  },
  'files.commands': {
    name: 'files.commands',
    kind: 'request',
    exchange: 'commands',
    routingKey: 'files.commands',
    // Each may have a part of a file.
    maxLength: 50,
  },
  'jobs.commands': {
    name: 'jobs.commands',
    kind: 'request',
    exchange: 'commands',
    routingKey: 'jobs.commands',
    maxLength: 200,
  },
  'jobs.large-commands': {
    name: 'jobs.large-commands',
    kind: 'request',
    exchange: 'commands',
    routingKey: 'jobs.large-commands',
    // Each may have megabytes.
    maxLength: 50,
  },
  'jobs.runs': {
    name: 'jobs.runs',
    kind: 'request',
    exchange: 'commands',
    routingKey: 'jobs.runs',
    maxLength: 50,
  },
  'schedules.commands': {
    name: 'schedules.commands',
    kind: 'request',
    exchange: 'commands',
    routingKey: 'schedules.commands',
    maxLength: 200,
  },
  'pages.http': {
    name: 'pages.http',
    kind: 'work',
    exchange: 'scraping',
    routingKey: 'pages.http',
    maxLength: 20_000,
  },
  'pages.browser': {
    name: 'pages.browser',
    kind: 'work',
    exchange: 'scraping',
    routingKey: 'pages.browser',
    maxLength: 20_000,
  },
  'pages.results': {
    name: 'pages.results',
    kind: 'work',
    exchange: 'commands',
    routingKey: 'pages.results',
    maxLength: 20_000,
  },
  'pages.large-results': {
    name: 'pages.large-results',
    kind: 'work',
    exchange: 'commands',
    routingKey: 'pages.large-results',
    // Each may have megabytes; scrapers wait while no consumer takes them.
    maxLength: 100,
  },
  'pages.screenshots': {
    name: 'pages.screenshots',
    kind: 'work',
    exchange: 'commands',
    routingKey: 'pages.screenshots',
    // Each may have megabytes; scrapers wait while no consumer takes them.
    maxLength: 100,
  },
  'webhooks.commands': {
    name: 'webhooks.commands',
    kind: 'request',
    exchange: 'commands',
    routingKey: 'webhooks.commands',
    maxLength: 200,
  },
  'webhooks.events': {
    name: 'webhooks.events',
    kind: 'work',
    exchange: 'events',
    routingKey: 'job.*',
    maxLength: 1_000_000,
  },
  'webhooks.deliveries': {
    name: 'webhooks.deliveries',
    kind: 'work',
    exchange: 'commands',
    routingKey: 'webhooks.deliveries',
    maxLength: 1_000_000,
    delaysMs: [100, 1000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000],
  },
  'dead-letters': {
    name: 'dead-letters',
    kind: 'dead-letters',
    exchange: 'deadLetters',
    routingKey: '',
    maxLength: 100_000,
  },
} as const satisfies Record<string, QueueDefinition>;

export type QueueName = keyof typeof QUEUES;
