import type { Day } from '../calendar.ts';
import type { Lexicon } from '../names/lexicon.ts';
import type { NameMatch, Period } from '../names/name-table.ts';
import type { Token } from '../tokens.ts';

/** A text and the words to read it with. */
export interface Source {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  /** True for texts in Thai, which may count years as Buddhists do. */
  readonly isThai: boolean;
}

/** Years that are guessed; other numbers of four digits are more often something else. */
const EARLIEST = 1000;
const LATEST = 2999;

/** The Buddhist calendar counts 543 years more; its years in use cannot be taken for others. */
const EARLIEST_BUDDHIST = 2400;
const BUDDHIST_YEARS = 543;

/** Returns the year that a number of four digits stands for; years of Thai texts can be Buddhist. */
export function yearOf({ isThai }: Source, digits: string | undefined): number | undefined {
  const year = digits?.length === 4 ? Number(digits) : Number.NaN;
  if (!(year >= EARLIEST && year <= LATEST)) return undefined;
  return isThai && year >= EARLIEST_BUDDHIST ? year - BUDDHIST_YEARS : year;
}

/** A period of the 12-hour clock in a text. */
export type PeriodMatch = NameMatch<Period>;

/** Returns the period at a token, with the dot of its abbreviation. */
export function periodAt({ tokens, lexicon }: Source, start: number): PeriodMatch | undefined {
  const period = lexicon.periodAt(tokens, start);
  if (!period) return undefined;
  const hasDot = tokens[period.end]?.text === '.' && tokens[period.end]?.isGlued;
  return hasDot ? { value: period.value, end: period.end + 1 } : period;
}

/** Returns the period before a clock; "am" in lowercase is a word of German and Welsh there. */
export function periodBefore(source: Source, start: number): PeriodMatch | undefined {
  const cased = source.tokens[start]?.cased;
  return cased === 'am' || cased === 'Am' ? undefined : periodAt(source, start);
}

/** Order of the parts of a numeric date. */
export type Order = 'day-month-year' | 'month-day-year' | 'year-month-day';

/** One reading of a date; readings with an order depend on it. */
export interface Reading {
  readonly day: Day;
  readonly order?: Order;
  /** True for a year of two digits before slashes or dots, which only languages that write the year first use. */
  readonly isYearFirstOnly?: boolean;
}

/** A date found in a text. No reading means that the calendar has no such day. */
export interface FoundDate {
  readonly readings: readonly Reading[];
  /** Sentence that explains why the readings are a guess in any locale. */
  readonly ambiguity?: string;
  /** Index of the first token after the date. */
  readonly end: number;
}
