import type { Day } from '../calendar.ts';

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
