import { lowerBound } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import { COMBINATOR_PENALTIES, type Combinator, cssOf, matchPath, type Path, type Step } from '../path.ts';
import type { Token } from '../tokens/token.ts';
import type { Orders, TokenIndex } from '../tokens/token-index.ts';
import { attributeToken, ownTokens } from '../tokens/tokens-of.ts';

/** Elements to match with a selector, and the elements that decide. */
export interface Wanted {
  /** Elements that must match. */
  readonly examples: readonly number[];
  /** Elements that must not match. */
  readonly not: readonly number[];
  /** All elements that should match, sorted. */
  readonly expected: Orders;
  /** Element around the list. */
  readonly container: number;
  /** Conditions on what the elements contain. */
  readonly contents: readonly Token[];
}

/** A path that matches the examples and none of the excluded elements. */
export interface ListPath {
  readonly path: Path;
  readonly penalty: number;
  readonly matches: Orders;
  /** Harmonic mean of precision and recall against the expected elements. */
  readonly fit: number;
}

const MAX_FOUND = 5;
const MAX_TRIED = 1500;
const MAX_ANCHORS = 10;
const MAX_BASES = 40;

/** Penalty that weighs as much as missing all elements. */
const PENALTY_SCALE = 600;

/** Finds selectors of lists, the best first: common names of the examples, inside common names of what is around them. */
export function findListPaths(wanted: Wanted, index: TokenIndex, page: Page): ListPath[] {
  const { examples, not } = wanted;
  const bases = baseSteps(wanted, index, page);
  const anchors = anchorSteps(wanted, index, page);
  const found: ListPath[] = [];
  const known = new Set<string>();
  let tried = 0;
  for (const base of bases) {
    for (const path of placedIn(base, anchors)) {
      if (tried++ >= MAX_TRIED || page.isTired) break;
      const matches = matchPath(path, index, page);
      if (!examples.every((order) => contains(matches, order))) continue;
      if (not.some((order) => contains(matches, order))) continue;
      const key = cssOf(path);
      if (known.has(key)) continue;
      known.add(key);
      found.push({ path, penalty: penaltyOfList(path), matches, fit: fitOf(matches, wanted.expected) });
    }
  }
  return differing(found.sort((left, right) => worthOf(right) - worthOf(left)));
}

/** Returns how good a list is: its fit, lowered by what speaks against its selector. */
export function worthOf({ fit, penalty }: ListPath): number {
  return fit - penalty / PENALTY_SCALE;
}

/** Keeps the best paths, at most two for the same elements. */
function differing(found: readonly ListPath[]): ListPath[] {
  const counts = new Map<string, number>();
  const kept = found.filter((list) => {
    const key = elementsKey(list.matches);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= 2;
  });
  return kept.slice(0, MAX_FOUND);
}

/** Returns a text that differs for different lists of elements, in practice. */
export function elementsKey(matches: Orders): string {
  return `${matches.length} ${matches[0]} ${matches[matches.length >> 1]} ${matches.at(-1)}`;
}

function penaltyOfList(path: Path): number {
  return path.reduce((sum, { tokens, combinator }) => {
    const named = tokens.some(({ kind }) => kind !== 'tag');
    const own = tokens.reduce(
      (total, { kind, penalty }) => total + (kind === 'tag' ? (named ? 1 : 5) : penalty),
      0,
    );
    return sum + own + (combinator === null ? 0 : COMBINATOR_PENALTIES[combinator]);
  }, 0);
}

/** Returns the conditions that all examples meet, alone and in pairs, the best first. */
function baseSteps(wanted: Wanted, index: TokenIndex, page: Page): (readonly Token[])[] {
  const { examples, not } = wanted;
  index.prepare(wanted.contents);
  const common = [...commonTokens(examples, index, page), ...wanted.contents];
  const alone = common.filter(({ kind }) => kind !== 'position' && kind !== 'has').map((token) => [token]);
  const pairs = common.flatMap((first, at) => common.slice(at + 1).map((second) => [first, second]));
  const penalty = (tokens: readonly Token[]) => tokens.reduce((sum, token) => sum + token.penalty, 0);
  const steps = [...alone, ...pairs]
    .sort((left, right) => penalty(left) - penalty(right))
    .slice(0, MAX_BASES);
  const exclusions = not.length === 0 ? [] : exclusionTokens(wanted, index, page);
  return [
    ...steps,
    ...exclusions.flatMap((exclusion) => steps.slice(0, 10).map((step) => [...step, exclusion])),
  ];
}

/** Returns the conditions that all examples meet. */
export function commonTokens(examples: readonly number[], index: TokenIndex, page: Page): Token[] {
  const [first, ...rest] = examples as [number, ...number[]];
  const tokens = [
    ...ownTokens(first, page),
    ...prefixTokens(examples, page),
    ...columnTokens(examples, page),
  ];
  index.prepare(tokens);
  const isCommon = (token: Token): boolean => rest.every((order) => contains(index.ordersOf(token), order));
  // Values of one element are content; a name of one element only is common to a single example.
  const isGeneral = ({ kind }: Token): boolean => kind !== 'address' && kind !== 'label';
  return tokens.filter(
    (token) => isGeneral(token) && isCommon(token) && (rest.length > 0 || isRepeated(token, index)),
  );
}

/** Returns true if more than one element meets the condition, as those of a list do. */
function isRepeated(token: Token, index: TokenIndex): boolean {
  return index.ordersOf(token).length > 1;
}

const PREFIXED = ['id', 'href', 'class', 'name'];

/** Returns comparisons with what the ids, addresses and classes of all examples begin with. */
function prefixTokens(examples: readonly number[], page: Page): Token[] {
  if (examples.length < 2) return [];
  return PREFIXED.flatMap((name): Token[] => {
    const values = examples.map(
      (order) => page.element(order).attributes.find((own) => own.name === name)?.value,
    );
    const [first, ...rest] = values;
    if (first === undefined || rest.some((value) => value === undefined || value === first)) return [];
    const prefix = rest.reduce<string>((common, value) => commonStart(common, value ?? ''), first);
    const [whole] = /^.*[-_/.=?]/.exec(prefix) ?? [];
    if (whole === undefined || whole.length < 3 || /^https?:\/\/[^/]*\/?$/.test(whole)) return [];
    return [attributeToken('prefix', { name, operator: '^=', value: whole }, 6)];
  });
}

function commonStart(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return left.slice(0, length);
}

/** Returns the column of cells that are all in the same one. */
function columnTokens(examples: readonly number[], page: Page): Token[] {
  const [first] = examples as [number];
  const { name } = page.element(first);
  const place = page.placeOf(first);
  const isColumn =
    (name === 'td' || name === 'th') && examples.every((order) => page.placeOf(order) === place);
  if (!isColumn) return [];
  return [
    { kind: 'position', css: `:nth-of-type(${place})`, penalty: 3, condition: { on: 'position', place } },
  ];
}

/** Returns conditions that the unwanted elements meet and no example does, negated. */
function exclusionTokens({ examples, not }: Wanted, index: TokenIndex, page: Page): Token[] {
  const candidates = not.flatMap((order) => ownTokens(order, page)).filter(({ kind }) => kind !== 'tag');
  index.prepare(candidates);
  return candidates
    .filter((token) => examples.every((order) => !contains(index.ordersOf(token), order)))
    .slice(0, 5)
    .map((token) => ({
      kind: 'except',
      css: `:not(${token.css})`,
      penalty: 3 + token.penalty,
      condition: { on: 'not', inner: token },
    }));
}

/** A step around the list, and how the base is related to it. */
interface Placement {
  readonly before: Path;
  readonly combinator: Combinator | null;
}

function* placedIn(base: readonly Token[], anchors: readonly Placement[]): Generator<Path> {
  for (const { before, combinator } of anchors) yield [...before, { tokens: base, combinator }];
}

/** Returns ways to place a base: anywhere, inside names around the list, as children of what is directly around the examples. */
function anchorSteps(wanted: Wanted, index: TokenIndex, page: Page): Placement[] {
  const { examples, container } = wanted;
  const around = [container, ...page.ancestors(container, 6)];
  const outer = around.flatMap((order) => ownTokens(order, page));
  const parents = examples.map((order) => page.parent(order));
  index.prepare(outer);
  const inner = parents.includes(-1)
    ? []
    : commonTokens([...new Set(parents)], index, page).filter(({ kind }) => kind !== 'position');
  const grandparents = parents.map((order) => (order < 0 ? -1 : page.parent(order)));
  const further = grandparents.includes(-1) ? [] : commonTokens([...new Set(grandparents)], index, page);
  const outermost = bestTokens(outer).map((token): Step => ({ tokens: [token], combinator: null }));
  const direct = bestTokens([
    ...inner,
    ...ownTokens(parents[0] ?? 0, page).filter((token) =>
      parents.every((order) => contains(index.ordersOf(token), order)),
    ),
  ]);
  const anywhere: Placement = { before: [], combinator: null };
  const inOuter = outermost.flatMap((step): Placement[] => [{ before: [step], combinator: ' ' }]);
  const inParents = direct.flatMap((token): Placement[] => {
    const step: Step = { tokens: [token], combinator: null };
    return [
      { before: [step], combinator: '>' },
      ...outermost
        .slice(0, 4)
        .map((out): Placement => ({ before: [out, { ...step, combinator: ' ' }], combinator: '>' })),
    ];
  });
  const inGrandparents = bestTokens(further.filter(({ kind }) => kind !== 'position')).map(
    (token): Placement => ({ before: [{ tokens: [token], combinator: null }], combinator: ' ' }),
  );
  return [anywhere, ...inOuter, ...inGrandparents, ...inParents];
}

function bestTokens(tokens: readonly Token[]): Token[] {
  const unique = new Map(
    tokens.filter(({ kind }) => kind !== 'address' && kind !== 'label').map((token) => [token.css, token]),
  );
  return [...unique.values()].sort((left, right) => left.penalty - right.penalty).slice(0, MAX_ANCHORS);
}

/** Returns true if the sorted orders contain the order. */
export function contains(orders: Orders, order: number): boolean {
  return orders[lowerBound(orders, order)] === order;
}

function fitOf(matches: Orders, expected: Orders): number {
  const common = matches.filter((order) => contains(expected, order)).length;
  return common === 0 ? 0 : (2 * common) / (matches.length + expected.length);
}
