import type { Budget } from '../../../../budget.ts';
import type { Token } from '../text/tokens.ts';
import { createCache } from './locale-cache.ts';
import { buildMonths } from './locale-names.ts';
import type { NameMatch } from './name-table.ts';
import { localesOf, scriptOf } from './scripts.ts';

/** Building the months of one locale takes as long as this many steps. */
const BUILD_STEPS = 60_000;

const monthsOf = createCache(buildMonths);

/**
 * Returns the months that a name at a token means in any language; the languages of its script are built when it is first
 * needed. Languages can disagree: "listopad" is October in Croatian and November in Czech.
 */
export function matchAnyMonth(
  tokens: readonly Token[],
  start: number,
  budget: Budget,
): NameMatch<readonly number[]> | undefined {
  const word = tokens[start];
  if (word?.kind !== 'word') return undefined;
  const months = localesOf(scriptOf(word.text)).map((locale) =>
    monthsOf(locale, () => budget.spend(BUILD_STEPS)),
  );
  budget.spend(months.length);
  return (
    longestOf(months.flatMap(({ whole }) => whole.match(tokens, start) ?? [])) ??
    longestOf(months.flatMap(({ beginnings }) => beginnings.match(tokens, start) ?? []))
  );
}

function longestOf(matches: readonly NameMatch<number>[]): NameMatch<readonly number[]> | undefined {
  const end = Math.max(...matches.map((match) => match.end));
  const longest = matches.filter((match) => match.end === end).map(({ value }) => value);
  return longest.length === 0 ? undefined : { value: [...new Set(longest)], end };
}
