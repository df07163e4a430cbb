import type { Budget } from '../../../budget.ts';
import type { Token } from '../tokens.ts';
import { matchAnyMonth } from './all-months.ts';
import { createCache } from './locale-cache.ts';
import { buildLocaleNames, EXTRA_FILLERS, EXTRA_PERIODS, type LocaleNames } from './locale-names.ts';
import type { NameMatch, NameTable, Period } from './name-table.ts';
import { localesOf, scriptOf } from './scripts.ts';

/** Building the names of one locale takes as long as this many steps. */
const BUILD_STEPS = 150_000;

const namesOf = createCache(buildLocaleNames);

/** The words of dates, as a document in one language uses them. */
export interface Lexicon {
  /** Returns the months that a name at a token can mean: more than one when languages disagree. */
  readonly monthsAt: (tokens: readonly Token[], start: number) => NameMatch<readonly number[]> | undefined;
  /** Returns true if the locale, English or a language of the script has a month with the name at a token. */
  readonly isMonthOfLocale: (tokens: readonly Token[], start: number) => boolean;
  readonly weekdayAt: (tokens: readonly Token[], start: number) => NameMatch<number> | undefined;
  readonly periodAt: (tokens: readonly Token[], start: number) => NameMatch<Period> | undefined;
  readonly isFiller: (token: Token) => boolean;
}

/**
 * Returns the words of a locale, then those of English. Months of all languages follow, and the other words of languages that
 * have a script of their own.
 */
export function createLexicon(locale: string | undefined, budget: Budget): Lexicon {
  const build = (name: string) => namesOf(name, () => budget.spend(BUILD_STEPS));
  const own = [...new Set([locale ?? 'en', 'en'])].map(build);
  const byScript = new Map<string, readonly LocaleNames[]>();
  const namesFor = (word: string): readonly LocaleNames[] => {
    const script = scriptOf(word);
    const known = byScript.get(script);
    if (known) return known;
    const names = script === 'Latin' ? own : [...own, ...localesOf(script).map(build)];
    byScript.set(script, names);
    return names;
  };
  /** Looks a word up in the languages of its script; numbers and marks begin no name. */
  const find = <T>(
    tokens: readonly Token[],
    start: number,
    tableOf: (names: LocaleNames) => NameTable<T>,
  ): NameMatch<T> | undefined => {
    const token = tokens[start];
    if (token?.kind !== 'word') return undefined;
    return firstOf(namesFor(token.text), (names) => tableOf(names).match(tokens, start));
  };
  return {
    monthsAt: (tokens, start) => {
      if (tokens[start]?.kind !== 'word') return undefined;
      const known =
        firstOf(own, ({ months }) => months.whole.match(tokens, start)) ??
        firstOf(own, ({ months }) => months.beginnings.match(tokens, start));
      return known ? { value: [known.value], end: known.end } : matchAnyMonth(tokens, start, budget);
    },
    isMonthOfLocale: (tokens, start) =>
      find(tokens, start, ({ months }) => months.whole) !== undefined ||
      find(tokens, start, ({ months }) => months.beginnings) !== undefined,
    weekdayAt: (tokens, start) => find(tokens, start, ({ weekdays }) => weekdays),
    periodAt: (tokens, start) =>
      find(tokens, start, ({ periods }) => periods) ?? EXTRA_PERIODS.match(tokens, start),
    isFiller: ({ kind, text }) =>
      EXTRA_FILLERS.has(text) || (kind === 'word' && namesFor(text).some(({ fillers }) => fillers.has(text))),
  };
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
