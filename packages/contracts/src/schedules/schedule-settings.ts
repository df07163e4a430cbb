import type { Static, TObject } from 'typebox';
import { CrawlOptionsSchema } from '../crawl/crawl-options.ts';
import { DatasetOptionsSchema } from '../jobs/dataset.ts';
import { SinkOptionsSchema } from '../jobs/sink.ts';
import { LIMITS } from '../limits.ts';
import { Name, OneOf } from '../map-of.ts';
import { SCRAPE_OPTION_PROPERTIES } from '../scrape/scrape-options.ts';
import { Type } from '../type.ts';
import { WebhookSchema } from '../webhooks/webhook.ts';
import { NotifySchema } from './notify.ts';

const url = Type.String({
  description: 'The page, or the start of a crawl: an absolute http or https URL. Either `url` or `urls`.',
  examples: ['https://example.com/'],
});
const urls = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: LIMITS.maxUrlsPerSchedule,
  description: 'The pages, or the starts of a crawl: each run is a job of them. Either `url` or `urls`.',
  examples: [['https://example.com/', 'https://example.org/']],
});
const name = Name({ description: 'Default "Untitled schedule".' });
/** Setting of a schedule: when it runs. */
export const cron = Type.String({
  maxLength: LIMITS.maxCronLength,
  description:
    'Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday.',
  examples: ['0 9 * * 1-5'],
});
/** Setting of a schedule: the zone of its cron. */
export const timezone = Type.String({
  maxLength: 64,
  description: 'IANA name of the time zone of `cron`. Default UTC.',
  examples: ['Europe/Berlin'],
});
const overlap = OneOf(['skip', 'allow'], {
  description:
    '`skip` leaves a run out while the one before has not finished; `allow` starts it. Default skip.',
});

/** The settings of a stored schedule: required ones, those with a default, and the optional ones that are set. */
export const SCHEDULE_SETTING_PROPERTIES = {
  name,
  url: Type.Optional(url),
  urls: Type.Optional(urls),
  cron,
  timezone,
  overlap,
  crawl: Type.Optional(CrawlOptionsSchema),
  ...SCRAPE_OPTION_PROPERTIES,
  dataset: Type.Optional(DatasetOptionsSchema),
  sink: Type.Optional(SinkOptionsSchema),
  webhook: Type.Optional(WebhookSchema),
  notify: Type.Optional(NotifySchema),
};

/** Fields of the body that creates a schedule. */
export const CREATE_SCHEDULE_PROPERTIES = {
  ...SCHEDULE_SETTING_PROPERTIES,
  name: Type.Optional(name),
  timezone: Type.Optional(timezone),
  overlap: Type.Optional(overlap),
};

/** Options of an object with `url` or with `urls`, never both. */
const EITHER = {
  additionalProperties: false,
  oneOf: [
    { properties: { url: {} }, required: ['url'] },
    { properties: { urls: {} }, required: ['urls'] },
  ],
} as const;

export const ScheduleSettingsSchema = Type.Unsafe<Static<TObject<typeof SCHEDULE_SETTING_PROPERTIES>>>(
  Type.Object(SCHEDULE_SETTING_PROPERTIES, EITHER),
);
export type ScheduleSettings = Static<typeof ScheduleSettingsSchema>;

/** The body of `POST /v1/schedules`. */
export const CreateScheduleRequestSchema = Type.Unsafe<
  Static<TObject<typeof CREATE_SCHEDULE_PROPERTIES>> & ({ url: unknown } | { urls: unknown })
>(Type.Object(CREATE_SCHEDULE_PROPERTIES, EITHER));
export type CreateScheduleRequest = Static<typeof CreateScheduleRequestSchema>;

/** Returns the URLs that a run of the schedule scrapes. */
export function urlsOf({ url, urls }: Pick<ScheduleSettings, 'url' | 'urls'>): string[] {
  return urls ?? (url === undefined ? [] : [url]);
}

/** Values of settings that the caller leaves out or resets with null. */
export const SCHEDULE_DEFAULTS = {
  name: 'Untitled schedule',
  timezone: 'UTC',
  overlap: 'skip',
} as const satisfies Partial<ScheduleSettings>;
