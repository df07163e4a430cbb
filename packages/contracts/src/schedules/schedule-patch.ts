import { type Static, type TSchema, Type } from 'typebox';
import { Nullable } from '../map-of.ts';
import {
  type CreateScheduleRequest,
  CreateScheduleRequestSchema,
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

/** The settings that every schedule must have; all others can be reset. */
type RequiredSetting = 'url' | 'cron';

const { url, cron, ...optional } = CreateScheduleRequestSchema.properties;

type Clearable<Properties extends Record<string, TSchema>> = {
  [Name in keyof Properties]: ReturnType<typeof Type.Optional<ReturnType<typeof Nullable<Properties[Name]>>>>;
};

/**
 * The body of `PATCH /v1/schedules/{id}`, as a merge patch (RFC 7396) of the settings: what is given replaces the
 * setting as a whole, null resets an optional one to its default, the rest stays.
 */
export const SchedulePatchSchema = Type.Object(
  { url: Type.Optional(url), cron: Type.Optional(cron), ...clearable(optional) },
  { additionalProperties: false },
);
export type SchedulePatch = Static<typeof SchedulePatchSchema>;

/** Returns the settings of a new schedule, with the defaults filled in. */
export function settingsOf(request: CreateScheduleRequest): ScheduleSettings {
  const { name, url, cron, timezone, overlap, ...options } = { ...SCHEDULE_DEFAULTS, ...request };
  return { name, url, ...options, cron, timezone, overlap };
}

/** Returns the settings after a patch. */
export function patchSettings(settings: ScheduleSettings, patch: SchedulePatch): ScheduleSettings {
  const merged = Object.entries({ ...settings, ...patch }).filter(([, value]) => value !== null);
  return settingsOf(Object.fromEntries(merged) as Pick<ScheduleSettings, RequiredSetting>);
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
