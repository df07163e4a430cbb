import type { Budget } from '../../../budget.ts';
import type { Token } from '../tokens.ts';
import { createCache } from './locale-cache.ts';
import { buildMonths } from './locale-names.ts';
import type { NameMatch, NameTable } from './name-table.ts';
import { localesOf, scriptOf } from './scripts.ts';

/** Building the months of one locale takes as long as this many steps. */
const BUILD_STEPS = 60_000;

const monthsOf = createCache(buildMonths);

/** Month names of the languages of one script, by their first words. */
interface ScriptMonths {
  readonly whole: ReadonlyMap<string, readonly NameTable<number>[]>;
  readonly beginnings: ReadonlyMap<string, readonly NameTable<number>[]>;
}

const monthsByScript = new Map<string, ScriptMonths>();

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
  const { whole, beginnings } = monthsOfScript(scriptOf(word.text), budget);
  const matchesIn = (tables: readonly NameTable<number>[] = []): NameMatch<number>[] => {
    budget.spend(tables.length);
    return tables.flatMap((table) => table.match(tokens, start) ?? []);
  };
  return longestOf(matchesIn(whole.get(word.text))) ?? longestOf(matchesIn(beginnings.get(word.text)));
}

function monthsOfScript(script: ReturnType<typeof scriptOf>, budget: Budget): ScriptMonths {
  const known = monthsByScript.get(script);
  if (known) return known;
  const months = localesOf(script).map((locale) => monthsOf(locale, () => budget.spend(BUILD_STEPS)));
  const built: ScriptMonths = {
    whole: indexTables(months.map(({ whole }) => whole)),
    beginnings: indexTables(months.map(({ beginnings }) => beginnings)),
  };
  monthsByScript.set(script, built);
  return built;
}

function indexTables(
  tables: readonly NameTable<number>[],
): ReadonlyMap<string, readonly NameTable<number>[]> {
  const index = new Map<string, NameTable<number>[]>();
  for (const table of tables) {
    for (const word of table.firstWords()) {
      const found = index.get(word);
      if (found) found.push(table);
      else index.set(word, [table]);
    }
  }
  return index;
}

function longestOf(matches: readonly NameMatch<number>[]): NameMatch<readonly number[]> | undefined {
  if (matches.length === 0) return undefined;
  const end = Math.max(...matches.map((match) => match.end));
  const longest = matches.filter((match) => match.end === end).map(({ value }) => value);
  return longest.length === 0 ? undefined : { value: [...new Set(longest)], end };
}
