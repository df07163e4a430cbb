import type { NameMatch } from '../names/name-table.ts';
import type { Period } from '../names/period.ts';
import type { Source } from './source.ts';

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
