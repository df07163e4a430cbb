import type { Static, TSchema } from 'typebox';
import { defined } from '../defined.ts';
import { Nullable } from '../map-of.ts';
import { Type } from '../type.ts';
import {
  CREATE_SCHEDULE_PROPERTIES,
  type CreateScheduleRequest,
  SCHEDULE_DEFAULTS,
  type ScheduleSettings,
} from './schedule-settings.ts';

/** Types of settings in plain words. */
const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer',
  array: 'an array',
  object: 'an object',
};

const { url, urls, cron, ...optional } = CREATE_SCHEDULE_PROPERTIES;

type Clearable<Properties extends Record<string, TSchema>> = {
  [Name in keyof Properties]: ReturnType<typeof Type.Optional<ReturnType<typeof Nullable<Properties[Name]>>>>;
};

/**
 * The body of `PATCH /v1/schedules/{id}`, as a merge patch (RFC 7396) of the settings: what is given replaces the
 * setting as a whole, null resets an optional one to its default, the rest stays. `url` also replaces `urls`, and `urls`
 * replaces `url`.
 */
export const SchedulePatchSchema = Type.Object(
  { url, urls, cron: Type.Optional(cron), ...clearable(optional) },
  { additionalProperties: false, not: { properties: { url: {}, urls: {} }, required: ['url', 'urls'] } },
);
export type SchedulePatch = Static<typeof SchedulePatchSchema>;

/** Returns the settings of a new schedule, with the defaults filled in. */
export function settingsOf(request: CreateScheduleRequest): ScheduleSettings {
  const { name, url, urls, cron, timezone, overlap, ...options } = { ...SCHEDULE_DEFAULTS, ...request };
  const pages = defined({ url, urls });
  return { name, ...pages, ...options, cron, timezone, overlap };
}

/** Returns the settings after a patch. */
export function patchSettings(settings: ScheduleSettings, patch: SchedulePatch): ScheduleSettings {
  const replaced = patch.url === undefined ? (patch.urls === undefined ? undefined : 'url') : 'urls';
  const merged = Object.entries({ ...settings, ...patch }).filter(
    ([name, value]) => value !== null && name !== replaced,
  );
  return settingsOf(Object.fromEntries(merged) as CreateScheduleRequest);
}

function clearable<Properties extends Record<string, TSchema>>(
  properties: Properties,
): Clearable<Properties> {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const expected = `${expectedOf(schema)}, or null to reset it`;
    return [name, Type.Optional(Nullable(schema, { 'x-expected': expected }))];
  });
  return Object.fromEntries(entries) as Clearable<Properties>;
}

/** Describes in plain words which values a setting takes. */
function expectedOf(schema: TSchema & { 'x-expected'?: string; type?: string }): string {
  return schema['x-expected'] ?? EXPECTED[schema.type ?? ''] ?? 'a value';
}
