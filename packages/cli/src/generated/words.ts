/** Written by `npm run docs` from the contracts; a test compares them. Do not edit. */

/** States of a job. */
export const JOB_STATES = ['pending', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

/** States of a URL of a job. */
export const URL_STATES = ['waiting', 'running', 'completed', 'failed', 'skipped', 'cancelled'] as const;

/** Differences of a page from the crawl before. */
export const CHANGES = ['new', 'changed', 'unchanged', 'gone', 'unlinked'] as const;

/** Kinds of pages that results come from. */
export const PAGE_KINDS = ['content', 'wall', 'login', 'consent', 'notFound', 'shell', 'empty', 'notice'] as const;

/** Events of webhooks. */
export const WEBHOOK_EVENTS = ['job.started', 'job.pages', 'job.completed', 'job.partial', 'job.failed', 'job.cancelled', 'job.changed', 'dataset.changed', 'schedule.changed', 'schedule.drift', 'schedule.recovered', 'profile.expired', 'profile.failed'] as const;

/** Reaches of a crawl. */
export const CRAWL_SCOPES = ['path', 'host', 'domain', 'any'] as const;

/** Uses of sitemaps in a crawl. */
export const SITEMAP_MODES = ['skip', 'include', 'only'] as const;

/** States of a schedule. */
export const SCHEDULE_STATES = ['active', 'paused'] as const;

/** Kinds of channels. */
export const CHANNEL_TYPES = ['webhook', 'email', 'slack', 'discord', 'teams', 'telegram', 'ntfy', 'apprise'] as const;

/** States of a delivery. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'gone'] as const;

/** Whole-page formats. */
export const FORMAT_NAMES = ['markdown', 'article', 'metadata', 'links', 'images', 'tables', 'text', 'html'] as const;

/** Treatments of the text that no reader of a page sees. */
export const HIDDEN_TEXT = ['keep', 'drop', 'mark'] as const;

/** Permissions of a key. */
export const SCOPES = ['scrape', 'jobs', 'schedules', 'profiles', 'webhooks', 'usage', 'admin'] as const;

/** Settings of a schedule that have a default. */
export const RESETTABLE_SETTINGS = ['name', 'timezone', 'overlap', 'crawl', 'recipe', 'selectors', 'formats', 'extract', 'locale', 'method', 'body', 'json', 'form', 'repeatable', 'render', 'antiBot', 'proxy', 'actions', 'waitFor', 'screenshot', 'overlays', 'frames', 'capture', 'pdf', 'download', 'onSuspect', 'snapshot', 'maxAge', 'freshContext', 'cookies', 'headers', 'profile', 'maxCredits', 'timeout', 'dataset', 'sink', 'webhook', 'notify'] as const;
