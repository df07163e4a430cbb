import type { Page } from '../page.ts';
import { cssOf, reasonsFor, scoreOf } from '../path.ts';
import type { Candidate, Column, ListPicks } from '../suggestion.ts';
import { showValues, takeOf } from '../take.ts';
import type { Token } from '../tokens/token.ts';
import { TokenIndex } from '../tokens/token-index.ts';
import { hasToken } from '../tokens/tokens-of.ts';
import { type Examples, examplesAround, examplesOf } from './find-examples.ts';
import { commonTokens, elementsKey, findListPaths, type ListPath, worthOf } from './find-list-paths.ts';
import { ALIKE, Likeness } from './likeness.ts';
import { proposeColumns } from './propose-columns.ts';

const MAX_CANDIDATES = 5;

/** Most different lists whose columns are proposed. */
const MAX_WITH_COLUMNS = 2;

/** Proposes selectors of lists: of the records around the picked elements with columns, then of elements like the picked ones. */
export function suggestList({ picks, not }: ListPicks, page: Page, others: readonly Page[]): Candidate[] {
  const likeness = new Likeness(page);
  const examples =
    (picks.length > 1 ? examplesOf(picks, likeness, page) : null) ??
    examplesAround(picks[0] as number, likeness, page);
  if (examples === null) return [];
  const index = new TokenIndex(page);
  const levels = levelsOf(examples, { picks, not }, likeness, page);
  const found = levels.flatMap(({ bonus, ...level }) => {
    const contents = level.examples === examples.examples ? [] : contentsOf(examples.examples, index, page);
    const unwanted = not.flatMap((order) => atLevel(order, level.examples, page));
    return findListPaths({ ...level, not: unwanted, contents }, index, page).map((list) => ({
      ...list,
      bonus,
    }));
  });
  found.sort((left, right) => worthOf(right) + right.bonus - worthOf(left) - left.bonus);
  const candidates = distinct(found).slice(0, MAX_CANDIDATES);
  const known = new Map<string, Column[]>();
  const judged = candidates.map((list) => {
    const key = elementsKey(list.matches);
    if (!known.has(key) && known.size < MAX_WITH_COLUMNS) {
      known.set(key, proposeColumns(list.matches, { picks, index, page }));
    }
    const columns = known.get(key);
    return { ...describe(list, page, others), ...(columns && { columns }) };
  });
  return others.length === 0 ? judged : judged.sort((left, right) => right.score - left.score);
}

interface Level extends Examples {
  readonly bonus: number;
}

/** Advantage of records over the picked elements in them, which are one of their columns. */
const RECORD_BONUS = 0.03;

/** Share of the outermost record that one inside it must hold to be worth a proposal. */
const MIN_SHARE = 0.5;

/** Returns conditions on elements by the common contents of the picked ones. */
function contentsOf(elements: readonly number[], index: TokenIndex, page: Page): Token[] {
  return commonTokens(elements, index, page)
    .filter(({ kind }) => kind === 'class' || kind === 'property' || kind === 'test-id')
    .sort((left, right) => left.penalty - right.penalty)
    .slice(0, 2)
    .map(hasToken);
}

/** Returns the lists that the examples may stand for: the elements themselves, and the records around them. */
function levelsOf(examples: Examples, { picks, not }: ListPicks, likeness: Likeness, page: Page): Level[] {
  const { container } = examples;
  const expected = examples.expected.filter((order) => !not.includes(order));
  const levels = recordLevels(expected, container, likeness, page);
  const [outermost] = levels.at(-1) as [number];
  const children = onlyChildren(expected, page);
  const isAround = (child: number): boolean =>
    picks.some((pick) => pick === child || page.isInside(pick, child));
  const child = children?.some(isAround) ? children : null;
  const inside: Level[] = child
    ? [
        {
          examples: examples.examples.map((order) => child[expected.indexOf(order)] as number),
          expected: child,
          container,
          bonus: 0,
        },
      ]
    : [];
  const around = levels.flatMap((records, level): Level[] => {
    if (level === 0) return [{ ...examples, expected, bonus: 0 }];
    const [first] = records as [number];
    // A record that holds less than the outermost one has fewer columns.
    const share = (page.end(first) - first) / (page.end(outermost) - outermost);
    if (share < MIN_SHARE) return [];
    const own = examples.examples.map((order) => records[expected.indexOf(order)] as number);
    return [{ examples: own, expected: records, container, bonus: RECORD_BONUS * share }];
  });
  return [...inside, ...around];
}

/** Returns the only children of elements that have one each, as items around cards do; null if one has none or several. */
function onlyChildren(orders: readonly number[], page: Page): readonly number[] | null {
  const children = orders.map((order) => [...page.children(order)]);
  return children.every(({ length }) => length === 1) ? children.map(([only]) => only as number) : null;
}

/** Returns the elements at the level of the examples that an unwanted one is, is inside or contains; or the unwanted one itself. */
function atLevel(order: number, examples: readonly number[], page: Page): readonly number[] {
  const { name } = page.element(examples[0] as number);
  const isThere = (at: number): boolean => page.element(at).name === name && !examples.includes(at);
  const around = [order, ...page.ancestors(order, MAX_LEVELS_AROUND)].find(isThere);
  if (around !== undefined) return [around];
  const end = Math.min(page.end(order), order + MAX_ELEMENTS_INSIDE);
  const inside: number[] = [];
  for (let at = order + 1; at < end; at++) if (isThere(at)) inside.push(at);
  return inside.length > 0 ? inside : [order];
}

const MAX_LEVELS_AROUND = 8;
const MAX_ELEMENTS_INSIDE = 200;

function distinct(found: readonly ListPath[]): ListPath[] {
  return [...new Map(found.map((list) => [cssOf(list.path), list])).values()];
}

function describe({ path, penalty, matches, fit }: ListPath, page: Page, others: readonly Page[]): Candidate {
  const selector = cssOf(path);
  const take = takeOf(matches[0] as number, page);
  const held = others.filter((other) => other.find(selector)(null).length > 1).length;
  const stability = { held, tried: others.length };
  return {
    kind: 'list',
    selector,
    take,
    matches: matches.length,
    values: showValues(take, matches, page),
    score: Math.round(scoreOf(penalty, stability) * fit * 100) / 100,
    reasons: [`${matches.length} elements of like shape.`, ...reasonsFor(path)],
    ...(others.length > 0 && { stableOn: `${held} of ${others.length}` }),
  };
}

/** Levels above the picked elements at which their records may be. */
const MAX_LEVELS = 8;

/** Share of the records that must have the tag and the looks of the first. */
const MIN_ALIKE_SHARE = 0.8;

/**
 * Returns the levels at which the elements have a record each, from the inside to the outside: the links, the headings around them and
 * the cards around those. The first level is the elements themselves.
 */
function recordLevels(
  elements: readonly number[],
  container: number,
  likeness: Likeness,
  page: Page,
): (readonly number[])[] {
  const levels = [elements];
  for (let level = 0; level < MAX_LEVELS; level++) {
    const records = (levels.at(-1) ?? []).map((order) => page.parent(order));
    page.work(records.length);
    if (new Set(records).size < records.length || records.some((order) => order <= container)) break;
    const [first] = records as [number];
    const alike = records.filter((order) => likeness.of(first, order) >= ALIKE);
    if (alike.length < MIN_ALIKE_SHARE * records.length) break;
    levels.push(records);
  }
  return levels;
}
