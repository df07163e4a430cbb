import { validate } from 'node-cron';
import { CRON_FIELDS } from './cron-fields.ts';
import { type ParsedField, parseField } from './parse-field.ts';
import { timingFault } from './timing-fault.ts';

/** The local times that a cron expression stands for. */
export interface Cron {
  /** Rising. */
  readonly minutes: readonly number[];
  /** Rising. */
  readonly hours: readonly number[];
  readonly months: ReadonlySet<number>;
  readonly daysOfMonth: ParsedField;
  /** 0 is Sunday; there is no 7. */
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

/** Reads a cron expression of five fields. Throws INVALID_REQUEST that says which field is wrong and what it takes. */
export function parseCron(expression: string): Cron {
  const fields = splitFields(expression);
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = CRON_FIELDS.map((field, index) =>
    parseField(fields[index] ?? '', field),
  ) as [ParsedField, ParsedField, ParsedField, ParsedField, ParsedField];
  const cron = {
    minutes: rising(minutes),
    hours: rising(hours),
    months: months.values,
    daysOfMonth,
    daysOfWeek: { ...daysOfWeek, values: new Set([...daysOfWeek.values].map((day) => day % 7)) },
  };
  if (!everFires(cron)) {
    throw timingFault(
      'cron',
      `never fires: no month of "${fields[3]}" has a day "${fields[2]}"`,
      'Choose days that the months have; 29 February comes in leap years.',
    );
  }
  requireSecondOpinion(fields);
  return cron;
}

function splitFields(expression: string): string[] {
  const text = expression.trim();
  const shorthand = SHORTHANDS[text.toLowerCase()];
  if (shorthand !== undefined)
    throw timingFault('cron', `is the shorthand ${text}, which is not taken`, `Write it out: ${shorthand}`);
  const fields = text === '' ? [] : text.split(/[ \t]+/);
  if (fields.length === CRON_FIELDS.length) return fields;
  const found =
    fields.length === 0 ? 'is empty' : `has ${fields.length} field${fields.length === 1 ? '' : 's'}`;
  throw timingFault(
    'cron',
    `${found}; it takes five: minute, hour, day of the month, month, day of the week`,
    fields.length === 6
      ? 'Leave out the seconds or the year, as in "0 9 * * 1-5": schedules run on whole minutes.'
      : 'Give five fields, as in "0 9 * * 1-5" for 9:00 on working days.',
  );
}

function rising({ values }: ParsedField): number[] {
  return [...values].sort((one, other) => one - other);
}

/** A day of the week comes in every month, and `*` with a step begins at day 1, which every month has. */
function everFires({ months, daysOfMonth, daysOfWeek }: Cron): boolean {
  if (!daysOfWeek.isStar || daysOfMonth.isStar) return true;
  const firstDay = Math.min(...daysOfMonth.values);
  return [...months].some((month) => firstDay <= (LONGEST_DAYS[month - 1] ?? 0));
}

/**
 * What we read and node-cron refuses is a mistake in one of the two: better no schedule than one that runs wrongly.
 * It is asked field by field, since it takes two restricted day fields for "both" when it looks for impossible dates.
 */
function requireSecondOpinion(fields: readonly string[]): void {
  const isAgreed = fields.every((field, index) => validate(OPEN.with(index, field).join(' ')));
  if (isAgreed) return;
  throw timingFault(
    'cron',
    'is not an expression that every cron agrees on',
    'Use *, values, lists, ranges and steps, as in "*/15 9-17 * * mon-fri".',
  );
}

/** The expression that leaves every field open. */
const OPEN = ['*', '*', '*', '*', '*'];
