import type {
  BodyOf,
  FormatName,
  Job,
  Key,
  PageKind,
  QueryOf,
  Schedule,
  SchedulePatch,
} from '@gleaner/client';

/** Returns a list of the words of a type: the compiler refuses one that is missing, and one too many. */
function wordsOf<Word extends string>() {
  return <const Words extends readonly Word[]>(
    words: [Word] extends [Words[number]] ? Words : never,
  ): readonly Word[] => words;
}

type Crawl = NonNullable<BodyOf<'createJob'>['crawl']>;
type Webhook = NonNullable<BodyOf<'createJob'>['webhook']>;
type NullOf<Patch> = { [Name in keyof Patch]-?: null extends Patch[Name] ? Name : never }[keyof Patch];

/** States of a job. */
export const JOB_STATES = wordsOf<Job['status']>()([
  'pending',
  'running',
  'completed',
  'partial',
  'failed',
  'cancelled',
]);

/** States of a URL of a job. */
export const URL_STATES = wordsOf<NonNullable<QueryOf<'getJobUrls'>['state']>>()([
  'waiting',
  'running',
  'completed',
  'failed',
  'skipped',
  'cancelled',
]);

/** Differences of a page from the crawl before. */
export const CHANGES = wordsOf<NonNullable<QueryOf<'getJobResults'>['change']>>()([
  'new',
  'changed',
  'unchanged',
  'gone',
  'unlinked',
]);

/** Kinds of pages that results come from. */
export const PAGE_KINDS = wordsOf<PageKind>()([
  'content',
  'wall',
  'login',
  'consent',
  'notFound',
  'shell',
  'empty',
  'notice',
]);

/** Events of webhooks. */
export const WEBHOOK_EVENTS = wordsOf<NonNullable<Exclude<Webhook, string>['events']>[number]>()([
  'job.started',
  'job.pages',
  'job.completed',
  'job.partial',
  'job.failed',
  'job.cancelled',
  'job.changed',
  'schedule.changed',
  'schedule.drift',
  'schedule.recovered',
  'profile.expired',
  'profile.failed',
]);

/** Reaches of a crawl. */
export const CRAWL_SCOPES = wordsOf<NonNullable<Crawl['scope']>>()(['path', 'host', 'domain', 'any']);

/** Uses of sitemaps in a crawl. */
export const SITEMAP_MODES = wordsOf<NonNullable<Crawl['sitemap']>>()(['include', 'skip', 'only']);

/** States of a schedule. */
export const SCHEDULE_STATES = wordsOf<Schedule['status']>()(['active', 'paused']);

/** States of a delivery. */
export const DELIVERY_STATES = wordsOf<NonNullable<QueryOf<'listWebhookDeliveries'>['status']>>()([
  'pending',
  'delivered',
  'failed',
  'gone',
]);

/** Whole-page formats. */
export const FORMAT_NAMES = wordsOf<FormatName>()([
  'markdown',
  'article',
  'metadata',
  'links',
  'images',
  'tables',
  'text',
  'html',
]);

/** Permissions of a key. */
export const SCOPES = wordsOf<Key['scopes'][number]>()([
  'scrape',
  'jobs',
  'schedules',
  'profiles',
  'webhooks',
  'usage',
  'admin',
]);

/** Methods of a request. */
export const METHOD_CHOICES = wordsOf<NonNullable<BodyOf<'scrape'>['method']>>()([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
]);

/** Treatments of the layers that ask for consent. */
export const OVERLAY_CHOICES = wordsOf<NonNullable<BodyOf<'scrape'>['overlays']>>()([
  'keep',
  'hide',
  'accept',
  'reject',
]);

/** Treatments of pages that are not what was asked for. */
export const SUSPECT_CHOICES = wordsOf<NonNullable<BodyOf<'scrape'>['onSuspect']>>()(['keep', 'fail']);

/** Settings of a schedule that have a default. */
export const RESETTABLE_SETTINGS = wordsOf<NullOf<SchedulePatch>>()([
  'name',
  'timezone',
  'overlap',
  'crawl',
  'selectors',
  'formats',
  'locale',
  'method',
  'body',
  'json',
  'form',
  'repeatable',
  'render',
  'antiBot',
  'proxy',
  'actions',
  'waitFor',
  'screenshot',
  'freshContext',
  'frames',
  'capture',
  'pdf',
  'download',
  'overlays',
  'onSuspect',
  'snapshot',
  'cookies',
  'headers',
  'profile',
  'maxCredits',
  'timeout',
  'webhook',
]);
