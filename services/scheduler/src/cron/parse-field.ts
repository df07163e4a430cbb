import type { AppError } from '@gleaner/contracts';
import { timingError } from './timing-error.ts';

/** One of the five fields of a cron expression, with the values that it allows. */
export interface CronField {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  /** Names of the values from `minimum` on, in lower case. */
  readonly names?: readonly string[];
}

/** The values that a field of a cron expression selects. */
export interface ParsedField {
  /** Ascending. */
  readonly values: readonly number[];
  /** The field begins with `*`; Vixie cron takes such a day field for "any", even with a step. */
  readonly isStar: boolean;
}

/** The fields in their order (POSIX crontab; names, steps and 7 for Sunday as in Vixie cron, crontab(5)). */
export const CRON_FIELDS = [
  { name: 'minute', minimum: 0, maximum: 59 },
  { name: 'hour', minimum: 0, maximum: 23 },
  { name: 'day of the month', minimum: 1, maximum: 31 },
  {
    name: 'month',
    minimum: 1,
    maximum: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  {
    name: 'day of the week',
    minimum: 0,
    maximum: 7,
    names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
  },
] as const satisfies readonly CronField[];

const ITEM = /^(?:(?<star>\*)|(?<first>\w+)(?:-(?<last>\w+))?)(?:\/(?<step>\d+))?$/;

/** Reads one field: a list of `*`, values, ranges and steps. Throws INVALID_REQUEST naming the field and the error. */
export function parseField(text: string, field: CronField): ParsedField {
  const values = new Set(text.split(',').flatMap((item) => parseItem(item, text, field)));
  return { values: [...values].sort((one, other) => one - other), isStar: text.startsWith('*') };
}

function parseItem(item: string, text: string, field: CronField): number[] {
  const groups = ITEM.exec(item)?.groups;
  if (!groups || isQuartz(item)) throw unreadable(item, text, field);
  const { star, first = '', last } = groups;
  const step = readStep(groups.step, field);
  if (star) return valuesFrom(field.minimum, lastOfStar(field), step);
  const from = readValue(first, field);
  if (last === undefined) {
    if (groups.step === undefined) return [from];
    throw cronError(
      `has a step after a single value in its ${field.name} field, "${item}"`,
      `Give the range that the steps go through: ${first}-${lastOfStar(field)}/${groups.step}.`,
    );
  }
  const to = readRangeEnd(last, from, field);
  if (to < from) throw reversed(item, first, last, field);
  return valuesFrom(from, to, step);
}

/** 7 is another name of Sunday, so `*` stops at 6. */
function lastOfStar({ names, maximum, minimum }: CronField): number {
  return names ? minimum + names.length - 1 : maximum;
}

function valuesFrom(first: number, last: number, step: number): number[] {
  const count = Math.floor((last - first) / step) + 1;
  return Array.from({ length: count }, (_, index) => first + index * step);
}

function readStep(step: string | undefined, field: CronField): number {
  if (step === undefined) return 1;
  const count = lastOfStar(field) - field.minimum + 1;
  const value = Number(step);
  if (value >= 1 && value <= count) return value;
  throw cronError(
    `has the step ${shorten(step)} in its ${field.name} field, which takes steps from 1 to ${count}`,
    `Give a step from 1 to ${count}, such as */${Math.min(5, count)}.`,
  );
}

function readValue(text: string, field: CronField): number {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return field.minimum + named;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= field.minimum && value <= field.maximum) return value;
  throw cronError(
    `has "${shorten(text)}" in its ${field.name} field, which takes ${allowed(field)}`,
    `Give ${allowed(field)}, a list, a range or *.`,
  );
}

/** At the end of a range Sunday is 7, so that `fri-sun` is three days. */
function readRangeEnd(text: string, from: number, field: CronField): number {
  const value = readValue(text, field);
  return value === 0 && field.maximum === 7 && from > 0 && !/\d/.test(text) ? 7 : value;
}

function reversed(item: string, first: string, last: string, field: CronField): AppError {
  return cronError(
    `has a range that ends before it begins in its ${field.name} field, "${item}"`,
    `Write it as two ranges: ${first}-${lastOfStar(field)},${field.minimum}-${last}.`,
  );
}

function unreadable(item: string, text: string, field: CronField): AppError {
  if (item === '') {
    return cronError(
      `has an empty place in the list of its ${field.name} field, "${shorten(text)}"`,
      'Remove the extra comma.',
    );
  }
  const suggestion = isQuartz(item)
    ? 'The Quartz characters ?, L, W and # are not supported; use *, values, lists, ranges and steps.'
    : 'Use * (any), 5, 1-5, */15, 0-30/10, or a comma-separated list of these.';
  return cronError(
    `has "${shorten(item)}" in its ${field.name} field, which is not a value, range or step`,
    suggestion,
  );
}

/** Recognizes Quartz syntax, to report it as unsupported. */
function isQuartz(item: string): boolean {
  return /^(?=.*[?LW#])[?LW#\d]+$/i.test(item);
}

function allowed({ minimum, maximum, names }: CronField): string {
  return `${minimum} to ${maximum}${names ? ` or ${names[0]} to ${names.at(-1)}` : ''}`;
}

function cronError(message: string, suggestion: string): AppError {
  return timingError('cron', message, suggestion);
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
