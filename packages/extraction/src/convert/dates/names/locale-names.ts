import { tokenize } from '../text/tokens.ts';
import { EXTRA_MONTHS } from './extra-names.ts';
import { NameTable, type Period } from './name-table.ts';

/** Names of the months 1 to 12. */
export interface MonthNames {
  readonly whole: NameTable<number>;
  /** Beginnings of names, such as "Sept"; they count when no language has them as whole names. */
  readonly beginnings: NameTable<number>;
}

/** The words that a language writes dates with. */
export interface LocaleNames {
  readonly months: MonthNames;
  /** Weekdays from 0 (Sunday) to 6. */
  readonly weekdays: NameTable<number>;
  readonly periods: NameTable<Period>;
  /** Words between the parts of a date, such as "de" in Spanish. */
  readonly fillers: ReadonlySet<string>;
}

const MONTHS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'short' },
  { month: 'long', year: 'numeric' },
  { day: 'numeric', month: 'long', year: 'numeric' },
  { day: 'numeric', month: 'short', year: 'numeric' },
];

const WEEKDAYS: readonly Intl.DateTimeFormatOptions[] = [{ weekday: 'long' }, { weekday: 'short' }];

const CLOCKS: readonly Intl.DateTimeFormatOptions[] = [
  { hour: 'numeric', hour12: true },
  { timeStyle: 'short' },
];

const DATE_PARTS: ReadonlySet<string> = new Set(['day', 'month', 'year', 'hour', 'minute', 'second']);

const NOT_LETTER = /\P{L}/u;

const SHORTEST_BEGINNING = 3;

/** Builds the names of a locale from the data of Unicode; it takes some milliseconds. */
export function buildLocaleNames(locale: string): LocaleNames {
  return {
    months: buildMonths(locale),
    weekdays: buildWeekdays(locale),
    periods: buildPeriods(locale),
    fillers: buildFillers(locale),
  };
}

/** Builds the names of the months alone: full, short, as they stand alone and as they follow a day. */
export function buildMonths(locale: string): MonthNames {
  const whole = new NameTable<number>();
  const names = MONTHS.flatMap((options) => {
    const format = formatOf(locale, options);
    return range(12).map((index) => ({
      name: monthIn(format.formatToParts(Date.UTC(2024, index, 3))),
      month: index + 1,
    }));
  });
  const extra = EXTRA_MONTHS[locale.split('-')[0] ?? ''] ?? {};
  names.push(...Object.entries(extra).map(([name, month]) => ({ name, month })));
  for (const { name, month } of names) if (!/^\d/.test(name)) addName(whole, name, month);
  return { whole, beginnings: buildBeginnings(names) };
}

/** Returns the name of the month with the letters that are glued to it: Hebrew writes "במאי", "in May". */
function monthIn(parts: readonly Intl.DateTimeFormatPart[]): string {
  const index = parts.findIndex(({ type }) => type === 'month');
  const before =
    literalAt(parts, index - 1)
      .split(NOT_LETTER)
      .at(-1) ?? '';
  const after = literalAt(parts, index + 1).split(NOT_LETTER)[0] ?? '';
  return before + (parts[index]?.value ?? '') + after;
}

function literalAt(parts: readonly Intl.DateTimeFormatPart[], index: number): string {
  const part = parts[index];
  return part?.type === 'literal' ? part.value : '';
}

/** Adds a name as it is, and abbreviations of more than one word ("p. m.") as one word, too. */
function addName<T>(table: NameTable<T>, name: string, value: T): void {
  table.add(name, value);
  table.add(name.replace(/[.\s]/g, ''), value);
}

/** Returns the beginnings of names that belong to one month alone. */
function buildBeginnings(names: readonly { name: string; month: number }[]): NameTable<number> {
  const months = new Map<string, number>();
  for (const { name, month } of names) {
    const [word, ...others] = tokenize(name.replace(/\.$/, ''));
    if (word?.kind !== 'word' || others.length > 0) continue;
    for (let length = SHORTEST_BEGINNING; length < word.text.length; length += 1) {
      const beginning = word.text.slice(0, length);
      const other = months.get(beginning);
      months.set(beginning, other === undefined || other === month ? month : 0);
    }
  }
  const table = new NameTable<number>();
  for (const [beginning, month] of months) if (month > 0) table.add(beginning, month);
  return table;
}

function buildWeekdays(locale: string): NameTable<number> {
  const table = new NameTable<number>();
  for (const options of WEEKDAYS) {
    const format = formatOf(locale, options);
    // 4 February 2024 is a Sunday.
    for (const day of range(7)) addName(table, format.format(Date.UTC(2024, 1, 4 + day)), day);
  }
  return table;
}

function buildPeriods(locale: string): NameTable<Period> {
  const formats = CLOCKS.map((options) => formatOf(locale, options));
  const periods = new Map<string, (number | undefined)[]>();
  for (const hour of range(24)) {
    for (const format of formats) {
      const parts = format.formatToParts(Date.UTC(2024, 0, 1, hour));
      const name = parts.find(({ type }) => type === 'dayPeriod')?.value;
      if (name === undefined) continue;
      const hours = periods.get(name) ?? [];
      hours[hour % 12] = hour;
      periods.set(name, hours);
    }
  }
  const table = new NameTable<Period>();
  for (const [name, hours] of periods) addName(table, name, hours);
  return table;
}

function buildFillers(locale: string): ReadonlySet<string> {
  const parts = [
    ...formatOf(locale, { dateStyle: 'full', timeStyle: 'short' }).formatToParts(0),
    ...formatOf(locale, { dateStyle: 'medium', timeStyle: 'medium' }).formatToParts(0),
  ];
  const words = parts
    .filter(({ type }) => !DATE_PARTS.has(type) && type !== 'weekday' && type !== 'dayPeriod')
    .flatMap(({ value }) => tokenize(value))
    .filter(({ kind }) => kind === 'word');
  return new Set(words.map(({ text }) => text));
}

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    ...options,
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone: 'UTC',
  });
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
