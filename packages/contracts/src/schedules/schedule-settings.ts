import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Name, OneOf } from '../map-of.ts';
import { SCRAPE_OPTION_PROPERTIES } from '../scrape/scrape-options.ts';
import { WebhookSchema } from '../webhooks/webhook.ts';

const url = Type.String({
  description: 'The page: an absolute http or https URL.',
  examples: ['https://example.com/'],
});
const name = Name({ description: 'Default "Untitled schedule".' });
const cron = Type.String({
  maxLength: LIMITS.maxCronLength,
  description:
    'Minute, hour, day of the month, month, day of the week: `*`, values, lists, ranges, steps, names; 0 and 7 are Sunday.',
  examples: ['0 9 * * 1-5'],
});
const timezone = Type.String({
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
  url,
  cron,
  timezone,
  overlap,
  ...SCRAPE_OPTION_PROPERTIES,
  webhook: Type.Optional(WebhookSchema),
};

export const ScheduleSettingsSchema = Type.Object(SCHEDULE_SETTING_PROPERTIES, {
  additionalProperties: false,
});
export type ScheduleSettings = Static<typeof ScheduleSettingsSchema>;

/** The body of `POST /v1/schedules`. */
export const CreateScheduleRequestSchema = Type.Object(
  {
    ...SCHEDULE_SETTING_PROPERTIES,
    name: Type.Optional(name),
    timezone: Type.Optional(timezone),
    overlap: Type.Optional(overlap),
  },
  { additionalProperties: false },
);
export type CreateScheduleRequest = Static<typeof CreateScheduleRequestSchema>;

/** Values of settings that the caller leaves out or resets with null. */
export const SCHEDULE_DEFAULTS = {
  name: 'Untitled schedule',
  timezone: 'UTC',
  overlap: 'skip',
} as const satisfies Partial<ScheduleSettings>;
