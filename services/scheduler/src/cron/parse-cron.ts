import { CRON_FIELDS, type ParsedField, parseField } from './parse-field.ts';
import { timingError } from './timing-error.ts';

/** The values that the fields of a cron expression select. */
export interface ParsedCron {
  readonly minutes: ParsedField;
  readonly hours: ParsedField;
  readonly daysOfMonth: ParsedField;
  readonly months: ParsedField;
  /** 0 is Sunday; 7 is read as 0. */
  readonly daysOfWeek: ParsedField;
}

const SHORTHANDS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** The longest that each month ever is. */
const LONGEST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reads a cron expression of five fields. Throws INVALID_REQUEST with the wrong field and its valid values. */
export function parseCron(expression: string): ParsedCron {
  const fields = splitFields(expression);
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = CRON_FIELDS.map((field, index) =>
    parseField(fields[index] ?? '', field),
  ) as [ParsedField, ParsedField, ParsedField, ParsedField, ParsedField];
  const cron = { minutes, hours, daysOfMonth, months, daysOfWeek: withoutSeven(daysOfWeek) };
  if (everFires(cron)) return cron;
  throw timingError(
    'cron',
    `never fires: no month of "${fields[3]}" has a day "${fields[2]}"`,
    'Choose days that the months have; 29 February comes in leap years.',
  );
}

/** Splits an expression into its fields. Throws INVALID_REQUEST unless there are five. */
export function splitFields(expression: string): string[] {
  const text = expression.trim();
  const shorthand = SHORTHANDS[text.toLowerCase()];
  if (shorthand !== undefined)
    throw timingError(
      'cron',
      `is the shorthand ${text}, which is not supported`,
      `Write it out: "${shorthand}".`,
    );
  const fields = text === '' ? [] : text.split(/[ \t]+/);
  if (fields.length === CRON_FIELDS.length) return fields;
  const found =
    fields.length === 0 ? 'is empty' : `has ${fields.length} field${fields.length === 1 ? '' : 's'}`;
  throw timingError(
    'cron',
    `${found}; it takes five fields: minute, hour, day of the month, month, day of the week`,
    fields.length === 6
      ? 'Leave out the seconds or the year, as in "0 9 * * 1-5": schedules run on whole minutes.'
      : 'Give five fields, as in "0 9 * * 1-5" for 9:00 on working days.',
  );
}

function withoutSeven({ values, isStar }: ParsedField): ParsedField {
  const days = new Set(values.map((day) => day % 7));
  return { values: [...days].sort((one, other) => one - other), isStar };
}

/** A day of the week comes in every month, and `*` with a step begins at day 1, which every month has. */
function everFires({ months, daysOfMonth, daysOfWeek }: ParsedCron): boolean {
  if (!daysOfWeek.isStar || daysOfMonth.isStar) return true;
  const firstDay = Math.min(...daysOfMonth.values);
  return months.values.some((month) => firstDay <= (LONGEST_DAYS[month - 1] ?? 0));
}
